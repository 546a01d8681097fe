import { describe, expect, it } from 'vitest'
import type { Method } from '../../../src/emulators/supplier/types.ts'
import { startCallbackReceiver, startSupplier, type SupplierAnswer } from '../../support/supplier.ts'

const LA = 'us_la_30'
const RANGE = '203.0.113.0/24'

async function startWithProduct(options: Parameters<typeof startSupplier>[0] = {}) {
  const running = await startSupplier(options)
  running.supplier.setProduct({
    productNo: LA,
    inventory: 50,
    ranges: [{ cidr: RANGE, count: 10 }],
    projects: [{ code: 'p1', name: 'Shopping' }],
  })
  return running
}

const item = (others: object = {}) => ({ productNo: LA, count: 1, cycleTimes: 1, ...others })
const opening = (appOrderNo: unknown, ...items: object[]) => ({ appOrderNo, params: items })
const codeOf = ({ code, msg }: SupplierAnswer) => ({ code, msg })

describe('the envelope', () => {
  it.each([
    ['another version', { version: 'v1' }, 400],
    ['another encryption', { encrypt: 'RSA' }, 400],
    ['no request id', { reqId: '' }, 400],
    ['another field', { extra: 1 }, 400],
    ['an unknown account', { appKey: 'nobody' }, 401],
    ['parameters that are not base64', { params: 'not base64!' }, 400],
    ['parameters that are not encrypted', { params: Buffer.from('{}').toString('base64') }, 400],
  ])('is refused with %s', async (_, envelope, code) => {
    const { call } = await startWithProduct()
    expect((await call('info', {}, envelope)).code).toBe(code)
  })

  it('is decrypted with the secret of the account', async () => {
    const { call, supplier } = await startWithProduct()
    expect(await call('info', {})).toMatchObject({ code: 200, data: { coin: '10000.00', status: 1 } })
    expect(await call('info', {}, { params: '', encrypt: 'aes' })).toMatchObject({ code: 200 })
    const other = supplier.addAccount()
    expect((await call('info', {}, { appKey: other.key })).code).toBe(400)
  })
})

describe('parameters', () => {
  const tooMany = Array.from({ length: 101 }, () => item())
  it.each<[Method, string, unknown]>([
    ['info', 'another field', { page: 1 }],
    ['instance/open', 'no number', { params: [item()] }],
    ['instance/open', 'a number of 33 characters', opening('x'.repeat(33), item())],
    ['instance/open', 'a number with spaces', opening('a b', item())],
    ['instance/open', 'a number that is none', opening(5, item())],
    ['instance/open', 'no items', opening('S1')],
    ['instance/open', '101 items', opening('S1', ...tooMany)],
    ['instance/open', '21 proxies of an item', opening('S1', item({ count: 21 }))],
    ['instance/open', 'no proxies', opening('S1', item({ count: 0 }))],
    ['instance/open', 'a count as text', opening('S1', item({ count: '1' }))],
    ['instance/open', 'another field of an item', opening('S1', item({ price: 1 }))],
    ['instance/open', 'no ranges in the list of ranges', opening('S1', item({ cidrBlocks: [] }))],
    ['instance/open', 'a range that is none', opening('S1', item({ cidrBlocks: [{ cidr: 'x', count: 1 }] }))],
    [
      'instance/open',
      'ranges that are not enough',
      opening('S1', item({ count: 2, cidrBlocks: [{ cidr: RANGE, count: 1 }] })),
    ],
    [
      'instance/open',
      'an unknown range',
      opening('S1', item({ cidrBlocks: [{ cidr: '192.0.2.0/24', count: 1 }] })),
    ],
    ['instance/open', 'an unknown project', opening('S1', item({ projectId: 'p2' }))],
    ['instance/renew', 'numbers instead of objects', { appOrderNo: 'N1', instances: ['c_1'] }],
    [
      'instance/renew',
      'an instance twice',
      {
        appOrderNo: 'N1',
        instances: [
          { instanceNo: 'c', cycleTimes: 1 },
          { instanceNo: 'c', cycleTimes: 1 },
        ],
      },
    ],
    ['instance/release', 'one of the two names', { appOrderNo: 'R1', instances: ['c_1'] }],
    ['instance/release', 'two numbers', { appOrderNo: 'R1', orderNo: 'R2', instances: ['c_1'] }],
    ['instance/reset/password', 'a hyphen in the number', { resetNo: 'a-b', instanceNoList: ['c_1'] }],
    ['order', 'no number', { page: 1 }],
    ['order', 'a page of 101', { appOrderNo: 'S1', pageSize: 101 }],
    ['instance', '101 numbers', { instances: Array.from({ length: 101 }, (_, index) => `c_${index}`) }],
    ['instance/list', 'a time in another form', { startTime: '2026-01-01T00:00:00Z' }],
  ])('of %s are refused with %s', async (method, _, parameters) => {
    const { call, supplier } = await startWithProduct()
    const answer = await call(method, parameters)
    expect(answer).toMatchObject({ code: 400, data: undefined })
    expect(supplier.orders()).toEqual([])
    expect(supplier.product(LA).inventory).toBe(50)
  })
})

