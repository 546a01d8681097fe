import type { CallbackQueryContext, Composer } from 'grammy'
import { unpack } from '../callback-data.ts'
import type { BotContext } from '../context.ts'

/** A pressed button in a private chat. */
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
  feature
    .on('callback_query:data')
    .filter((ctx) => unpack(ctx.callbackQuery.data)[0] === action)
    .use(async (ctx) => {
      const [, ...parameters] = unpack(ctx.callbackQuery.data)
      await handle(ctx as unknown as ButtonContext, ...parameters)
    })
}
