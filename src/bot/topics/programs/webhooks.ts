import type { Actor } from '../../../core/access/actor.ts'
import { switched } from '../../../core/webhooks/events.ts'
import type { Webhook } from '../../../core/webhooks/webhook.ts'
import { WEBHOOKS } from '../../actions/programs.ts'
import { ask } from '../../dialogue/ask.ts'
import { existingPage } from '../../kit/existing-page.ts'
import type { Screen } from '../../kit/screen.ts'
import type { View } from '../../kit/view.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { viewOf } from '../../session/view-of.ts'
import { newWebhook, webhookAddress } from './new-webhook.ts'
import {
  DELIVERIES_PER_PAGE,
  deleteScreen,
  deliveriesScreen,
  newSecretScreen,
  secretScreen,
  webhookEventsScreen,
  webhookScreen,
  webhooksScreen,
} from './webhook-screens.ts'

/** The webhooks of an account (rules 19.1). */
export function webhooksFeature(): Feature {
  const feature = new Feature()
  const onWebhook = (action: typeof WEBHOOKS.webhook, screen: (view: View, webhook: Webhook) => Screen) =>
    feature.onMember(
      action,
      async (ctx, actor, { id }) => screen(viewOf(ctx), await ctx.core.webhooks.get(actor, id)),
      list,
    )
  feature.onMember(WEBHOOKS.list, list)
  feature.onMember(WEBHOOKS.create, async (ctx) => {
    await ask(ctx, webhookAddress, newWebhook())
    return undefined
  })
  onWebhook(WEBHOOKS.webhook, webhookScreen)
  onWebhook(WEBHOOKS.events, webhookEventsScreen)
  onWebhook(WEBHOOKS.askSecret, newSecretScreen)
  onWebhook(WEBHOOKS.askDelete, deleteScreen)
  feature.onMember(
    WEBHOOKS.turn,
    async (ctx, actor, { id, on }) =>
      webhookScreen(viewOf(ctx), await ctx.core.webhooks.change(actor, id, { enabled: on })),
    list,
  )
  feature.onMember(
    WEBHOOKS.hear,
    async (ctx, actor, { id, event, on }) => {
      const webhook = await ctx.core.webhooks.get(actor, id)
      if (!event) return webhookEventsScreen(viewOf(ctx), webhook)
      const events = switched(event, on, webhook.events)
      if (events.length === 0)
        return webhookEventsScreen(viewOf(ctx), webhook, ctx.texts.input.rules.no_event_chosen)
      return webhookEventsScreen(viewOf(ctx), await ctx.core.webhooks.change(actor, id, { events }))
    },
    list,
  )
  feature.onMember(
    WEBHOOKS.test,
    async (ctx, actor, { id }) => {
      await ctx.core.webhooks.test(actor, id)
      return log(ctx, actor, id)
    },
    list,
  )
  feature.onMember(WEBHOOKS.log, (ctx, actor, { id, page }) => log(ctx, actor, id, page), list)
  feature.onMember(
    WEBHOOKS.secret,
    async (ctx, actor, { id }) => {
      const changed = await ctx.core.webhooks.rotateSecret(actor, id)
      return secretScreen(viewOf(ctx), changed, ctx.texts.programs.webhooks.newSecret(changed.secret))
    },
    list,
  )
  feature.onMember(
    WEBHOOKS.delete,
    async (ctx, actor, { id }) => {
      await ctx.core.webhooks.delete(actor, id)
      return list(ctx, actor)
    },
    list,
  )
  return feature
}

async function list(ctx: BotContext, actor: Actor): Promise<Screen> {
  return webhooksScreen(viewOf(ctx), await ctx.core.webhooks.list(actor))
}

async function log(ctx: BotContext, actor: Actor, id: number | undefined, wanted = 1): Promise<Screen> {
  const webhook = await ctx.core.webhooks.get(actor, id)
  const deliveries = await existingPage(wanted, (page) =>
    ctx.core.webhooks.deliveries(actor, id, { page, pageSize: DELIVERIES_PER_PAGE }),
  )
  return deliveriesScreen(viewOf(ctx), webhook, deliveries)
}
