import { expect, test } from 'vitest'
import { personTokenIn } from '../../src/core/people/person-invites.ts'
import { SHELL } from '../../src/core/people/operator.ts'
import { command } from '../support/command-line.ts'
import { DAY } from '../support/notices.ts'
import { ANN, startProduct } from '../support/product.ts'
import { openService } from '../support/service.ts'

/** A shop, and the operator's commands on it: what they print, or the reason when they are refused. */
async function openShop() {
  const service = await openService()
  const run = async (...args: string[]) => {
    const { status, stdout, stderr } = await command(args, { database: service.database, drivers: {} })
    return (status === 0 ? stdout : stderr || stdout).trimEnd()
  }
  const json = async (...args: string[]) =>
    JSON.parse(await run('--json', ...args)) as Record<string, unknown>
  return { ...service, run, json }
}

test('an owner makes a link for a person, which whoever opens it uses up, and revokes another', async () => {
  const { core, db, run, json } = await openShop()
  const invite = (name: string, role: string) => run('person', 'invite', name, '--role', role)
  expect(await invite('Sue', 'support')).toContain('name the first person as owner')
  const made = await json('person', 'invite', 'Olga', '--role', 'owner')
  expect(made).toEqual({
    id: 1,
    name: 'Olga',
    role: 'owner',
    expires_at: expect.any(String) as string,
    start: expect.stringMatching(/^staff_.{43}$/) as string,
    link: null,
  })
  const days = (Date.parse(String(made['expires_at'])) - Date.now()) / 86_400_000
  expect(days).toBeGreaterThan(2.9)
  expect(days).toBeLessThanOrEqual(3)
  expect(await run('person', 'list')).toContain('Nobody is named')
  expect(await json('person', 'list')).toMatchObject({ items: [], invites: [{ id: 1, name: 'Olga' }] })

  const token = personTokenIn(String(made['start'])) ?? ''
  await core.people.openInvite({ chatId: 700, telegramId: 700 }, token)
  expect(await json('person', 'list')).toMatchObject({
    items: [{ name: 'Olga', role: 'owner', telegram_id: 700 }],
    invites: [],
  })

  expect(await invite('Sue', 'support')).toMatch(
    /^Telegram does not say the name of the bot; send it: \/start staff_\S{43} \(until/,
  )
  expect(await invite('Olga', 'finance')).toMatch(/^NAME /i)
  expect(await run('person', 'list')).toMatch(/LINK\s+FOR\s+ROLE\s+UNTIL\n2\s+Sue\s+support/)
  expect(await run('person', 'revoke-invite', '2')).toBe('The link for Sue is revoked')
  expect(await run('person', 'list')).not.toContain('Sue')
  const gone = 'is no link that can be opened: `person list` shows those that there are'
  for (const id of ['2', '1', '99']) expect(await run('person', 'revoke-invite', id)).toContain(gone)

  await core.operator.people.add(SHELL, { name: 'Fay', role: 'finance' })
  expect(await run('--as', 'Fay', 'person', 'invite', 'Max', '--role', 'owner')).toBe(
    'The role of this person does not include it',
  )
  expect(await db.read.personInvite.count()).toBe(2)
  const { items } = await core.operator.trail.list({})
  expect(items.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['person.invite', 'person.uninvite']),
  )
  expect(JSON.stringify(items)).not.toContain(token)
})

