import { expect, test } from 'vitest'
import { command } from '../support/command-line.ts'
import { movableClock, openService } from '../support/service.ts'

test('the operator gives back a part, then the rest of an order, and no more', async () => {
  // Commands have the time of this machine.
  const service = await openService({ clock: movableClock(new Date().toISOString()) })
  const ann = await service.customer(await service.agent(), { name: 'ann', balance: 100 })
  await service.product()
  await service.stock('static', 2)
  const { orderNo } = await service.order(ann, { ipCount: 2, duration: 12 })
  await service.runJobs()
  const { instances } = await service.core.orders.getStatic(ann, { orderNo })
  const [one] = instances.map(({ instanceNo }) => instanceNo)
  const run = (...args: string[]) => command(['refund', ...args], { database: service.database, drivers: {} })

  const asked = async (...args: string[]) => {
    const database = service.database
    const line = ['refund', orderNo, '--reason', 'x', ...args]
    const { status, stdout, stderr } = await command(line, { database, terminal: true, stdin: 'n\n' })
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    return stderr
  }
  expect(await asked()).toContain('Give 24.00 USD back to ann? [y/N]')
  expect(await asked('--amount', '5', '--release')).toContain(
    'Give 5 of 24.00 USD back to ann and end 2 proxies? [y/N]',
  )

  const half = await run(orderNo, '--instances', one ?? '', '--amount', '0.5', '--reason', 'slow for a day')
  expect(half.stdout).toMatch(/^Gave 0\.50 USD back to ann \(G\w+\); balance 76\.50 USD\n$/)
  const rest = await run('--json', orderNo, '--release', '--reason', 'all of it')
  expect(JSON.parse(rest.stdout)).toMatchObject({
    amount: 23.5,
    balance: 100,
    released_instances: [one, instances[1]?.instanceNo],
  })
  expect(await run(orderNo, '--reason', 'again')).toMatchObject({
    status: 1,
    stderr: 'amount must be above 0 and at most what was paid and not given back yet\n',
  })
  expect((await run('S1', '--reason', 'x')).stderr).toBe('There is no order of this number\n')
  expect((await run(orderNo, '--instances', 'I1', '--reason', 'x')).stderr).toBe(
    'This order has no such proxy: `order show` shows those that it has\n',
  )
  expect((await service.core.records.transactions(ann, { types: ['refund'] })).items).toMatchObject([
    { amount: 23_500_000, orderNo, remark: 'all of it' },
    { amount: 500_000, orderNo, remark: 'slow for a day' },
  ])
  await service.audited()
})

test('an order of traffic is refunded up to its price, and the traffic stays', async () => {
  const service = await openService()
  const ann = await service.customer(null, { name: 'ann', balance: 100 })
  await service.product('traffic', { proxyType: 104, pool: 'dynamic_1', price: 3 })
  const {
    order: { orderNo },
  } = await service.buyTraffic(ann)
  await service.runJobs()
  const run = (...args: string[]) =>
    command(['refund', orderNo, '--reason', 'x', ...args], { database: service.database, drivers: {} })
  expect((await run('--amount', '1')).status).toBe(0)
  const show = await command(['--json', 'order', 'show', orderNo], { database: service.database })
  expect(Object.entries(JSON.parse(show.stdout) as object).slice(-4)).toEqual([
    ['refundable_amount', 2],
    ['created_at', expect.any(String)],
    ['traffic_gb', 1],
    ['currency', 'USD'],
  ])
  expect((await run()).status).toBe(0)
  expect((await run()).status).toBe(1)
  expect(await service.balance(ann)).toBe(100)
  await service.audited()
})
