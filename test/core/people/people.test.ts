import { expect, test } from 'vitest'
import type { Operator } from '../../../src/core/people/operator.ts'
import { SHELL } from '../../../src/core/people/operator.ts'
import {
  ACTIONS,
  type OperatorAction,
  type Permission,
  SHOP_ROLES,
  type ShopRole,
} from '../../../src/core/people/permissions.ts'
import { beside } from '../../support/beside.ts'
import { openService, refused } from '../../support/service.ts'

/** Who may do what; a new permission fails to compile until it is here. */
const MAY: Readonly<Record<Permission, readonly ShopRole[]>> = {
  catalogue: ['owner', 'manager'],
  stock: ['owner', 'manager'],
  suppliers: ['owner', 'manager'],
  exits: ['owner', 'manager'],
  agents: ['owner', 'manager'],
  broadcasts: ['owner', 'manager'],
  customers: ['owner', 'manager'],
  help: ['owner', 'manager', 'support'],
  machine: ['owner', 'manager'],
  payments: ['owner', 'finance'],
  money: ['owner', 'finance'],
  profit: ['owner', 'finance'],
  people: ['owner'],
}

type AnyAction = ((by: Operator, ...args: unknown[]) => Promise<unknown>) & { action: OperatorAction | null }

/** Every function of the operator's part, by the way to it. */
function functionsOf(part: object, path = ''): (readonly [string, AnyAction])[] {
  return Object.entries(part).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'function'
      ? [[`${path}${name}`, value as AnyAction] as const]
      : Array.isArray(value)
        ? []
        : functionsOf(value as object, `${path}${name}.`),
  )
}

test('every action is refused to the roles that do not include it, before it looks at its input', async () => {
  const { core } = await openService()
  const kept = functionsOf(core.operator).filter(([, { action }]) => action !== null)
  // Whoever opens a link is no person yet.
  const all = [...kept.map(([, { action }]) => action), 'person.join']
  expect(new Set(all)).toEqual(new Set(Object.keys(ACTIONS)))
  for (const [path, act] of kept)
    for (const role of SHOP_ROLES) {
      const by: Operator = { person: { id: 1, name: 'x', role }, via: 'chat' }
      const refusal: unknown = await act(by, {}, {}).then(
        () => undefined,
        (error: unknown) => (error as { code?: string }).code,
      )
      const permission = ACTIONS[act.action ?? 'person.add']
      const mayNot = permission !== null && !MAY[permission].includes(role)
      expect([path, role, refusal === 'not_permitted']).toEqual([path, role, mayNot])
    }
  await refused(
    core.operator.profit({ person: { id: 1, name: 'x', role: 'support' }, via: 'chat' }),
    'not_permitted',
  )
  expect((await core.operator.trail.list()).items).toEqual([])
})

test('what is worth money takes the permission for money, too', async () => {
  const { core } = await openService()
  const manager: Operator = { person: { id: 1, name: 'x', role: 'manager' }, via: 'chat' }
  const agent = { username: 'rich', password: 'secret-password' }
  await refused(core.operator.createAgent(manager, { ...agent, balance: 1 }), 'not_permitted')
  await refused(core.operator.createAgent(manager, { ...agent, funding: 'mint' }), 'not_permitted')
  await refused(core.operator.editAgent(manager, 'rich', { funding: 'mint' }), 'not_permitted')
  const decision = { replacementNo: 'X', allow: true, refund: true }
  await refused(core.operator.replacements.decide(manager, decision), 'not_permitted')
})

test('an action leaves one row, which names who did it from where, and holds no secret; a refused one leaves none', async () => {
  const { core, db, clock } = await openService()
  const { people, trail } = core.operator
  await refused(people.add(SHELL, { name: 'Sue', role: 'support', telegramId: 5 }), 'validation_error')
  const { id } = await people.add(SHELL, { name: 'Olga', role: 'owner', telegramId: 7 })
  await refused(people.add(SHELL, { name: 'olga', role: 'owner' }), 'validation_error')
  await refused(people.add(SHELL, { name: 'Max', role: 'owner', telegramId: 7 }), 'validation_error')
  const olga = (await core.people.operatorIn({ chatId: 7, telegramId: 7 })) ?? SHELL
  const agent = { username: 'seller', password: 'hush-hush-hush' }
  await core.operator.createAgent(olga, { ...agent, level: 2 })
  await refused(core.operator.createAgent(olga, agent), 'username_taken')
  const { transactionNo } = await core.operator.adjustBalance(olga, {
    username: 'seller',
    amount: 5,
    remark: 'a gift',
  })
  await people.edit(olga, 'Olga', { name: 'Olga K' })
  const { items, more } = await trail.list()
  const at = clock.now().toISOString()
  const byOlga = { at, via: 'chat', chatId: 7, telegramId: 7, username: null }
  expect(more).toBe(false)
  expect(items.toReversed()).toMatchObject([
    { person: null, via: 'shell', chatId: null, action: 'person.add', subject: 'Olga' },
    { ...byOlga, person: 'Olga', action: 'agent.create', subject: 'seller' },
    {
      ...byOlga,
      person: 'Olga',
      action: 'balance.adjust',
      subject: 'seller',
      details: { amount: 5, remark: 'a gift', transactionNo },
    },
    { ...byOlga, person: 'Olga', action: 'person.edit', details: { name: 'Olga K' } },
  ])
  expect(items[2]?.details).toEqual({ password: '…', level: 2 })
  const rows = await db.read.trailEntry.findMany()
  expect(rows.map(({ details }) => details).join()).not.toContain('hush-hush')
  expect(rows.map(({ personId }) => personId)).toEqual([null, id, id, id])
})

