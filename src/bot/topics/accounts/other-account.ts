import type { Middleware } from 'grammy'
import { z } from 'zod'
import { ServiceError } from '../../../core/errors.ts'
import { ACCOUNTS } from '../../actions/accounts.ts'
import { action, actionOf } from '../../kit/action.ts'
import { HOME } from '../../kit/buttons.ts'
import { errorText } from '../../kit/errors.ts'
import { unmarked } from '../../kit/mark.ts'
import { wholeNumber } from '../../kit/parameters.ts'
import type { BotContext } from '../../session/context.ts'
import { draft } from '../../session/draft.ts'

/** Switches to the account of a pressed button and carries out the press; handled by {@link otherAccount}, not by a feature. */
export const GO_ON = action('acg', { account: wholeNumber })

/** Callback data of the pressed button of another account, kept until the person agrees to switch. */
const pressed = draft('pressedOfOther', z.string())

/**
 * Strips the account mark from the data of pressed buttons. A press of a button that was made for another account than the acting
 * one is replaced by the question whether to switch; a press that agrees is replaced by the original one (rules 2.25).
 *
 * @param ofAccount tells by the name of an action whether its buttons act for the account for which they were made
 */
export function otherAccount(ofAccount: (action: string) => boolean): Middleware<BotContext> {
  return async (ctx, next) => {
    const press = ctx.callbackQuery
    if (press?.data === undefined) return next()
    const { data, account } = unmarked(press.data)
    press.data = data
    const goOn = GO_ON.read(data)
    if (goOn) {
      const what = (await pressed.read(ctx)) ?? HOME.data()
      await switchTo(ctx, goOn.account ?? 0)
      press.data = what
    } else if (account !== undefined && ofAccount(actionOf(data)) && (await isOther(ctx, account))) {
      await pressed.write(ctx, data)
      press.data = ACCOUNTS.ask.data({ account })
    }
    return next()
  }
}

async function isOther({ core, session }: BotContext, account: number): Promise<boolean> {
  if (session.actor) return account !== session.actor.id
  // Offer a switch only while that account is logged in here; otherwise the handler of the button asks for a log-in.
  return (await core.chats.accounts(session.chatId)).some(({ id }) => id === account)
}

/** @returns the core's refusal in words; undefined when the account acts here now */
export async function switchTo(ctx: BotContext, account: number): Promise<string | undefined> {
  try {
    const actor = await ctx.core.chats.switchAccount(ctx.session.chatId, account)
    ctx.session = { ...ctx.session, actor, ended: undefined }
    return undefined
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return errorText(ctx.texts, error.code)
  }
}
