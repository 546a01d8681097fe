import type { Actor } from '../../../core/access/actor.ts'
import { randomText } from '../../../core/ids.ts'
import { LINKS } from '../../actions/orders.ts'
import type { Screen } from '../../kit/screen.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { viewOf } from '../../session/view-of.ts'
import { findOrder } from './handlers.ts'
import {
  type LinkedProxies,
  linkScreen,
  madeLinkScreen,
  newLinkScreen,
  proxyLinksScreen,
} from './link-screens.ts'

/** In characters of base 32: enough that the link made from a secret cannot be guessed. */
const SECRET_LENGTH = 20

/** Makes, lists and revokes public links to proxies in use, of an order or of a user (rules 17.6). */
export function proxyLinksFeature(): Feature {
  const feature = new Feature()
  feature.onMember(LINKS.begin, async (ctx, actor, { user, order }) =>
    begin(ctx, await linkedProxies(ctx, actor, user, order)),
  )
  feature.onMember(LINKS.make, async (ctx, actor, { user, order, content = 'txt', secret }) => {
    const linked = await linkedProxies(ctx, actor, user, order)
    if (secret?.length !== SECRET_LENGTH) return begin(ctx, linked)
    if (ctx.linkBases === undefined) {
      await ctx.notify(ctx.texts.extraction.link.unreachable, true)
      return undefined
    }
    const { userId, order: { orderNo } = {} } = linked
    const wanted = { userId, orderNo, content, format: ctx.session.proxyFormat }
    const { token } = await ctx.core.orders.createLink(actor, wanted, { secret })
    return madeLinkScreen(viewOf(ctx), linked, ctx.linkBases.proxies + token)
  })
  feature.onMember(LINKS.list, (ctx, actor, { user, page }) => links(ctx, actor, user, page))
  feature.onMember(LINKS.askRevoke, async (ctx, actor, { id, user, page }) => {
    const link = (await ctx.core.orders.listLinks(actor, user)).find((each) => each.id === id)
    if (link) {
      const url = ctx.linkBases && link.token && ctx.linkBases.proxies + link.token
      return linkScreen(viewOf(ctx), link, url, page)
    }
    await ctx.notify(ctx.texts.extraction.link.gone)
    return links(ctx, actor, user, page)
  })
  feature.onMember(LINKS.revoke, async (ctx, actor, { id, user, page }) => {
    const known = (await ctx.core.orders.listLinks(actor, user)).some((each) => each.id === id)
    if (known) await ctx.core.orders.revokeLink(actor, id)
    await ctx.notify(known ? ctx.texts.extraction.link.ended : ctx.texts.extraction.link.gone)
    return links(ctx, actor, user, page)
  })
  return feature
}

function begin(ctx: BotContext, linked: LinkedProxies): Screen {
  return newLinkScreen(viewOf(ctx), linked, randomText(SECRET_LENGTH))
}

/**
 * Finds the proxies that the parameters of a button name, which may be forged.
 *
 * @throws order_not_found, sub_user_not_found, not_direct_sub_user, agent_required
 */
async function linkedProxies(
  ctx: BotContext,
  actor: Actor,
  user = actor.id,
  orderId?: number,
): Promise<LinkedProxies> {
  const order = orderId === undefined ? undefined : await findOrder(ctx, actor, orderId)
  const userId = order?.userId ?? user
  const sub = userId === actor.id ? undefined : await ctx.core.accounts.getSubUser(actor, userId)
  return { userId, username: sub?.username, order }
}

async function links(ctx: BotContext, actor: Actor, user: number | undefined, page: number): Promise<Screen> {
  const linked = await linkedProxies(ctx, actor, user)
  const found = await ctx.core.orders.listLinks(actor, linked.userId)
  return proxyLinksScreen(viewOf(ctx), found, linked, page)
}
