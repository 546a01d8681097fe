import { compiled } from '../database/compiled.ts'
import { listHas, listOf } from '../database/dialect.ts'
import type { Queryable } from '../database/queries.ts'
import type { Essentials } from '../essentials.ts'
import { type Permission, rolesWith, SHOP_ROLES, type ShopRole } from '../people/permissions.ts'
import type { OperatorNoticeKind } from './kinds.ts'

/** Who is told of what: the permission with which something can be done about it (rules 14.5). */
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
  backup_failed: 'machine',
  backup_works: 'machine',
  backup_old: 'machine',
  daily_summary: 'profit',
  person_joined: 'people',
} as const satisfies Readonly<Record<OperatorNoticeKind, Permission>>

/** What a person may switch off in its own chat. */
export type Concern = (typeof CONCERNS)[OperatorNoticeKind]
export const ALL_CONCERNS: readonly Concern[] = [...new Set(Object.values(CONCERNS))]

/** How a concern that is switched off stands in the muted list of a chat. */
export const muteOf = (concern: Concern) => `shop:${concern}` as const

/**
 * The chats that are told of a kind, each once: those of OPERATOR_CHAT_IDS, and the own chats of persons whose role includes doing
 * something about it, as far as they have not switched it off (rules 14.5).
 */
export async function chatsToldOf(
  { operatorChats }: Pick<Essentials, 'operatorChats'>,
  db: Queryable,
  kind: OperatorNoticeKind,
): Promise<number[]> {
  const roles = rolesWith(CONCERNS[kind])
  const persons = await findOwnChats(db, { roles })
  const chats = [...new Set([...operatorChats, ...persons.flatMap(({ telegramId }) => telegramId ?? [])])]
  const muted = await findMuted(db, { chats, mute: muteOf(CONCERNS[kind]) })
  return chats.filter((chat) => !muted.some(({ id }) => id === chat))
}

/** Whether anybody is told of a kind, or of anything: what nobody would hear need not be found out. Who has switched it off counts. */
export async function isAnybodyTold(
  { db, operatorChats }: Pick<Essentials, 'db' | 'operatorChats'>,
  kind?: OperatorNoticeKind,
): Promise<boolean> {
  const roles = kind === undefined ? SHOP_ROLES : rolesWith(CONCERNS[kind])
  return operatorChats.length > 0 || (await findOwnChats(db.read, { roles })).length > 0
}

const findOwnChats = compiled<{ roles: readonly ShopRole[] }>()((db, { roles }) =>
  db
    .selectFrom('people')
    .select('telegramId')
    .where('role', 'in', listOf(roles))
    .where('telegramId', 'is not', null)
    .where('removedAt', 'is', null)
    .orderBy('id'),
)

const findMuted = compiled<{ chats: readonly number[]; mute: string }>()((db, { chats, mute }) =>
  db
    .selectFrom('chats')
    .select('id')
    .where('id', 'in', listOf(chats))
    .where(({ ref }) => listHas(ref('muted'), mute)),
)
