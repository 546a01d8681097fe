import { expect, test } from 'vitest'
import { command } from '../support/command-line.ts'
import { openService } from '../support/service.ts'

const ADDRESS = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
const TXID = 'cd'.repeat(32)

test('the operator lists payouts, notes one as paid and refuses another', async () => {
  const service = await openService()
  const { core } = service
  const agent = await service.agent({ name: 'boss', balance: 10 })
  const ann = await service.customer(agent, { balance: 100 })
  await service.product('traffic', { proxyType: 104, pool: 'dynamic_1', price: 5 })
  await core.earnings.setPrice(agent, { markupPercent: 100 })
  await service.buyTraffic(ann, { trafficAmount: 8 })
  const run = (...args: string[]) => command(['payout', ...args], { database: service.database, drivers: {} })
  expect((await run('list')).stdout).toBe('There are no such payouts\n')
  const ask = async (amount: number) =>
    (await core.earnings.requestPayout(agent, { amount, address: ADDRESS })).payout.payoutNo
  const [first, second] = [await ask(10.5), await ask(20)]

  const listed = (await run('list')).stdout
  expect(listed).toMatch(new RegExp(`^NUMBER .*\n${first} +boss +10.50 USD +5.25 +${ADDRESS} +requested`))
  expect(listed.indexOf(second)).toBeGreaterThan(listed.indexOf(first))
  expect(await run('paid', first, 'cafe')).toMatchObject({
    status: 1,
    stderr: 'txid must be a transaction id of 64 hexadecimal digits\n',
  })
  expect((await run('paid', first, TXID)).stdout).toBe(`${first}: 5.25 USDT paid to boss\n`)
  expect(await run('paid', second, TXID)).toMatchObject({
    status: 1,
    stderr: 'txid has paid another payout already: `payout list --status paid` shows which\n',
  })
  expect((await run('refuse', first, '--reason', 'late')).status).toBe(1)
  expect((await run('refuse', 'P1', '--reason', 'x')).stderr).toBe(
    'There is no payout of this number: `payout list` shows those that wait\n',
  )
  const refusal = await run('--json', 'refuse', second, '--reason', 'Wrong network')
  expect(JSON.parse(refusal.stdout)).toMatchObject({ payout_no: second, status: 'refused', amount: 20 })
  expect(JSON.parse((await run('--json', 'list', '--status', 'paid')).stdout)).toMatchObject({
    total: 1,
    items: [{ payout_no: first, usdt: '5.25', exchange_rate: 2, txid: TXID }],
  })
  expect((await core.earnings.ofAgent(agent)).available).toBe(29_500_000)
  await service.audited()
})
