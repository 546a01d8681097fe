import type { CallbackQueryContext, Composer } from 'grammy'
import { unpack } from '../kit/callback-data.ts'
import type { BotContext } from './context.ts'

/** A pressed button: in a private chat, or in one of the operator's. */
export type ButtonContext = CallbackQueryContext<BotContext> & { readonly chat: { readonly id: number } }

/**
 * Handles the buttons of one action.
 *
 * @param handle gets the button's parameters, which may be forged: it checks them
 */
export function onAction(
  feature: Composer<BotContext>,
  action: string,
  handle: (ctx: ButtonContext, ...parameters: string[]) => unknown,
): void {
  // Every press asks every action: grammY's filters, one within another, would take longer than what the button does.
  feature.use(async (ctx, next) => {
    const data = ctx.callbackQuery?.data
    if (data !== action && data?.startsWith(`${action}:`) !== true) return next()
    const [, ...parameters] = unpack(data)
    await handle(ctx as unknown as ButtonContext, ...parameters)
  })
}
