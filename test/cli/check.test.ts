import { expect, test } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { buyStatic } from '../support/bought.ts'
import { command } from '../support/command-line.ts'
import { operator } from '../support/processes.ts'
import { AGENT, startProduct } from '../support/product.ts'
import { scriptedProber } from '../support/scripted-prober.ts'
import { movableClock, openService } from '../support/service.ts'
import { testProxy } from '../support/test-proxy.ts'

test('the operator has the server test an order or a proxy, and sees no credentials', async () => {
  const refused = new Set<string>()
  const proxy = await testProxy({ accepts: (username) => !refused.has(username) })
  const product = await startProduct({ dial: () => ({ host: '127.0.0.1', port: proxy.port }) })
  const actor = await buyStatic(product, AGENT, [2])
  const { orderNo, appOrderNo, instances } = await product.core.orders.getStatic(actor, { id: 1 })
  const [first, second] = instances
  refused.add(second?.username ?? '')
  const { database } = product
  const run = (...args: string[]) => command(['check', ...args], { database })

  const whole = await operator(['check', orderNo], { database })
  expect(whole).toMatchObject({ status: 0, stderr: '' })
  const [heading, ...lines] = whole.stdout.split('\n')
  expect(heading).toMatch(/^PROXY +ADDRESS +VERDICT +STAGE +REASON +CONNECT +FIRST BYTE +EXIT$/)
  expect(lines[0]).toMatch(
    new RegExp(`^${first?.instanceNo} +${first?.ip}:8000 +alive +done +\\d+ ms +\\d+ ms +127\\.0\\.0\\.1$`),
  )
  expect(lines[1]).toMatch(/ unknown +credentials +credentials_refused +\d+ ms *$/)
  expect(lines.slice(2)).toEqual(['', '1 of 2 work', ''])
  expect(whole.stdout).not.toContain('pass')

  expect(await run(first?.instanceNo ?? '')).toEqual({
    status: 1,
    stdout: '',
    stderr: 'This was done within the last minute: wait a moment\n',
  })
  await product.edit(`UPDATE proxy_checks SET checked_at = '2020-01-01T00:00:00.000Z'`)
  const one = JSON.parse((await run(first?.instanceNo ?? '', '--json')).stdout)
  expect(one).toEqual({
    items: [
      {
        instance_no: first?.instanceNo,
        ip: first?.ip,
        port: 8000,
        verdict: 'alive',
        stage: 'done',
        reason: null,
        connect_ms: expect.any(Number),
        first_byte_ms: expect.any(Number),
        exit_address: '127.0.0.1',
        checked_at: expect.any(String),
      },
    ],
    alive: 1,
    total: 1,
  })
  await product.edit(`UPDATE proxy_checks SET checked_at = '2020-01-01T00:00:00.000Z'`)
  expect((await run(appOrderNo)).stdout).toContain('1 of 2 work')
})

test('a number of nothing, or of nothing that is active, is refused', async () => {
  const { database, agent, product, stock, order, runJobs, core } = await openService()
  const run = (number: string) => command(['check', number], { database })
  expect(await run('S1')).toMatchObject({
    status: 1,
    stderr: 'number is the number of no order and of no proxy\n',
  })
  const buyer = await agent({ balance: 10 })
  await product()
  await stock('static', 1)
  const { orderNo } = await order(buyer)
  await runJobs()
  await core.orders.cancelStatic(buyer, { orderNo })
  expect(await run(orderNo)).toMatchObject({ status: 1, stderr: 'number names no active proxy\n' })
})

test('a replacement that the operator allows is checked by the server first', async () => {
  const prober = scriptedProber()
  // Commands have the time of this machine.
  const clock = movableClock(new Date().toISOString())
  const service = await openService({ clock, checks: { prober: () => prober, regular: true } })
  const { database, agent, product, stock, order, runJobs, core, db, audited } = service
  const buyer = await agent({ balance: 10 })
  await product()
  await core.operator.editProduct(SHELL, 'static', { replacePolicy: 'ask' })
  await stock('static', 2)
  await order(buyer)
  await runJobs()
  const { instanceNo, ip } = await db.read.instance.findFirstOrThrow()
  const { replacementNo } = await core.orders.replaceInstance(buyer, { instanceNo, reason: 'slow' })
  const allow = ['replace', replacementNo, '--allow']
  expect(await command(allow, { database, env: { CHECK_PROXIES: 'on' } })).toEqual({
    status: 0,
    stdout: `${replacementNo}: another proxy is being bought or checked\n`,
    stderr: '',
  })
  prober.probed.length = 0
  clock.advance(60_000)
  await runJobs()
  const after = await db.read.instance.findFirstOrThrow()
  expect(after.ip).not.toBe(ip)
  expect(prober.probed).toEqual([after.ip])
  await audited()
})
