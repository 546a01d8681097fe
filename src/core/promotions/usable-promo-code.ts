import type { Actor } from '../access/actor.ts'
import { compiled } from '../database/compiled.ts'
import type { Readable } from '../database/database.ts'
import { parsed } from '../database/dialect.ts'
import { ServiceError } from '../errors.ts'
import { coverOf, type UsablePromoCode, withState } from './promo-code.ts'
import { notUsable } from './promo-refusals.ts'
import type { PromoDeps } from './deps.ts'

/**
 * The code that a purchase names, where its buyer may use it (rules 13.9, 13.11): one of the operator, or of the buyer's agent. Wrong
 * codes are counted, so that nobody finds one by trying.
 *
 * @param actor who sends the request
 * @param code in upper case; undefined: none is named
 * @throws promo_code_not_found, also for one of another agent; promo_code_not_usable; rate_limited after too many wrong ones
 */
export async function usablePromoCode(
  { promoThrottle, clock }: PromoDeps,
  db: Readable,
  actor: Actor,
  buyer: Actor,
  code: string | undefined,
): Promise<UsablePromoCode | undefined> {
  if (code === undefined) return undefined
  promoThrottle.refuse(actor.id)
  const [row] = await findCode(db, { code, userId: buyer.id })
  if (row && row.agentId === buyer.id) throw notUsable('sub_users_only')
  if (!row || (row.agentId !== null && row.agentId !== buyer.agentId)) {
    promoThrottle.pass(actor.id)
    throw new ServiceError('promo_code_not_found')
  }
  const { state } = withState(row, clock.now())
  if (state !== 'open') throw notUsable(state === 'used_up' ? 'used_up' : 'ended')
  if (row.maxUsesPerUser !== null && row.usesOfUser >= row.maxUsesPerUser) throw notUsable('used_by_user')
  return { ...row, cover: coverOf(row, row) }
}

const findCode = compiled<{ code: string; userId: number }>()((db, { code, userId }) =>
  db
    .selectFrom('promoCodes as c')
    .leftJoin('accounts as a', 'a.id', 'c.agentId')
    .select(['c.balanceLimit', 'c.balanceUsed', 'a.balance', 'a.frozen'])
    .select(['c.id', 'c.code', 'c.agentId', 'c.percent', 'c.amount', 'c.uses', 'c.maxUses'])
    .select(['c.maxUsesPerUser', 'c.validUntil', 'c.stoppedAt'])
    .select(({ ref, fn, selectFrom }) => [
      parsed<string[]>(ref('c.products')).as('products'),
      selectFrom('promoUses as u')
        .select(fn.countAll<number>().as('number'))
        .whereRef('u.codeId', '=', 'c.id')
        .where('u.userId', '=', userId)
        .where('u.returnedAt', 'is', null)
        .$asScalar()
        .$notNull()
        .as('usesOfUser'),
    ])
    .where('c.code', '=', code),
)
