import { expect, test } from 'vitest'
import { command } from '../support/command-line.ts'
import { openService } from '../support/service.ts'

test('The operator makes, lists and stops promotion codes, those of agents included', async () => {
  const service = await openService()
  await service.product('static', { price: 4 })
  await service.stock('static', 1)
  const agent = await service.agent({ name: 'seller' })
  await service.core.promotions.create(agent, { code: 'OFAGENT', percent: 5 })
  const promo = (...args: string[]) =>
    command(['promo', ...args], { database: service.database, drivers: {} })

  expect(await promo('add', 'welcome', '--amount', '2.5', '--uses', '3', '--products', 'static')).toEqual({
    status: 0,
    stdout: 'WELCOME takes 2.50 USD off\nPRODUCT  PRICE  WITH IT  OFF\nstatic   4.00   1.50     62.5%\n',
    stderr: '',
  })
  expect((await promo('add', '--percent', '10', '--days', '7')).stdout).toMatch(/^\w{8} takes 10% off\n/)
  const { stdout } = await promo('list')
  expect(stdout).toMatch(/^CODE +STATE +OFF +OF +USES +GIVEN +UNTIL +PRODUCTS\n/)
  expect(stdout).toMatch(/WELCOME +open +2\.50 USD +the shop +0\/3 +0\.00 +- +static\n/)
  expect(stdout).toMatch(/OFAGENT +open +5% +seller +0 +0\.00 +- +all\n/)
  expect((await promo('stop', 'ofagent')).stdout).toBe('OFAGENT is stopped\n')
  for (const [args, message] of [
    [['add', 'Welcome', '--percent', '5'], 'There is such a promotion code already\n'],
    [
      ['add', 'x', '--percent', '5'],
      'code must be 3-32 letters, digits, _ or -, and begin with a letter or digit\n',
    ],
    [['add', 'NEW', '--percent', '5', '--products', 'none'], 'There is no product of this number\n'],
    [
      ['add', 'NEW', '--percent', '5', '--until', '2020-01-01T00:00:00Z'],
      '--until must be a time of the next ten years\n',
    ],
    [['add', 'NEW'], '--percent or --amount must be given, not both\n'],
    [['stop', 'none'], 'There is no such promotion code\n'],
  ] as const)
    expect(await promo(...args)).toEqual({ status: 1, stdout: '', stderr: message })
  await expect(promo('add', 'NEW', '--percent', '5', '--amount', '1')).rejects.toThrow(
    "option '--percent <number>' cannot be used with option '--amount <amount>'",
  )
  expect(
    (await service.core.operator.trail.list({ action: 'promo' })).items.map(({ action }) => action),
  ).toEqual(['promo.stop', 'promo.add', 'promo.add'])
})
