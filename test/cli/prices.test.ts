import { expect, test } from 'vitest'
import { command } from '../support/command-line.ts'
import { openService } from '../support/service.ts'

test('A price for one account or from a quantity on is named in the list and can be taken back, the first one for everybody cannot', async () => {
  const service = await openService()
  await service.product('static')
  await service.stock('static', 5)
  const ann = await service.customer(await service.agent(), { name: 'Ann' })
  const price = (...args: string[]) => command(['price', ...args], { database: service.database })
  const charged = async () => (await service.core.catalog.query(ann))[0]?.price
  const listed = async () =>
    (await command(['product', 'list'], { database: service.database })).stdout.split('yes').at(-1)?.trim()

  expect((await price('set', 'static', '0.5', '--user', 'ann')).stdout).toBe(
    'static costs 0.50 USD for ann\n',
  )
  expect((await price('set', 'static', '0.75', '--min', '10')).stdout).toBe(
    'static costs 0.75 USD for everybody, from 10 on\n',
  )
  expect([await charged(), await listed()]).toEqual([500_000, '1.00, 0.75 from 10, 0.50 Ann'])

  expect(await price('remove', 'static', '--user', 'ann')).toEqual({
    status: 0,
    stdout: 'static has no price of its own any more for ann\n',
    stderr: '',
  })
  expect([await charged(), await listed()]).toEqual([1_000_000, '1.00, 0.75 from 10'])
  expect((await price('remove', 'static', '--min', '10')).status).toBe(0)
  for (const [args, message] of [
    [['static', '--min', '10'], 'price is none: `product list` shows those that there are\n'],
    [['static'], 'price for everybody stays: set another one, or disable the product\n'],
    [['nothing'], 'There is no product of this number\n'],
    [['static', '--user', 'nobody'], 'There is no account of this name\n'],
  ] as const)
    expect(await price('remove', ...args)).toEqual({ status: 1, stdout: '', stderr: message })
  expect(await listed()).toBe('1.00')
})

test('The operator says within what agents set prices, and the trail keeps it', async () => {
  const service = await openService()
  const agents = (...args: string[]) =>
    command(['price', 'agents', ...args], { database: service.database, drivers: {} })
  const said = (limit: number, step: string) =>
    `Sub-users of agents pay at most ${limit} times the price of the shop; markups are rounded up to multiples of ${step} USD\n`
  expect((await agents()).stdout).toBe(said(10, '0.01'))
  expect((await agents('--limit', '2.5')).stdout).toBe(said(2.5, '0.01'))
  expect((await agents('--step', '0.000001')).stdout).toBe(said(2.5, '0.000001'))
  expect((await agents('--limit', '0.5')).stderr).toMatch(/^limit must /)
  expect((await agents('--step', '0')).stderr).toMatch(/^step must /)
  expect((await service.core.operator.trail.list({ action: 'price' })).items).toMatchObject([
    { action: 'price.limit' },
    { action: 'price.limit' },
  ])
})
