import { type CallbackQueryContext, Composer, type MiddlewareFn } from 'grammy'
import type { Actor } from '../../core/access/actor.ts'
import { ServiceError } from '../../core/errors.ts'
import { errorText } from '../kit/errors.ts'
import { type Action, actionOf, type Read, type Shape } from '../kit/action.ts'
import type { Screen } from '../kit/screen.ts'
import type { BotContext } from './context.ts'
import { showToMember } from './show-to-member.ts'

/** A pressed button: in a private chat, or in one of the operator's. */
export type ButtonContext = CallbackQueryContext<BotContext> & { readonly chat: { readonly id: number } }

type Press = (ctx: ButtonContext, data: string) => unknown
type Pressable = Pick<Action, 'name' | 'deedsOf'>

/** Commands and buttons that belong together, and the chats in which they work. */
export class Feature {
  readonly commands = new Composer<BotContext>()
  readonly buttons: (readonly [action: Pressable, press: Press])[] = []
  readonly worksIn: (ctx: BotContext) => boolean
  readonly ofAccount: boolean

  /**
   * @param worksIn chats in which it works; by default private chats
   * @param options.ofAccount whether its buttons act for the account for which they were made (rules 2.25); by default when it
   *   works in private chats
   */
  constructor(
    worksIn: (ctx: BotContext) => boolean = isPrivate,
    { ofAccount = worksIn === isPrivate }: { readonly ofAccount?: boolean } = {},
  ) {
    this.worksIn = worksIn
    this.ofAccount = ofAccount
  }

  command(names: string | string[], handle: Parameters<Composer<BotContext>['command']>[1]): void {
    this.commands.command(names, handle)
  }

  /** Handles the buttons of one action. */
  on<Of extends Shape>(
    action: Action<Of>,
    handle: (ctx: ButtonContext, parameters: Read<Of>) => unknown,
  ): void {
    this.buttons.push([
      action,
      (ctx, data) => {
        const parameters = action.read(data)
        return parameters && handle(ctx, parameters)
      },
    ])
  }

  /** {@link on} for somebody who is logged in: the button leads to the screen that is returned, see {@link showToMember}. */
  onMember<Of extends Shape>(
    action: Action<Of>,
    screen: (ctx: ButtonContext, actor: Actor, parameters: Read<Of>) => Promise<Screen | undefined>,
    otherwise?: (ctx: ButtonContext, actor: Actor, parameters: Read<Of>) => Promise<Screen>,
  ): void {
    this.on(action, (ctx, parameters) =>
      showToMember(
        ctx,
        (actor) => screen(ctx, actor, parameters),
        otherwise && ((actor) => otherwise(ctx, actor, parameters)),
      ),
    )
  }
}

/** Works in private chats and in those of the operator: the bot leaves all others. */
export const anywhere = () => true

export function isPrivate({ chat }: BotContext): boolean {
  return chat?.type === 'private'
}

/**
 * Each pressed button goes to the one feature that handles its action.
 *
 * @throws when two features handle the same
 */
export function presses(features: readonly Feature[]): MiddlewareFn<BotContext> {
  const handlers = new Map<string, Pick<Feature, 'worksIn'> & { readonly press: Press }>()
  for (const { worksIn, buttons } of features)
    for (const [{ name }, press] of buttons) {
      if (handlers.has(name)) throw new Error(`two features handle the buttons of ${name}`)
      handlers.set(name, { worksIn, press })
    }
  return async (ctx, next) => {
    const data = ctx.callbackQuery?.data ?? ''
    const handler = handlers.get(actionOf(data))
    if (!handler?.worksIn(ctx)) return next()
    try {
      if (!ctx.mayPress(data)) throw new ServiceError('not_permitted')
      await handler.press(ctx as unknown as ButtonContext, data)
    } catch (error) {
      // The screen stays: somebody else may press the button.
      if (!(error instanceof ServiceError) || error.code !== 'not_permitted') throw error
      await ctx.notify(errorText(ctx.texts, error.code), true)
    }
  }
}
