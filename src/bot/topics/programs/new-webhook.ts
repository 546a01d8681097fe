import type { Actor } from '../../../core/access/actor.ts'
import { randomText } from '../../../core/ids.ts'
import { ALL_EVENTS, coverage, type EventChoice, switched } from '../../../core/webhooks/events.ts'
import { WEBHOOKS } from '../../actions/programs.ts'
import { nextQuestion, type Outcome, type Question } from '../../dialogue/ask.ts'
import { promptScreen } from '../../kit/simple-screens.ts'
import type { BotContext } from '../../session/context.ts'
import { viewOf } from '../../session/view-of.ts'
import { MAKE_WEBHOOK, secretScreen, webhookFormPrompt } from './webhook-screens.ts'

/** A webhook that is being made. */
interface WebhookForm {
  /** Idempotency key: a repeated last answer creates one webhook only. */
  readonly requestKey: string
  readonly url: string
  readonly events: EventChoice[]
}

/** Returns the form as it begins: without a URL, with all events. */
export function newWebhook(): WebhookForm {
  return { requestKey: `chat-${randomText(24)}`, url: '', events: [...ALL_EVENTS] }
}

/** The question for the webhook's URL. */
export const webhookAddress: Question<WebhookForm> = {
  name: 'programs.webhook.url',
  prompt: ({ texts }) => promptScreen(texts, texts.programs.webhooks.askUrl, WEBHOOKS.list.data()),
  answer: takeAddress,
}

/** The question for the webhook's events; another URL can still be typed. */
const webhookEvents: Question<WebhookForm> = {
  name: 'programs.webhook.events',
  prompt: (ctx, _actor, { url, events }) => webhookFormPrompt(viewOf(ctx), url, events),
  answer: takeAddress,
  choose: (ctx, actor, form, choice) => {
    if (choice === MAKE_WEBHOOK) return make(ctx, actor, form)
    const event = ALL_EVENTS.find((each) => each === choice)
    if (!event) return { problem: ctx.texts.useButtons }
    const events = switched(event, coverage(event, form.events) !== 'all', form.events)
    return nextQuestion(webhookEvents, { ...form, events })
  },
}

function takeAddress({ core }: BotContext, _actor: Actor, form: WebhookForm, url: string): Outcome {
  return nextQuestion(webhookEvents, { ...form, url: core.webhooks.address(url) })
}

async function make(ctx: BotContext, actor: Actor, form: WebhookForm): Promise<Outcome> {
  const made = await ctx.core.webhooks.create(actor, form)
  return { screen: secretScreen(viewOf(ctx), made, ctx.texts.programs.webhooks.made(made.secret)) }
}

export const webhookQuestions = [webhookAddress, webhookEvents]
