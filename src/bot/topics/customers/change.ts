import type { Micros } from '../../../core/money.ts'
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

/** A change with its reason, ready to be confirmed. */
export interface Decided extends Asked {
  readonly reason: string
  /** Idempotency key: a repeated press is carried out once. */
  readonly key: string
}

/** What a change asks, shows and does. At any step the core may refuse what is no longer possible. */
export interface Change {
  /** Where Cancel leads. */
  readonly back: (subject: string) => string
  /** The customer is told the reason. */
  readonly told?: true
  /** The question for the value that comes before the reason; undefined when none is needed. */
  readonly ask?: (ctx: BotContext, asked: Asked) => Promise<Prompt | undefined>
  /** Reads the answer to `ask`, typed or pressed. */
  readonly take?: (
    ctx: BotContext,
    asked: Asked,
    typed: string,
  ) => Promise<{ value: string } | { problem: string }>
  /** Takes the amount that a reason begins with: the change is then limited to it. */
  readonly part?: (
    ctx: BotContext,
    asked: Asked,
    amount: Micros,
  ) => Promise<{ value: string } | { problem: string }>
  readonly preview: (ctx: BotContext, asked: Asked) => Promise<Html>
  /** The label of a second way to do it. */
  readonly otherWay?: (ctx: BotContext, asked: Asked) => Promise<string | undefined>
  /** @returns the screen that shows the outcome */
  readonly carryOut: (ctx: BotContext, decided: Decided, otherWay: boolean) => Promise<Screen>
}
