import { Context, type Filter, type MiddlewareFn } from 'grammy'
import type { Message } from 'grammy/types'
import { ServiceError } from '../../../core/errors.ts'
import { DESK, SUPPORT } from '../../actions/support.ts'
import { sentFile } from '../../kit/sent-file.ts'
import { refusalText } from '../../kit/errors.ts'
import { when } from '../../session/when.ts'
import type { BotContext } from '../../session/context.ts'
import { by, isOperatorChat } from '../../session/operator-chat.ts'
import { messageOf } from './handlers.ts'

/**
 * A reply to a message of a ticket is written into that ticket, whatever else the chat is doing: the message is known by its button,
 * so it works after any time and any restart.
 */
export function ticketReplies(): MiddlewareFn<BotContext> {
  return when(Context.has.filterQuery('message'), async (ctx: Filter<BotContext, 'message'>, next) => {
    const write = writer(ctx)
    const sent = sentFile(ctx.message, ctx.me.id)
    const text = (ctx.message.text ?? ctx.message.caption ?? '').trim()
    if (!write || text.startsWith('/') || (text === '' && !sent)) return next()
    await ctx.reply(await outcome(ctx, () => write(messageOf(ctx, text, sent))), {
      reply_parameters: { message_id: ctx.message.message_id, allow_sending_without_reply: true },
    })
  })
}

/** Returns what writes into the ticket of the message replied to; undefined when it has no ticket, or none that this person may answer. */
function writer(ctx: BotContext) {
  const { core, session } = ctx
  const { actor } = session
  const data = callbackData(ctx.message?.reply_to_message, ctx.me.id)
  const asShop = isOperatorChat(ctx) ? ticketIn(data, DESK.write) : undefined
  if (asShop !== undefined)
    return (message: ReturnType<typeof messageOf>) =>
      core.operator.support.write(by(ctx), { ...message, ticketNo: asShop })
  const own = ctx.chat?.type === 'private' ? ticketIn(data, SUPPORT.write) : undefined
  if (own === undefined || !actor) return undefined
  return (message: ReturnType<typeof messageOf>) => core.support.write(actor, { ...message, ticketNo: own })
}

/** Returns the callback data of the buttons of a message; none unless the bot sent it. */
function callbackData(message: Message | undefined, me: number): string[] {
  if (message?.from?.id !== me) return []
  const buttons = message.reply_markup?.inline_keyboard.flat() ?? []
  return buttons.flatMap((button) => ('callback_data' in button ? button.callback_data : []))
}

function ticketIn(data: readonly string[], action: typeof DESK.write): string | undefined {
  return data.flatMap((each) => action.read(each)?.ticketNo ?? [])[0]
}

/** Writes the message; returns what the person is told. */
async function outcome({ texts, core }: BotContext, write: () => Promise<unknown>): Promise<string> {
  try {
    await write()
    return texts.support.sent
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return refusalText(texts, error, core.currency)
  }
}
