import { randomText } from '../../../core/ids.ts'
import type { Question } from '../../dialogue/ask.ts'
import { promptScreen } from '../../kit/simple-screens.ts'
import { viewOf } from '../../session/view-of.ts'
import { WEBHOOKS } from './actions.ts'
import { secretScreen } from './webhook-screens.ts'

/** A webhook that is being made. */
interface WebhookForm {
  /** Of the request that makes it: made once, however often the answer comes. */
  readonly requestKey: string
}

/** Where the question begins. */
export function newWebhook(): WebhookForm {
  return { requestKey: `chat-${randomText(24)}` }
}

/** Where it leads. */
export const webhookAddress: Question<WebhookForm> = {
  name: 'programs.webhook.url',
  prompt: ({ texts }) => promptScreen(texts, texts.programs.webhooks.askUrl, WEBHOOKS.list.data()),
  answer: async (ctx, actor, { requestKey }, url) => {
    const made = await ctx.core.webhooks.create(actor, { url, requestKey })
    return { screen: secretScreen(viewOf(ctx), made, ctx.texts.programs.webhooks.made(made.secret)) }
  },
}
