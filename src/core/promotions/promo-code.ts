import { z } from 'zod'
import type { Readable } from '../database/database.ts'
import { parsed } from '../database/dialect.ts'
import { halfWidth } from '../half-width.ts'
import type { Micros } from '../money.ts'
import { noneIfEmpty } from '../none-if-empty.ts'
import { type Held, Money, Time } from '../record.ts'

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

/** What is shown of a promotion code. */
export const PROMO_CODE = {
  code: z.string().meta({ description: 'Upper and lower case do not count where it is typed' }),
  state: z.enum(PROMO_CODE_STATES).meta({ description: 'It lowers prices while it is `open`' }),
  agent: z.string().nullable().meta({ description: 'Who made it and pays for it; null: the operator' }),
  percent: z.int().nullable().meta({ description: 'Of the price; null for a code with an amount' }),
  amount: Money.nullable().meta({ description: 'Off each purchase; null for a code with a percentage' }),
  products: z.array(z.string()).meta({ description: 'Numbers of products; empty: all' }),
  uses: z.int().meta({ description: 'Purchases with it; those that failed do not count' }),
  given: Money.meta({ description: 'What its uses have cost whoever made it' }),
  balanceLimit: Money.nullable().meta({
    description: 'What its uses may cost the balance of the agent in all; null: nothing',
  }),
  balanceUsed: Money.meta({
    description: 'What they have cost the balance of the agent, less what refunds gave back to it',
  }),
  maxUses: z.int().nullable().meta({ description: 'Most purchases with it; null: no limit' }),
  maxUsesPerUser: z.int().nullable().meta({ description: 'Most of one user; null: no limit' }),
  validUntil: Time.nullable().meta({ description: 'When it expires; null: never' }),
  stoppedAt: Time.nullable().meta({ description: 'When it was stopped; null: it was not' }),
  createdAt: Time,
}

/** A code that lowers the price of purchases (rules 13.8). */
export interface PromoCode extends Held<typeof PROMO_CODE> {
  readonly id: number
  /** Id of {@link agent}. */
  readonly agentId: number | null
}

export const PROMO_CODE_EXAMPLE: PromoCode = {
  id: 1,
  code: 'SPRING-10',
  state: 'open',
  agentId: 1,
  agent: 'agent',
  percent: 10,
  amount: null,
  products: [],
  uses: 12,
  given: 5_400_000,
  balanceLimit: 50_000_000,
  balanceUsed: 1_200_000,
  maxUses: 100,
  maxUsesPerUser: 1,
  validUntil: '2026-12-20T17:57:00.123Z',
  stoppedAt: null,
  createdAt: '2026-11-20T17:57:00.123Z',
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
