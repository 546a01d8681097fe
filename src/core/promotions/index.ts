import type { Actor } from '../access/actor.ts'
import { binding } from '../binding.ts'
import type { PromoDeps } from './deps.ts'
import { createPromoCode, getPromoCode, listPromoCodes, stopPromoCode } from './manage-promo-codes.ts'
import { effectsOfAgents } from './promo-effects.ts'

/** What agents do with promotion codes. */
export function promotionsPart(deps: PromoDeps) {
  const bind = binding(deps)
  return {
    create: bind(createPromoCode),
    list: bind((seen, actor: Actor, input?: Parameters<typeof listPromoCodes>[2]) =>
      listPromoCodes(seen, actor, input),
    ),
    get: bind((seen, actor: Actor, code: string) => getPromoCode(seen, actor, code)),
    stop: bind((seen, actor: Actor, code: string) => stopPromoCode(seen, actor, code)),
    /** What a code of the agent, made or planned, takes off at the present prices. */
    effects: bind(effectsOfAgents),
  }
}
