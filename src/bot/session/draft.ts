import type { z } from 'zod'
import type { Actor } from '../../core/access/actor.ts'
import type { Draft } from '../../core/chats/draft.ts'
import type { Micros } from '../../core/money.ts'
import type { Action } from '../kit/action.ts'
import type { Screen } from '../kit/screen.ts'
import type { BotContext } from './context.ts'

/** How a purchase is resumed when the balance of its payer suffices. */
export interface Resume {
  /** Callback data that leads back to the purchase. */
  readonly resume: string
  /** Account that pays. */
  readonly resumeFor: number
  /** Price of the purchase. */
  readonly resumeNeeds: Micros
}

/** Returns how a purchase is resumed whose payer is short of money; undefined for one that can be paid. */
export function resumeOf(
  quote: { readonly balanceAfter: Micros; readonly totalAmount: Micros },
  to: string,
  payer: number,
): Resume | undefined {
  return quote.balanceAfter < 0 ? { resume: to, resumeFor: payer, resumeNeeds: quote.totalAmount } : undefined
}

/** Forgets the purchases of a kind that wait for money, because one of this kind was bought. */
export function forgetWaiting(
  { core, session }: BotContext,
  actor: Actor,
  { name }: Pick<Action, 'name'>,
): Promise<void> {
  return core.chats.forgetWaiting(actor, session.chatId, name)
}

/** The screen of a purchase, redrawn without a press when the money that it waits for has come. */
export function waitingForMoney(screen: Screen, resume: Resume | undefined): Screen {
  return resume ? { ...screen, follows: { kind: 'balance', accountId: resume.resumeFor } } : screen
}

/**
 * A value in the chat's draft: what was chosen so far and does not fit into buttons.
 *
 * @param name under which it is kept; unique
 */
export function draft<Schema extends z.ZodType>(name: string, schema: Schema) {
  /** Undefined when there is none, or only one that another version of the bot wrote. */
  const within = (values: Draft): z.output<Schema> | undefined => schema.safeParse(values[name]).data
  return {
    within,
    async read({ core, session }: BotContext): Promise<z.output<Schema> | undefined> {
      return within(await core.chats.readDraft(session.chatId))
    },
    /** @param resume how the purchase is resumed; without it, a purchase that waits already stays */
    write({ core, session }: BotContext, value: z.output<Schema>, resume?: Resume): Promise<void> {
      return core.chats.changeDraft(session.chatId, { [name]: value, ...resume })
    },
  }
}
