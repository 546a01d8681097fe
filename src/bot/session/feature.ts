import { type CallbackQueryContext, Composer, type Middleware } from 'grammy'
import type { Actor } from '../../core/access.ts'
import { unpack } from '../kit/callback-data.ts'
import type { Screen } from '../kit/screen.ts'
import type { BotContext } from './context.ts'
import { showToMember } from './show-to-member.ts'

/** A pressed button: in a private chat, or in one of the operator's. */
export type ButtonContext = CallbackQueryContext<BotContext> & { readonly chat: { readonly id: number } }

type Handle = (ctx: ButtonContext, ...parameters: string[]) => unknown

/** Commands and buttons that belong together, and the chats in which they work. */
export class Feature {
  readonly commands = new Composer<BotContext>()
  readonly buttons: (readonly [action: string, handle: Handle])[] = []
  readonly worksIn: (ctx: BotContext) => boolean

  /** @param worksIn private chats, if nothing else is said */
  constructor(worksIn: (ctx: BotContext) => boolean = isPrivate) {
    this.worksIn = worksIn
  }

  command(names: string | string[], handle: Parameters<Composer<BotContext>['command']>[1]): void {
    this.commands.command(names, handle)
  }

  /**
   * Handles the buttons of one action.
   *
   * @param handle gets the button's parameters, which may be forged: it checks them
   */
  on(action: string, handle: Handle): void {
    this.buttons.push([action, handle])
  }

  /** {@link on} for somebody who is logged in: the button leads to the screen that is returned, see {@link showToMember}. */
  onMember(
    action: string,
    screen: (ctx: ButtonContext, actor: Actor, ...parameters: string[]) => Promise<Screen | undefined>,
    otherwise?: (ctx: ButtonContext, actor: Actor, ...parameters: string[]) => Promise<Screen>,
  ): void {
    this.on(action, (ctx, ...parameters) =>
      showToMember(
        ctx,
        (actor) => screen(ctx, actor, ...parameters),
        otherwise && ((actor) => otherwise(ctx, actor, ...parameters)),
      ),
    )
  }
}

/** Private chats, and those of the operator: the bot leaves all others. */
export const anywhere = () => true

function isPrivate({ chat }: BotContext): boolean {
  return chat?.type === 'private'
}

/**
 * Each pressed button goes to the one feature that handles its action.
 *
 * @throws when two features handle the same
 */
export function presses(features: readonly Feature[]): Middleware<BotContext> {
  const handlers = new Map<string, Pick<Feature, 'worksIn'> & { readonly handle: Handle }>()
  for (const { worksIn, buttons } of features)
    for (const [action, handle] of buttons) {
      if (handlers.has(action)) throw new Error(`two features handle the buttons of ${action}`)
      handlers.set(action, { worksIn, handle })
    }
  return async (ctx, next) => {
    const [action, ...parameters] = unpack(ctx.callbackQuery?.data ?? '')
    const handler = handlers.get(action)
    if (!handler?.worksIn(ctx)) return next()
    await handler.handle(ctx as unknown as ButtonContext, ...parameters)
  }
}
