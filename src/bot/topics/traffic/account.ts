import type { Actor } from '../../../core/access/actor.ts'
import type { SubUser } from '../../../core/accounts/sub-user.ts'
import { ServiceError } from '../../../core/errors.ts'
import type { ProductFlow } from '../../../core/traffic/remaining-traffic.ts'
import type { ACCOUNT } from '../../actions/traffic.ts'
import type { Given, Read } from '../../kit/action.ts'
import { translationIn } from '../../../core/translations.ts'
import type { View } from '../../kit/view.ts'
import type { BotContext } from '../../session/context.ts'
import { type Html, lines } from '../../texts/html.ts'

/** Traffic of a product: the person's own, or that of a sub-user. */
export interface TrafficAccount {
  readonly flow: ProductFlow
  /** The sub-user that has the traffic; undefined for the person's own. */
  readonly owner: SubUser | undefined
}

/**
 * The traffic account that a button is about.
 *
 * @throws product_not_found when there is none; agent_required, sub_user_not_found, not_direct_sub_user
 */
export async function accountOf(
  { core }: BotContext,
  actor: Actor,
  { product, user }: Read<typeof ACCOUNT>,
): Promise<TrafficAccount> {
  const owner = user === undefined ? undefined : await core.accounts.getSubUser(actor, user)
  const { items } = await core.traffic.productsFlow(actor, user ?? actor.id)
  const flow = items.find(({ productId }) => productId === product)
  if (!flow) throw new ServiceError('product_not_found')
  return { flow, owner }
}

/** The account as buttons carry it. */
export function inButton({ flow, owner }: TrafficAccount): Given<typeof ACCOUNT> {
  return { product: flow.productId, user: owner?.id }
}

/** The account as the core takes it. */
export function inCore({ flow, owner }: TrafficAccount) {
  return { productNo: flow.productNo, userId: owner?.id }
}

/** Returns the lines that name the sub-user, if any, and the product. */
export function accountLines({ texts, language }: View, { flow, owner }: TrafficAccount): Html {
  return lines(
    owner && texts.orders.user(owner.username),
    texts.buy.chosen.product(translationIn(flow.productNames, language)),
  )
}
