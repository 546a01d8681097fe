import { shopChats } from '../people/moved-chats.ts'
import { compiled } from '../database/compiled.ts'
import { listHas, listOf } from '../database/dialect.ts'
import type { Queryable } from '../database/queries.ts'
import type { Essentials } from '../jobs/essentials.ts'
import { type Permission, rolesWith, SHOP_ROLES, type ShopRole } from '../people/permissions.ts'
import type { Fact } from '../facts/facts.ts'
import type { OperatorFact, OperatorFactKind } from '../facts/operator-facts.ts'

/** The concern of each kind of fact: the permission with which something can be done about it (rules 14.5). */
const CONCERNS = {
  transfer_unmatched: 'payments',
  transfer_claimed: 'payments',
  account_credited_anyway: 'payments',
  top_up_slots_low: 'payments',
  reconciliation_mismatch: 'payments',
  money_wanted: 'money',
  payout_wanted: 'money',
  support_question: 'help',
  replacement_wanted: 'help',
  stock_low: 'stock',
  stock_resting: 'stock',
  supplier_incident: 'suppliers',
  supplier_in_doubt: 'suppliers',
  supplier_slow: 'suppliers',
  supplier_price_changed: 'suppliers',
  supplier_extra: 'suppliers',
  supplier_short_term: 'suppliers',
  supplier_balance_low: 'suppliers',
  supplier_balance_expires: 'suppliers',
  supplier_balance_short: 'suppliers',
  supplier_differences: 'suppliers',
  gateway_silent: 'exits',
  gateway_back: 'exits',
  pool_without_exit: 'exits',
  pool_with_exit: 'exits',
  chain_stale: 'machine',
  chain_back: 'machine',
  chain_bad_key: 'machine',
  books_wrong: 'machine',
  jobs_failing: 'machine',
  webhooks_late: 'machine',
  webhooks_back: 'machine',
  disk_low: 'machine',
  chat_gone: 'machine',
  chat_back: 'machine',
  message_refused: 'machine',
  agent_bot_stopped: 'machine',
  backup_failed: 'machine',
  backup_works: 'machine',
  backup_old: 'machine',
  version_newer: 'machine',
  daily_summary: 'profit',
  sales: 'profit',
  sales_of_day: 'profit',
  person_joined: 'people',
} as const satisfies Readonly<Record<OperatorFactKind, Permission>>

/** Tells whether a fact is itself one that those who run the shop are told of. */
export function isOperatorFact(fact: Fact): fact is OperatorFact {
  return Object.hasOwn(CONCERNS, fact.kind)
}

/** A concern, which a person may switch off in its own chat. */
export type Concern = (typeof CONCERNS)[OperatorFactKind]
export const ALL_CONCERNS: readonly Concern[] = [...new Set(Object.values(CONCERNS))]

/** Kinds that are told only to chats that have chosen them, with the entry in the muted list that says so (rules 14.10). */
export const CHOSEN = { sales: 'sales:each', sales_of_day: 'sales:daily' } as const
export type Chosen = (typeof CHOSEN)[keyof typeof CHOSEN]

/** Returns the entry in the muted list of a chat that switches a concern off. */
export const muteOf = (concern: Concern) => `shop:${concern}` as const

/**
 * Returns the chats that are told of a kind, each once: those of OPERATOR_CHAT_IDS, and the own chats of persons whose role includes
 * doing something about it, as far as they have not switched it off (rules 14.5). Where none of these can be written to, those that
 * have switched it off are told, too. A kind of {@link CHOSEN} is told to those that have chosen it.
 */
export async function chatsToldOf(
  { operatorChats }: Pick<Essentials, 'operatorChats'>,
  db: Queryable,
  kind: OperatorFactKind,
): Promise<number[]> {
  const chats = await chatsOfOperators({ operatorChats }, db, rolesWith(CONCERNS[kind]))
  const chosen = kind === 'sales' || kind === 'sales_of_day' ? CHOSEN[kind] : undefined
  const known = await findStates(db, { chats, mark: chosen ?? muteOf(CONCERNS[kind]) })
  const which = (state: 'marked' | 'blocked') =>
    new Set(known.filter((chat) => chat[state]).map(({ id }) => id))
  const [marked, blocked] = [which('marked'), which('blocked')]
  if (chosen) return chats.filter((chat) => marked.has(chat))
  const told = chats.filter((chat) => !marked.has(chat))
  return told.length > 0 && told.every((chat) => blocked.has(chat)) ? chats : told
}

/** A chat in which those who run the shop are told of something, and whether it can be written to. */
export interface OperatorsChat {
  readonly chatId: number
  /** Name of the person whose own chat it is; null for one of OPERATOR_CHAT_IDS. */
  readonly person: string | null
  readonly blocked: boolean
}

/** Lists all chats in which those who run the shop are told of something. */
export async function operatorsChats({
  db: { read },
  operatorChats,
}: Pick<Essentials, 'db' | 'operatorChats'>): Promise<OperatorsChat[]> {
  const persons = await findOwnChats(read, { roles: SHOP_ROLES })
  const chats = await chatsOfOperators({ operatorChats }, read, SHOP_ROLES)
  const states = await findStates(read, { chats, mark: '' })
  return chats.map((chatId) => ({
    chatId,
    person: persons.find(({ telegramId }) => telegramId === chatId)?.name ?? null,
    blocked: states.some(({ id, blocked }) => id === chatId && blocked),
  }))
}

async function chatsOfOperators(
  shop: Pick<Essentials, 'operatorChats'>,
  db: Queryable,
  roles: readonly ShopRole[],
): Promise<number[]> {
  const persons = await findOwnChats(db, { roles })
  return [
    ...new Set([...(await shopChats(shop, db)), ...persons.flatMap(({ telegramId }) => telegramId ?? [])]),
  ]
}

/** Tells whether anybody is told of a kind, or of any, so that callers can skip work. Chats that have switched it off count. */
export async function isAnybodyTold(
  { db, operatorChats }: Pick<Essentials, 'db' | 'operatorChats'>,
  kind?: OperatorFactKind,
): Promise<boolean> {
  const roles = kind === undefined ? SHOP_ROLES : rolesWith(CONCERNS[kind])
  return operatorChats.length > 0 || (await findOwnChats(db.read, { roles })).length > 0
}

const findOwnChats = compiled<{ roles: readonly ShopRole[] }>()((db, { roles }) =>
  db
    .selectFrom('people')
    .select(['telegramId', 'name'])
    .where('role', 'in', listOf(roles))
    .where('telegramId', 'is not', null)
    .where('removedAt', 'is', null)
    .orderBy('id'),
)

const findStates = compiled<{ chats: readonly number[]; mark: string }>()((db, { chats, mark }) =>
  db
    .selectFrom('chats')
    .select(['id', 'blocked'])
    .select(({ and, ref }) => and([listHas(ref('muted'), mark)]).as('marked'))
    .where('id', 'in', listOf(chats)),
)