test('the trail is searched by person, action, subject and day, in pages and as a file', async () => {
  const { core, clock } = await openService()
  const { people, trail } = core.operator
  await people.add(SHELL, { name: 'Olga', role: 'owner', telegramId: 7 })
  const olga: Operator = await core.people.operatorNamed('OLGA')
  await core.operator.createAgent(olga, { username: 'seller', password: 'hush-hush-hush' })
  clock.advance(24 * 60 * 60_000)
  await core.operator.addProduct(olga, { productNo: 'us', names: { en: 'US', zh: '美国' }, price: 1 })
  await core.operator.setPrice(SHELL, { productNo: 'us', price: 2, username: 'seller' })
  const found = async (filter: Parameters<typeof trail.list>[0]) =>
    (await trail.list(filter)).items.map(({ action }) => action)
  expect(await found({ person: 'olga' })).toEqual(['product.add', 'agent.create'])
  expect(await found({ action: 'price' })).toEqual(['price.set'])
  expect(await found({ subject: 'SELLER' })).toEqual(['price.set', 'agent.create'])
  expect(await found({ endDate: clock.now().toISOString().slice(0, 10) })).toHaveLength(4)
  expect(await found({ startDate: clock.now().toISOString().slice(0, 10) })).toHaveLength(2)
  await refused(trail.list({ action: 'dance' }), 'validation_error')
  const first = await trail.list({ limit: 3 })
  expect(first.more).toBe(true)
  expect(await found({ limit: 3, before: first.items[2]?.id ?? 0 })).toEqual(['person.add'])
  const whole = await trail.whole({ person: 'Olga' })
  expect(whole.map(({ action, subject }) => [action, subject])).toEqual([
    ['product.add', 'us'],
    ['agent.create', 'seller'],
  ])
})

test('who was removed may do nothing any more and stays in the trail; an owner always stays', async () => {
  const { core } = await openService({ operatorChats: [7, -100] })
  const { people } = core.operator
  const olga = { chatId: 7, telegramId: 7 }
  const inGroup = { chatId: -100, telegramId: 9 }
  expect(await core.people.operatorIn(olga)).toMatchObject({ person: null })
  expect(await core.people.operatorIn(inGroup)).toMatchObject({ person: null })
  await people.add(SHELL, { name: 'Olga', role: 'owner', telegramId: 9 })
  // The chat may still hear, but whoever is in it is nobody.
  expect(await core.people.operatorIn(olga)).toBeUndefined()
  expect(await core.people.operatorIn(inGroup)).toMatchObject({ person: { name: 'Olga' }, chat: -100 })
  expect(await core.people.operatorIn({ chatId: -200, telegramId: 9 })).toBeUndefined()
  await people.add(SHELL, { name: 'Fred', role: 'finance', telegramId: 10 })
  await refused(people.remove(SHELL, 'Olga'), 'validation_error')
  await refused(people.edit(SHELL, 'Olga', { role: 'manager' }), 'validation_error')
  await people.remove(SHELL, 'Fred')
  expect(await core.people.operatorIn({ chatId: 10, telegramId: 10 })).toBeUndefined()
  await people.add(SHELL, { name: 'Fred', role: 'owner', telegramId: 10 })
  await people.remove(SHELL, 'Olga')
  await refused(people.remove(SHELL, 'Olga'), 'validation_error')
  expect((await people.list()).map(({ name }) => name)).toEqual(['Fred'])
})

test('the trail is never changed', async () => {
  const service = await openService()
  await service.core.operator.people.add(SHELL, { name: 'Olga', role: 'owner' })
  const { run } = await beside(service)
  for (const change of ["UPDATE trail SET action = ''", 'DELETE FROM trail'])
    await expect(run(change)).rejects.toThrow('the trail is never')
})
