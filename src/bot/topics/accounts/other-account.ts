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

/** Switches to the account of a pressed button, and does what that does: no feature handles it, see {@link otherAccount}. */
export const GO_ON = action('acg', { account: wholeNumber })

/** What the button of another account does: callback data. */
const pressed = draft('pressedOfOther', z.string())

/**
 * Takes the marks off the data of pressed buttons. A button that was made for another account than the one that acts here does
 * nothing for this one: it becomes the question whether to switch, and the answer to that becomes what the button does (rules 2.25).
 *
 * @param ofAccount whether a button acts for an account, by the name of its action
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
  // The log-in may have ended for which it was made; that is said wherever one is needed.
  return (await core.chats.accounts(session.chatId)).some(({ id }) => id === account)
}

/** @returns why the account does not act here now */
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
