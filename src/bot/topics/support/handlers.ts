import type { Actor } from '../../../core/access/actor.ts'
import { SUPPORT } from '../../actions/support.ts'
import { ask, type Question } from '../../dialogue/ask.ts'
import type { Screen } from '../../kit/screen.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { listAsLeft } from '../../session/list-as-left.ts'
import { showToMember } from '../../session/show-to-member.ts'
import { viewOf } from '../../session/view-of.ts'
import { otherSupportScreen, ticketScreen, ticketsScreen, WRITE, writeScreen } from './screens.ts'
import type { SentFile, TicketTopic } from '../../../core/facts/support-message.ts'

/** Customers write to support; agents answer their sub-users. */
export function supportFeature(): Feature {
  const feature = new Feature()
  feature.command('support', (ctx) => showToMember(ctx, (actor) => tickets(ctx, actor)))
  feature.onMember(SUPPORT.list, (ctx, actor, { page }) => tickets(ctx, actor, page))
  feature.onMember(SUPPORT.takes, async (ctx, actor, { on }) => {
    await ctx.core.support.setTakesTickets(actor, on)
    return tickets(ctx, actor)
  })
  feature.onMember(SUPPORT.ask, async (ctx, _actor, { subject, reference }) => {
    if (ctx.support !== 'tickets') return otherSupportScreen(viewOf(ctx))
    await ask(ctx, writeToSupport, subject && reference ? { topic: { subject, reference } } : {})
    return undefined
  })
  feature.onMember(SUPPORT.view, (ctx, actor, { ticketNo = '' }) => ticketFor(ctx, actor, ticketNo), tickets)
  feature.onMember(
    SUPPORT.write,
    async (ctx, _actor, { ticketNo = '' }) => {
      await ask(ctx, writeToSupport, { ticketNo })
      return undefined
    },
    tickets,
  )
  feature.onMember(
    SUPPORT.close,
    async (ctx, actor, { ticketNo = '' }) => {
      await ctx.core.support.close(actor, ticketNo)
      return tickets(ctx, actor)
    },
    tickets,
  )
  feature.onMember(
    SUPPORT.passOn,
    async (ctx, actor, { ticketNo = '' }) => {
      await ctx.core.support.passOn(actor, ticketNo)
      return tickets(ctx, actor)
    },
    tickets,
  )
  return feature
}

const ticketsAsLeft = listAsLeft('ticketsPage')

async function tickets(ctx: BotContext, actor: Actor, page?: unknown): Promise<Screen> {
  const { support } = ctx.core
  if (ctx.support !== 'tickets') return otherSupportScreen(viewOf(ctx))
  const list = (number: number) => support.list(actor, number)
  const found = await ticketsAsLeft(ctx, typeof page === 'number' ? page : undefined, list)
  const takes = actor.role === 'agent' ? await support.takesTickets(actor) : undefined
  return ticketsScreen(viewOf(ctx), found, actor.id, takes)
}

/** @throws invalid_state */
export async function ticketFor(ctx: BotContext, actor: Actor, ticketNo: string): Promise<Screen> {
  return ticketScreen(viewOf(ctx), await ctx.core.support.read(actor, ticketNo), actor.id)
}

/** Target of a message: an existing ticket, or a new one with its topic. */
interface Written {
  readonly ticketNo?: string
  readonly topic?: TicketTopic
}

/** The question for a message to support; a message is taken once, however often Telegram delivers it. */
export const writeToSupport: Question<Written> = {
  name: WRITE,
  presses: [],
  takesMedia: true,
  prompt: async (ctx, actor, { ticketNo, topic }) => {
    const ticket = ticketNo === undefined ? undefined : await ctx.core.support.read(actor, ticketNo)
    return writeScreen(viewOf(ctx), ticket, ticket?.topic ?? (await named(ctx, actor, topic)), actor.id)
  },
  answer: async (ctx, actor, { ticketNo, topic }, text, sent) => {
    const { support } = ctx.core
    const message = messageOf(ctx, text, sent)
    const written = await (ticketNo === undefined
      ? support.open(actor, { ...message, topic })
      : support.write(actor, { ...message, ticketNo }))
    return { screen: await ticketFor(ctx, actor, written) }
  },
}

/**
 * Adds to a ticket's topic the name that people know: a proxy's address.
 *
 * @throws instance_not_found
 */
async function named(
  { core }: BotContext,
  actor: Actor,
  topic: TicketTopic | undefined,
): Promise<TicketTopic | undefined> {
  if (topic?.subject !== 'proxy') return topic
  const { ip, port } = await core.orders.getProxy(actor, topic.reference)
  return { ...topic, address: `${ip}:${port}` }
}

/** What was written, with the message in which it came. */
export function messageOf({ chatId, message }: BotContext, text: string, file: SentFile | undefined) {
  return { text, file, source: `${chatId} ${message?.message_id}` }
}
