import { InputFile } from 'grammy'
import { isDead } from '../../../core/checks/health.ts'
import type { OrderedInstance } from '../../../core/orders/active-instances.ts'
import { proxyTable } from '../../../core/orders/proxy-table.ts'
import { ORDERS } from '../../actions/orders.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { lines } from '../../texts/html.ts'
import { findOrder } from './handlers.ts'
import { usable } from './order-screen.ts'
import { proxyFile } from './proxy-list.ts'

/** Sends proxies in use as a file: of one order, of a user, or of all; as lines in the format that the chat has chosen, or as a table. */
export function exportProxiesFeature(): Feature {
  const feature = new Feature()
  feature.onMember(ORDERS.file, async (ctx, actor, { id, kind }) => {
    const order = await findOrder(ctx, actor, id)
    const { orderNo, username: owner } = order
    return send(
      ctx,
      kind,
      orderNo,
      usable(order).map((proxy) => ({ ...proxy, orderNo, owner })),
    )
  })
  feature.onMember(ORDERS.fileOfUser, async (ctx, actor, { user, kind }) =>
    send(ctx, kind, 'proxies', await ctx.core.orders.activeInstances(actor, { userId: user ?? actor.id })),
  )
  feature.onMember(ORDERS.fileOfAll, async (ctx, actor, { kind }) =>
    send(ctx, kind, 'proxies', await ctx.core.orders.activeInstances(actor, {})),
  )
  return feature
}

/** @returns nothing: the screen stays, and the file comes below it */
async function send(
  ctx: BotContext,
  kind: 'txt' | 'csv' | undefined,
  name: string,
  proxies: readonly OrderedInstance[],
): Promise<undefined> {
  const { texts } = ctx
  if (proxies.length === 0) {
    await ctx.notify(texts.orders.noneActive, true)
    return undefined
  }
  const dead = proxies.filter(isDead)
  // Dead ones go to the end: a mark in their lines would disturb the programs that read them.
  const ordered = [...proxies.filter((proxy) => !isDead(proxy)), ...dead]
  const [content, ending, caption] =
    kind === 'csv'
      ? ([Buffer.from(await proxyTable(ordered)), 'csv', texts.orders.export.table] as const)
      : ([proxyFile(ordered, ctx.session.proxyFormat), 'txt', texts.orders.export.lines] as const)
  await ctx.replyWithDocument(new InputFile(content, `${name}.${ending}`), {
    caption: lines(
      caption(proxies.length),
      dead.length > 0
        ? texts.orders.export.deadLast(texts.orders.dead(dead.length, proxies.length))
        : undefined,
    ),
    parse_mode: 'HTML',
  })
  return undefined
}
