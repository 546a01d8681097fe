import type { Actor } from '../../core/access/actor.ts'
import { ServiceError } from '../../core/errors.ts'
import { refusalText } from '../kit/errors.ts'
import type { Screen } from '../kit/screen.ts'
import type { BotContext } from './context.ts'
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