describe('an order', () => {
  it('is charged, delivered, and shown in pages', async () => {
    const { call, supplier } = await startWithProduct()
    const placed = await call(
      'instance/open',
      opening('S1', item({ count: 3, cycleTimes: 2 }), item({ count: 2 })),
    )
    expect(placed).toMatchObject({ code: 200, data: { appOrderNo: 'S1', amount: '20.00' } })
    expect(supplier.account.coin).toBe('9980.00')
    expect(supplier.product(LA).inventory).toBe(45)
    const first = await call('order', { appOrderNo: 'S1', pageSize: 2 })
    expect(first.data).toMatchObject({ type: 1, status: 3, count: 5, total: 5, page: 1, pageSize: 2 })
    expect(first.data).toHaveProperty('instances.length', 2)
    const last = await call('order', { appOrderNo: 'S1', page: 3, pageSize: 2 })
    expect(last.data).toHaveProperty('instances.length', 1)
  })

  it('is refused for want of stock or money, and leaves no trace', async () => {
    const { call, supplier } = await startWithProduct({ account: { coin: '5', credit: '2.5' } })
    supplier.setProduct({ productNo: LA, inventory: 4 })
    const refusals = [
      await call('instance/open', opening('S1', item({ count: 3 }), item({ count: 2 }))),
      await call('instance/open', opening('S1', item({ count: 4 }))),
      await call('instance/open', opening('S1', item({ productNo: 'other' }))),
    ]
    expect(refusals.map(codeOf)).toEqual([
      { code: 500, msg: 'out of stock' },
      { code: 500, msg: 'insufficient balance' },
      { code: 500, msg: 'the product does not exist' },
    ])
    expect([supplier.orders(), supplier.instances(), supplier.charges()]).toEqual([[], [], []])
    expect(supplier.uses('S1')).toEqual({ seen: 3, processed: 0 })
    expect((await call('instance/open', opening('S1', item({ count: 3 })))).code).toBe(200)
    expect(supplier.account.coin).toBe('-2.50')
  })

  it('is paid back for what was not delivered', async () => {
    const { call, supplier } = await startWithProduct()
    supplier.behaviour.deliversAtMost = 1
    await call('instance/open', opening('S1', item({ count: 3 })))
    expect((await call('order', { appOrderNo: 'S1' })).data).toMatchObject({ status: 5, refund: 1, total: 1 })
    expect(supplier.charges().map(({ why, amount }) => [why, amount])).toEqual([
      ['charge', '-7.50'],
      ['refund', '2.50'],
      ['refund', '2.50'],
    ])
    expect(supplier.product(LA).inventory).toBe(49)
  })

  it('does not take the number of another kind', async () => {
    const { call, supplier } = await startWithProduct()
    await call('instance/open', opening('S1', item()))
    await supplier.tick()
    const instances = [{ instanceNo: supplier.instances()[0]!.instanceNo, cycleTimes: 1 }]
    expect((await call('instance/renew', { appOrderNo: 'S1', instances })).code).toBe(500)
    expect(supplier.uses('S1')).toEqual({ seen: 2, processed: 1 })
  })

  it('belongs to its account', async () => {
    const { call, supplier } = await startWithProduct()
    const other = supplier.addAccount({ secret: supplier.account.secret })
    await call('instance/open', opening('S1', item()))
    await supplier.tick()
    const { instanceNo } = supplier.instances()[0]!
    const as = { appKey: other.key }
    expect(await call('order', { appOrderNo: 'S1' }, as)).toEqual({
      code: 200,
      msg: 'success',
      data: undefined,
    })
    expect((await call('instance', { instances: [instanceNo] }, as)).data).toEqual([])
    const renewal = { appOrderNo: 'N1', instances: [{ instanceNo, cycleTimes: 1 }] }
    expect(codeOf(await call('instance/renew', renewal, as))).toEqual({
      code: 500,
      msg: 'the instance does not exist',
    })
  })

  it('ends after the delay of the clock', async () => {
    const { call, supplier, clock } = await startWithProduct()
    supplier.behaviour.delayMs = 1000
    await call('instance/open', opening('S1', item()))
    const statusOf = async () =>
      ((await call('order', { appOrderNo: 'S1' })).data as { status: number }).status
    expect(await statusOf()).toBe(1)
    clock.advance(999)
    expect(await statusOf()).toBe(2)
    clock.advance(1)
    expect(await statusOf()).toBe(3)
  })

  it('ends with its proxies: at the end of the calendar month, and once', async () => {
    const { call, supplier, clock } = await startWithProduct()
    clock.set('2027-01-31T10:00:00.000Z')
    supplier.setProduct({ productNo: 'month', unit: 3, duration: 1 })
    await call('instance/open', opening('S1', item({ productNo: 'month' })))
    await supplier.tick()
    const { instanceNo, expiresAt } = supplier.instances()[0]!
    expect(expiresAt.toISOString()).toBe('2027-02-28T10:00:00.000Z')
    clock.set('2027-02-28T10:00:00.000Z')
    const renewal = { appOrderNo: 'N1', instances: [{ instanceNo, cycleTimes: 1 }] }
    expect(codeOf(await call('instance/renew', renewal))).toEqual({
      code: 500,
      msg: 'the instance does not run',
    })
  })
})

