import { z } from 'zod'
import type { Readable } from '../database/database.ts'
import { parsed } from '../database/dialect.ts'
import { halfWidth } from '../half-width.ts'
import type { Micros } from '../money.ts'
import { noneIfEmpty } from '../none-if-empty.ts'

/** Most characters of a code. */
const LONGEST = 32

/** A promotion code as people type it: upper and lower case, and the width of a Chinese keyboard, do not count (rules 13.8). */
const PromoCodeText = z
  .string()
  .max(64)
  .overwrite((text) => halfWidth(text).trim().toUpperCase())

/** The code of a purchase; an empty one is none. */
export const GivenPromoCode = PromoCodeText.nullish().transform(noneIfEmpty)

/** The code of a new promotion. */
export const NewPromoCodeText = PromoCodeText.regex(
  new RegExp(`^[A-Z0-9][A-Z0-9_-]{2,${LONGEST - 1}}$`),
  'not_a_promo_code',
)

export const PROMO_CODE_STATES = ['open', 'used_up', 'expired', 'stopped'] as const
export type PromoCodeState = (typeof PROMO_CODE_STATES)[number]

/** A code that lowers the price of purchases (rules 13.8). */
export interface PromoCode {
  readonly id: number
  readonly code: string
  readonly state: PromoCodeState
  /** Who made it and pays for it; null: the operator. */
  readonly agentId: number | null
  readonly agent: string | null
  /** One of both is there. */
  readonly percent: number | null
  readonly amount: Micros | null
  /** Numbers of the products for which it holds; empty: all. */
  readonly products: readonly string[]
  readonly uses: number
  /** What its uses have cost whoever made it. */
  readonly given: Micros
  /** What they may cost the balance of its agent in all; null: nothing. */
  readonly balanceLimit: Micros | null
  /** What they have cost it, less what came back. */
  readonly balanceUsed: Micros
  readonly maxUses: number | null
  readonly maxUsesPerUser: number | null
  readonly validUntil: string | null
  readonly stoppedAt: string | null
  readonly createdAt: string
}

/** A code that the buyer may use now. */
export interface UsablePromoCode extends Pick<
  PromoCode,
  'id' | 'code' | 'agentId' | 'percent' | 'amount' | 'products'
> {
  /** What the balance of its agent would pay of a purchase now, where its earning does not suffice (rules 13.16). */
  readonly cover: Micros
}

/** Query of {@link PromoCode}s without their states: `promoCodes` as `c`. */
export function selectPromoCodes({ $kysely }: Readable) {
  return $kysely
    .selectFrom('promoCodes as c')
    .leftJoin('accounts as a', 'a.id', 'c.agentId')
    .select(['c.id', 'c.code', 'c.agentId', 'a.username as agent', 'c.percent', 'c.amount', 'c.uses'])
    .select(['c.balanceLimit', 'c.balanceUsed'])
    .select(['c.maxUses', 'c.maxUsesPerUser', 'c.validUntil', 'c.stoppedAt', 'c.createdAt'])
    .select(({ ref, fn, lit, selectFrom }) => [
      parsed<string[]>(ref('c.products')).as('products'),
      selectFrom('promoUses as u')
        .select((u) => fn.coalesce(fn.sum<number>(u.ref('u.discount')), lit(0)).as('given'))
        .whereRef('u.codeId', '=', 'c.id')
        .where('u.returnedAt', 'is', null)
        .$asScalar()
        .$notNull()
        .as('given'),
    ])
}

/** The funds of the agent of a code. */
interface Funds {
  readonly balance: Micros | null
  /** Whether spending is frozen. */
  readonly frozen: boolean | null
}

/** What the balance of an agent pays of a purchase at most: what is left of the limit of the code, as far as it is there. */
export function coverOf(
  { balanceLimit, balanceUsed }: Pick<PromoCode, 'balanceLimit' | 'balanceUsed'>,
  { balance, frozen }: Funds,
): Micros {
  return balanceLimit === null || frozen ? 0 : Math.max(0, Math.min(balanceLimit - balanceUsed, balance ?? 0))
}

type Limits = Pick<PromoCode, 'uses' | 'maxUses' | 'validUntil' | 'stoppedAt'>

export function withState<Row extends Limits>(row: Row, now: Date): Row & { readonly state: PromoCodeState } {
  return { ...row, state: stateOf(row, now) }
}

function stateOf({ uses, maxUses, validUntil, stoppedAt }: Limits, now: Date): PromoCodeState {
  if (stoppedAt !== null) return 'stopped'
  if (validUntil !== null && validUntil <= now.toISOString()) return 'expired'
  return maxUses !== null && uses >= maxUses ? 'used_up' : 'open'
}
