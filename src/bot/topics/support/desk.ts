import { ServiceError } from '../../../core/errors.ts'
import { DESK } from '../../actions/support.ts'
import { ask, type OperatorQuestion } from '../../dialogue/ask.ts'
import { errorText } from '../../kit/errors.ts'
import { existingPage } from '../../kit/existing-page.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { askedIn, by, isOperatorChat } from '../../session/operator-chat.ts'
import { viewOf } from '../../session/view-of.ts'
import { messageOf } from './handlers.ts'
import { answerScreen, deskScreen, deskTicketScreen } from './screens.ts'

/** The shop answers its customers. */
export function deskFeature(): Feature {
  const feature = new Feature(isOperatorChat)
  feature.command('tickets', (ctx) => showTickets(ctx))
  feature.on(DESK.list, (ctx, { page }) => showTickets(ctx, page))
  feature.on(DESK.view, (ctx, { ticketNo = '' }) => orList(ctx, () => showTicket(ctx, ticketNo)))
  feature.on(DESK.write, (ctx, { ticketNo = '' }) =>
    orList(ctx, () => ask(ctx, answerCustomer, { ticketNo })),
  )
  feature.on(DESK.close, (ctx, { ticketNo = '' }) =>
    orList(ctx, async () => {
      await ctx.core.operator.support.close(by(ctx), ticketNo)
      await showTicket(ctx, ticketNo)
    }),
  )
  return feature
}

/** Runs `show`; a refusal of the core leads back to the list. */
async function orList(ctx: BotContext, show: () => Promise<unknown>): Promise<unknown> {
  try {
    return await show()
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    await ctx.notify(errorText(ctx.texts, error.code), true)
    return showTickets(ctx)
  }
}

async function showTickets(ctx: BotContext, page = 1): Promise<unknown> {
  const { list } = ctx.core.operator.support
  return ctx.show(deskScreen(viewOf(ctx), await existingPage(page, list)))
}

async function showTicket(ctx: BotContext, ticketNo: string): Promise<unknown> {
  return ctx.show(deskTicketScreen(viewOf(ctx), await ctx.core.operator.support.read(ticketNo)))
}

/** The question for the answer to a customer. */
export const answerCustomer: OperatorQuestion<{ readonly ticketNo: string }> = {
  name: 'support.answer',
  forOperator: true,
  takesMedia: true,
  prompt: async (ctx, _actor, { ticketNo }) =>
    askedIn(ctx, answerScreen(viewOf(ctx), await ctx.core.operator.support.read(ticketNo))),
  answer: async (ctx, _actor, { ticketNo }, text, sent) => {
    const { support } = ctx.core.operator
    const written = await support.write(by(ctx), { ...messageOf(ctx, text, sent), ticketNo })
    return { screen: deskTicketScreen(viewOf(ctx), await support.read(written)) }
  },
}
