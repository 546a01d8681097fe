import type { Composer } from 'grammy'
import type { Actor } from '../../core/access.ts'
import { ServiceError } from '../../core/errors.ts'
import type { BotContext } from './context.ts'
import { refusalText } from '../kit/errors.ts'
import type { Screen } from '../kit/screen.ts'
import { type ButtonContext, onAction } from './on-action.ts'
import { showLogInFirst } from './show-home.ts'

/**
 * Shows a screen of somebody who is logged in; others get the way to log in. When the core refuses, a box over
 * the pressed button says why.
 *
 * @param screen undefined when what is on the phone shall stay
 * @param otherwise what is shown after a refusal, with the reason where there is no button; if that is refused too, the main
 *   menu
 */
export async function showToMember(
  ctx: BotContext,
  screen: (actor: Actor) => Promise<Screen | undefined>,
  otherwise: (actor: Actor, reason?: string) => Promise<Screen> = (_actor, reason) => ctx.homeScreen(reason),
): Promise<unknown> {
  const { actor } = ctx.session
  if (!actor) return showLogInFirst(ctx)
  const shown = await screen(actor)
    .catch(async (error: unknown) => {
      if (!(error instanceof ServiceError)) throw error
      const reason = refusalText(ctx.texts, error, ctx.core.currency)
      await ctx.notify(reason, true)
      return otherwise(actor, ctx.callbackQuery ? undefined : reason)
    })
    .catch((error: unknown) => {
      if (!(error instanceof ServiceError)) throw error
      return ctx.homeScreen()
    })
  return shown && ctx.show(shown)
}

/** {@link onAction} for somebody who is logged in: the button leads to the screen that is returned. */
export function onMemberAction(
  feature: Composer<BotContext>,
  action: string,
  screen: (ctx: ButtonContext, actor: Actor, ...parameters: string[]) => Promise<Screen | undefined>,
  otherwise?: (ctx: ButtonContext, actor: Actor, ...parameters: string[]) => Promise<Screen>,
): void {
  onAction(feature, action, (ctx, ...parameters) =>
    showToMember(
      ctx,
      (actor) => screen(ctx, actor, ...parameters),
      otherwise && ((actor) => otherwise(ctx, actor, ...parameters)),
    ),
  )
}