test('links for persons and customers open the bot: the one that has run here, or the one that Telegram names', async () => {
  const [product, shop] = [await startProduct(), await openShop()]
  await product.untilPolling()
  const { telegram, config } = product
  const { apiRoot } = config.telegram as { apiRoot: string }
  const bot = { BOT_TOKEN: telegram.token, TELEGRAM_API_ROOT: apiRoot }
  const run = async (database: string, env: Record<string, string>, ...args: string[]) =>
    (await command(args, { database, drivers: {}, env })).stdout
  const ann = product.phone(ANN)
  ann.send('/start')
  await ann.waitFor(/./)

  const link = await run(product.database, {}, 'customer', 'link', 'customer', '--reason', 'asked')
  const opened = /^https:\/\/t\.me\/shop_bot\?start=(inv_\S{43}) \(until 2/.exec(link)
  ann.send(`/start ${opened?.[1]}`)
  await ann.waitFor('customer')
  const [asked, unknown, away] = [bot, {}, { ...bot, TELEGRAM_API_ROOT: `${apiRoot}/nowhere` }]
  const invite = (env: Record<string, string>, name: string) =>
    run(shop.database, env, '--json', 'person', 'invite', name, '--role', 'owner')
  expect(JSON.parse(await invite(asked, 'Olga'))).toMatchObject({
    link: expect.stringMatching(/^https:\/\/t\.me\/shop_bot\?start=staff_.{43}$/) as string,
  })
  for (const env of [unknown, away])
    expect(JSON.parse(await invite(env, 'Pete'))).toMatchObject({ link: null })
})

test('proxies are ended from the shell without a refund: one of an order, then the rest, with a reason', async () => {
  const service = await openShop()
  const { core, clock, run, json } = service
  const ann = await service.customer(null, { name: 'ann', balance: 50 })
  await service.product('static')
  await service.stock('static', 3)
  // The command line has a clock of its own: that of the machine.
  clock.advance(Date.now() - clock.now().getTime())
  const { orderNo } = await service.order(ann, { ipCount: 3 })
  await service.runJobs()
  const { balance } = await core.accounts.balance(ann)
  const [proxy] = (await core.orders.getStatic(ann, { orderNo })).instances
  const { instanceNo = '' } = proxy ?? {}

  expect(await run('order', 'end', 'unknown', '--reason', 'abuse')).toBe(
    'There is no order of proxies of this number',
  )
  expect(await run('order', 'end', orderNo, '--instances', 'unknown', '--reason', 'abuse')).toBe(
    'This order has no such proxy: `order show` shows those that it has',
  )
  expect(await json('order', 'end', orderNo, '--instances', instanceNo, '--reason', 'abuse')).toEqual({
    order_no: orderNo,
    username: 'ann',
    ended_instances: [instanceNo],
  })
  expect(await run('order', 'end', orderNo, '--reason', 'abuse')).toBe(
    'Ended 2 proxies of ann; nothing was given back',
  )
  const after = await core.orders.getStatic(ann, { orderNo })
  expect(after.instances.map(({ status }) => status)).toEqual(['released', 'released', 'released'])
  expect((await core.accounts.balance(ann)).balance).toBe(balance)
  const { items } = await core.operator.trail.list({ subject: orderNo })
  expect(items).toMatchObject([
    { via: 'shell', details: { reason: 'abuse' } },
    { via: 'shell', details: { reason: 'abuse' } },
  ])
  expect(await run('order', 'end', orderNo, '--reason', 'abuse')).toBe(
    'Ended 0 proxies of ann; nothing was given back',
  )

  clock.advance(-60 * DAY)
  await service.stock('static', 1, { ips: ['198.51.100.99'] })
  const early = await service.order(ann, { ipCount: 1 })
  await service.runJobs()
  const [expired] = (await core.orders.getStatic(ann, { orderNo: early.orderNo })).instances
  for (const named of [['--instances', expired?.instanceNo ?? ''], []])
    expect(await run('order', 'end', early.orderNo, ...named, '--reason', 'abuse')).toBe(
      `The proxy ${expired?.instanceNo} is not in use any more: it is expired`,
    )
  await core.operator.people.add(SHELL, { name: 'Olga', role: 'owner' })
  await core.operator.people.add(SHELL, { name: 'Fay', role: 'finance' })
  expect(await run('--as', 'Fay', 'order', 'end', orderNo, '--reason', 'abuse')).toBe(
    'The role of this person does not include it',
  )
  await service.audited()
})

test('a person is named with any id of a Telegram user', async () => {
  const { run, json } = await openShop()
  const add = (name: string, telegram: string) =>
    run('person', 'add', name, '--role', 'owner', '--telegram', telegram)
  expect(await add('Olga', '5596148289')).toBe('Olga is owner')
  expect(await add('Max', '700')).toBe('Max is owner')
  expect(await run('person', 'edit', 'Max', '--telegram', '4503599627370495')).toBe('Max is owner')
  expect(await json('person', 'list')).toMatchObject({
    items: [{ telegram_id: 5_596_148_289 }, { telegram_id: 4_503_599_627_370_495 }],
  })
  for (const id of ['4503599627370496', '5_596', '1e9', '-1001234567890', '12.5', '@max'])
    await expect(add('Eve', id)).rejects.toThrow('It must be the id of a Telegram user')
})