describe('callbacks', () => {
  it('are sent until they are accepted', async () => {
    let answer: unknown = { code: 'fail' }
    const { url, received } = await startCallbackReceiver(() => answer)
    const { call, supplier } = await startWithProduct({ account: { callbackUrl: url } })
    await call('instance/open', opening('S1', item()))
    await supplier.tick()
    await supplier.tick()
    answer = { code: 'success' }
    await supplier.tick()
    await supplier.tick()
    const callback = { type: 'order', no: 'S1', op: 'update' }
    expect(received).toEqual([callback, callback, callback])
    expect(supplier.callbacks().map(({ accepted }) => accepted)).toEqual([false, false, true])
  })

  it('come twice and newest first, with either number', async () => {
    const { url, received } = await startCallbackReceiver(() => ({ code: 'success' }))
    const { call, supplier } = await startWithProduct({ account: { callbackUrl: url } })
    supplier.behaviour.callbacks = { doubled: true, reordered: true }
    supplier.behaviour.callbackNumber = 'theirs'
    await call('instance/open', opening('S1', item()))
    await call('instance/open', opening('S2', item()))
    await supplier.tick()
    const [first, second] = supplier.orders().map(({ orderNo }) => orderNo)
    expect(received.map(({ no }) => no)).toEqual([second, second, first, first])
  })
})
