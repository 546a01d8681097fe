import type { ChangeName } from '../../actions/customers.ts'
import type { Prompt } from '../../dialogue/prompt.ts'
import type { Screen } from '../../kit/screen.ts'
import type { BotContext } from '../../session/context.ts'
import type { Html } from '../../texts/html.ts'

/** A change that somebody is about to make. */
export interface Asked {
  readonly change: ChangeName
  /** The id of a customer, or the number of an order or a proxy. */
  readonly subject: string
  /** What was asked for before the reason: an amount, a username, credentials. */
  readonly value?: string
}

/** The same, with the reason. */
export interface Decided extends Asked {
  readonly reason: string
  /** What is pressed twice is done once. */
  readonly key: string
}

/** What a change asks, shows and does. What is no longer possible is refused by the core wherever it turns out. */
export interface Change {
  /** Where Cancel leads. */
  readonly back: (subject: string) => string
  /** The customer reads the reason. */
  readonly told?: true
  /** What has to be known before the reason; undefined for nothing. */
  readonly ask?: (ctx: BotContext, asked: Asked) => Promise<Prompt | undefined>
  /** Reads what was typed or pressed there. */
  readonly take?: (
    ctx: BotContext,
    asked: Asked,
    typed: string,
  ) => Promise<{ value: string } | { problem: string }>
  /** A part of it, when a reason begins with an amount. */
  readonly part?: (
    ctx: BotContext,
    asked: Asked,
    amount: string,
  ) => Promise<{ value: string } | { problem: string }>
  readonly preview: (ctx: BotContext, asked: Asked) => Promise<Html>
  /** The label of a second way to do it. */
  readonly otherWay?: (ctx: BotContext, asked: Asked) => Promise<string | undefined>
  /** @returns the screen that shows what has come of it */
  readonly carryOut: (ctx: BotContext, decided: Decided, otherWay: boolean) => Promise<Screen>
}
