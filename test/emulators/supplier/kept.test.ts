import { expect, it } from 'vitest'
import type { KeptBook } from '../../../src/emulators/supplier/kept-book.ts'
import { movableClock } from '../../support/movable-clock.ts'
import { startSupplier } from '../../support/supplier.ts'

const MINUTE = 60_000
const LA = 'us_la_30'

/** A platform that can be started again: what it keeps goes through a file, as text. */
function platform() {
  const clock = movableClock()
  let file: string | undefined
  const kept = {
    get: () => (file === undefined ? undefined : (JSON.parse(file) as KeptBook)),
    set: (book: KeptBook) => void (file = JSON.stringify(book)),
  }
  return {
    clock,
    start: async () => {
      const running = await startSupplier({ clock, kept })
      running.supplier.behaviour.delayMs = MINUTE
      return running
    },
  }
}

const opening = (appOrderNo: string, count: number, others: object = {}) => ({
  appOrderNo,
  params: [{ productNo: LA, count, cycleTimes: 1, ...others }],
})

it('goes on with what an earlier process has written down', async () => {
  const { clock, start } = platform()
  const first = await start()
  const { supplier, call } = first
  supplier.setProduct({ productNo: LA, inventory: 50, ranges: [{ cidr: '203.0.113.0/24', count: 10 }] })
  await call('instance/open', opening('A1', 3))
  clock.advance(MINUTE)
  await supplier.tick()
  const [one = '', two = '', three = ''] = supplier.instances().map(({ instanceNo }) => instanceNo)
  const cidrBlocks = [{ cidr: '203.0.113.0/24', count: 1 }]
  for (const [method, parameters] of [
    ['instance/renew', { appOrderNo: 'A2', instances: [{ instanceNo: one, cycleTimes: 1 }] }],
    ['instance/release', { appOrderNo: 'A3', orderNo: 'A3', instances: [two] }],
    ['instance/reset/password', { resetNo: 'A5', instanceNoList: [three] }],
    ['instance/open', opening('A4', 1, { cidrBlocks })],
  ] as const)
    expect([method, (await call(method, parameters)).code]).toEqual([method, 200])
  const before = { orders: supplier.orders(), instances: supplier.instances(), account: supplier.account }
  await first.stop()

  const { supplier: later, call: callLater } = await start()
  expect({ orders: later.orders(), instances: later.instances(), account: later.account }).toEqual(before)
  expect(later.product(LA).inventory).toBe(46)
  // A number that was processed is not processed again.
  await callLater('instance/open', opening('A1', 3))
  expect(later.uses('A1')).toEqual({ seen: 2, processed: 1 })
  clock.advance(MINUTE)
  await later.tick()
  expect(later.orders().map(({ status, done }) => [status, done])).toEqual([
    [3, 3],
    [3, 1],
    [3, 1],
    [3, 1],
    [3, 1],
  ])
  const [renewed, released, reset, inRange] = later.instances()
  expect(renewed?.expiresAt.getTime()).toBeGreaterThan(before.instances[0]?.expiresAt.getTime() ?? 0)
  expect(released?.status).toBe(11)
  expect(reset?.password).not.toBe(before.instances[2]?.password)
  expect(inRange?.ip).toBe('203.0.113.1')
  // Four opened and one renewed at 2.50, one of them given back.
  expect(later.account.coin).toBe('9990.00')
})

it('fails renewals and charges more, where it should', async () => {
  const { clock, start } = platform()
  const { supplier, call } = await start()
  supplier.setProduct({ productNo: LA, costPrice: '2' })
  supplier.behaviour.dearerByPercent = 20
  await call('instance/open', opening('A1', 1))
  clock.advance(MINUTE)
  await supplier.tick()
  expect(supplier.account.coin).toBe('9997.60')
  const [instance] = supplier.instances()
  supplier.behaviour.failsRenewals = true
  await call('instance/renew', {
    appOrderNo: 'A2',
    instances: [{ instanceNo: instance?.instanceNo, cycleTimes: 1 }],
  })
  expect(supplier.account.coin).toBe('9995.20')
  clock.advance(MINUTE)
  await supplier.tick()
  expect(supplier.order('A2')).toMatchObject({ status: 4, done: 0 })
  expect(supplier.instances()[0]?.expiresAt).toEqual(instance?.expiresAt)
  expect(supplier.account.coin).toBe('9997.60')
})
