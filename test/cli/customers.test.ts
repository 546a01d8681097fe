import { expect, test } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { command } from '../support/command-line.ts'
import { openService } from '../support/service.ts'

test('what the shop does for its customers works from the shell, too', async () => {
  const service = await openService()
  const { core, clock } = service
  // The command line has a clock of its own: that of the machine.
  clock.advance(Date.now() - clock.now().getTime())
  await service.agent({ name: 'boss', balance: 20 })
  await service.agent({ name: 'next' })
  const drivers = {}
  const run = async (...args: string[]) => command(args, { database: service.database, drivers })
  const json = async (...args: string[]) => {
    const { status, stdout, stderr } = await run('--json', ...args)
    expect([args, status, stderr]).toEqual([args, 0, ''])
    return JSON.parse(stdout) as Record<string, unknown>
  }
  const why = ['--reason', 'asked on the phone']

  expect((await run('customer', 'create', 'ann', '--agent', 'boss', '--balance', '30')).stdout).toMatch(
    /^Created customer ann \(id \d+\)\n$/,
  )
  await service.product()
  await service.stock('static', 3, { ips: ['198.51.100.7', '198.51.100.8', '198.51.100.9'] })
  const row = await service.db.read.account.findFirstOrThrow({ where: { username: 'ann' } })
  const ann = { id: row.id, username: 'ann', role: row.role, agentId: row.agentId, level: 1 }
  const { orderNo } = await service.order(ann, { ipCount: 2, duration: 12 })
  await service.runJobs()

  const found = await json('find', '198.51.100.7')
  expect(found).toMatchObject({
    items: [{ kind: 'proxy', order_no: orderNo, username: 'ann', status: 'active' }],
  })
  const [{ instance_no: proxy = '' } = {}] = found['items'] as { instance_no?: string }[]
  expect((await run('find', 'an')).stdout).toBe(
    `KIND      WHAT  USER  STATE\ncustomer  id ${ann.id}  ann   active\n`,
  )
  expect((await run('find', 'nothing-at-all')).stdout).toBe('Nothing is found\n')

  expect(await json('customer', 'show', 'ANN')).toMatchObject({
    username: 'ann',
    agent: 'boss',
    balance: 6,
    orders: 1,
    active_proxies: 2,
    latest_orders: [{ order_no: orderNo }],
  })
  expect((await run('customer', 'show', 'ann')).stdout).toContain(
    'ann (user of boss), active, balance 6.00 USD\n',
  )
  expect(await json('customer', 'entries', 'ann')).toMatchObject({
    total: 2,
    // The command line has a clock of its own.
    items: expect.arrayContaining([
      expect.objectContaining({ type: 'consumption', amount: -24 }),
      expect.objectContaining({ type: 'recharge', amount: 30 }),
    ]) as unknown,
  })
  expect(await json('topup', 'list', '--user', 'ann')).toEqual({ total: 0, items: [] })
  expect((await run('topup', 'list')).stdout).toBe('There are no top-ups\n')
  expect((await run('order', 'show', orderNo)).stdout).toContain('24.00 USD; 24.00 USD can be given back\n')

  const shown = await json('order', 'show', orderNo)
  expect(shown).toMatchObject({ type: 'static', total_amount: 24, refundable_amount: 24, currency: 'USD' })
  expect(Object.keys(shown).join(' ')).toBe(
    'type order_no app_order_no username product_no status total_amount refundable_amount created_at instances currency',
  )
  expect((await run('order', 'replace', proxy, ...why)).stdout).toBe(
    `${proxy}: replaced by 198.51.100.9:8000\n`,
  )
  expect((await run('order', 'replace', proxy, ...why)).stderr).toContain('within the last minute')
  const missing = await run('order', 'credentials', proxy, ...why)
  expect(missing).toMatchObject({ status: 1, stderr: '--password required\n' })
  const given = await run('order', 'credentials', proxy, '--password', 'a-new-secret', ...why)
  expect(given).toEqual({
    status: 0,
    stdout: `${proxy} has other credentials\n`,
    stderr:
      'Warning: this password stays in the log files of npm and in the history of the shell; --password - asks for it\n',
  })
  expect(await run('replace', 'R1')).toMatchObject({ status: 2, stderr: 'Say --allow or --decline\n' })

  const link = await json('customer', 'link', 'ann', ...why)
  expect(link['start']).toMatch(/^inv_.{43}$/)
  await json('customer', 'logout', 'ann', ...why)
  expect(await json('customer', 'disable', 'ann', ...why)).toMatchObject({ changed: true })
  expect((await run('customer', 'link', 'ann', ...why)).stderr).toBe('This account is disabled\n')
  await json('customer', 'enable', 'ann', ...why)
  expect((await run('customer', 'disable', 'boss', ...why)).stderr).toContain(
    'is an agent: `agent edit` changes it',
  )
  expect((await run('customer', 'move', 'ann', ...why)).stderr).toBe('Say --agent NAME or --no-agent\n')
  expect(JSON.parse((await run('--json', 'customer', 'move', 'ann', ...why)).stdout)).toMatchObject({
    error: 'validation_error',
  })
  expect((await run('customer', 'move', 'ann', '--agent', 'boss', ...why)).stderr).toBe(
    '--agent is the agent that the customer has\n',
  )
  expect(await json('customer', 'move', 'ann', '--agent', 'next', ...why)).toMatchObject({
    from: 'boss',
    to: 'next',
  })
  expect(await json('customer', 'move', 'ann', '--no-agent', ...why)).toMatchObject({
    from: 'next',
    to: null,
  })
  expect((await run('customer', 'delete', 'ann', ...why)).stdout).toContain('Deleted ann; 0.00 USD')

  await core.operator.people.add(SHELL, { name: 'Olga', role: 'owner' })
  await core.operator.people.add(SHELL, { name: 'Sue', role: 'support' })
  expect((await run('--as', 'Sue', 'customer', 'create', 'ben')).stderr).toBe(
    'The role of this person does not include it\n',
  )
  const { items } = await core.operator.trail.list({ subject: 'ann' })
  expect(items[0]).toMatchObject({ action: 'customer.delete', via: 'shell', details: { reason: why[1] } })
  expect(JSON.stringify(items)).not.toContain(String(link['start']).slice(4))
  await service.audited()
})
