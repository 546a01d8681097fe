import { halfWidth } from '../../../core/half-width.ts'
import { ServiceError } from '../../../core/errors.ts'
import { randomText } from '../../../core/ids.ts'
import { fromNumber, type Micros, toNumber } from '../../../core/money.ts'
import { MAX_DAYS, MAX_USES, type NewPromoCode } from '../../../core/promotions/manage-promo-codes.ts'
import { NewPromoCodeText } from '../../../core/promotions/promo-code.ts'
import type { PlannedCode } from '../../../core/promotions/promo-effects.ts'
import type { TimeZone } from '../../../core/time-zone.ts'
import type { Outcome, Question } from '../../dialogue/ask.ts'
import type { AnswerButton, Prompt } from '../../dialogue/prompt.ts'
import { grouped } from '../../kit/format.ts'
import { momentOf } from '../../kit/moment.ts'
import { promptScreen, withNote } from '../../kit/simple-screens.ts'
import type { Screen } from '../../kit/screen.ts'
import { amountIn, countIn, type CountUnit, isPercent, percentIn } from '../../kit/typed-number.ts'
import { typedList } from '../../kit/typed-list.ts'
import type { BotContext } from '../../session/context.ts'
import { type Html, lines } from '../../texts/html.ts'
import type { Texts } from '../../texts/index.ts'

/** What is asked for a new code, in this order. */
const PARTS = ['discount', 'balanceLimit', 'code', 'maxUses', 'maxUsesPerUser', 'days', 'products'] as const
type Part = (typeof PARTS)[number]
/** Where what a code takes off is shown, before it is made. */
const SHOW_EFFECTS: readonly Part[] = ['balanceLimit', 'code']

/** What a button answers for no limit, nothing of the balance, a code that is made up, or all products. */
const NONE = 'none'
/** Makes the code without further questions. */
const DONE = 'done'
const MADE_UP_LENGTH = 8
const DAY_MS = 24 * 60 * 60_000

/** Answers to choose from. */
const QUICK: Readonly<Record<Part, readonly string[]>> = {
  discount: ['5%', '10%', '20%', '50%'],
  balanceLimit: ['10', '50', '100'],
  code: [],
  maxUses: ['1', '10', '100'],
  maxUsesPerUser: ['1', '2', '5'],
  days: ['7', '30', '90'],
  products: [],
}

/** What is known of a new code. */
export interface Draft extends NewPromoCode {
  /** The code that was asked for, and that there is already. */
  readonly taken?: string
  /** The code to be made where none is asked for: stored before it is made, so that an answer that comes again makes no second one. */
  readonly madeUp?: string
}

/** Where the questions begin. */
export function newDraft(): Draft {
  return { madeUp: randomText(MADE_UP_LENGTH) }
}

/** Who makes a code. */
interface Maker<Asked> {
  /** Of the names of the questions. */
  readonly prefix: string
  /** Whether its balance may pay, too: that of an agent, for its own codes. */
  readonly hasBalance: boolean
  /** Callback data of the list. */
  readonly list: string
  /** Numbers of the products that there are. */
  readonly products: (ctx: BotContext, asked: Asked) => Promise<readonly string[]>
  /** What a planned code takes off. */
  readonly effects: (ctx: BotContext, asked: Asked, code: PlannedCode) => Promise<readonly Html[]>
  readonly make: (ctx: BotContext, asked: Asked, code: NewPromoCode) => Promise<Screen>
  /** A code that was made just now. */
  readonly made: (ctx: BotContext, asked: Asked, code: string) => Promise<Screen>
}

/** The questions for a new code; the first one begins, and all but that can be left out. */
export function promoQuestions<Asked>(
  maker: Maker<Asked>,
): readonly [first: Question<Draft, Asked>, ...others: Question<Draft, Asked>[]] {
  const parts = PARTS.filter((part) => maker.hasBalance || part !== 'balanceLimit')
  const nameOf = (part: Part) => `${maker.prefix}.${part}`
  const make = async (
    ctx: BotContext,
    asked: Asked,
    { taken: _taken, madeUp, ...draft }: Draft,
  ): Promise<Outcome> => {
    try {
      return { screen: await maker.make(ctx, asked, { ...draft, code: draft.code ?? madeUp }) }
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'promo_code_taken') throw error
      // Made before a kill, which the answer has outlived: nobody else makes up the same one.
      if (typeof draft.code !== 'string' && madeUp !== undefined)
        return { screen: await maker.made(ctx, asked, madeUp) }
      const { code, ...rest } = draft
      return { question: nameOf('code'), state: { ...rest, madeUp, taken: code } }
    }
  }
  const after = (ctx: BotContext, asked: Asked, part: Part, draft: Draft): Outcome | Promise<Outcome> => {
    const next = parts[parts.indexOf(part) + 1]
    return next ? { question: nameOf(next), state: draft } : make(ctx, asked, draft)
  }
  const question = (part: Part): Question<Draft, Asked> => {
    const take = async (ctx: BotContext, asked: Asked, draft: Draft, text: string): Promise<Outcome> => {
      const known = part === 'products' ? await maker.products(ctx, asked) : []
      const read = readPart(part, text, {
        known,
        now: ctx.core.now(),
        zone: ctx.texts.zone,
        currency: ctx.core.currency,
      })
      return read ? after(ctx, asked, part, { ...draft, ...read }) : { problem: problemWith(ctx.texts, part) }
    }
    return {
      name: nameOf(part),
      prompt: async (ctx, asked, { taken, percent, amount, balanceLimit }) => {
        const products = part === 'products' ? await maker.products(ctx, asked) : []
        const planned = {
          percent: percent ?? null,
          amount: microsOf(amount),
          products: [],
          balanceLimit: microsOf(balanceLimit),
          balanceUsed: 0,
        }
        // As soon as the discount is known, and before the code is made.
        const effects = SHOW_EFFECTS.includes(part) ? await maker.effects(ctx, asked, planned) : []
        const prompt = partPrompt(ctx, part, products, { cancel: maker.list, effects })
        return part === 'code' && taken !== undefined
          ? { ...prompt, text: withNote(prompt.text, ctx.texts.promo.taken(taken)) }
          : prompt
      },
      answer: take,
      choose: (ctx, asked, draft, choice) => {
        if (choice === DONE && part !== 'discount') return make(ctx, asked, draft)
        return choice === NONE && part !== 'discount'
          ? after(ctx, asked, part, draft)
          : take(ctx, asked, draft, choice)
      },
    }
  }
  const [first, ...others] = parts
  return [question(first ?? 'discount'), ...others.map(question)]
}

function microsOf(amount: number | null | undefined): Micros | null {
  return typeof amount === 'number' ? (fromNumber(amount) ?? null) : null
}

function problemWith({ promo, input }: Texts, part: Part): string {
  return part === 'maxUses' || part === 'maxUsesPerUser'
    ? input.wholeNumber(1, grouped(String(MAX_USES)))
    : promo.problems[part]
}

/** What an answer is read by. */
interface Surroundings {
  /** Numbers of products. */
  readonly known: readonly string[]
  readonly now: Date
  readonly zone: TimeZone
  readonly currency: string
}

/** What an answer adds to the code; undefined for what it cannot be. */
function readPart(
  part: Part,
  text: string,
  { known, now, zone, currency }: Surroundings,
): Partial<Draft> | undefined {
  const plain = halfWidth(text).trim()
  switch (part) {
    case 'discount':
      return readDiscount(plain, currency)
    case 'code': {
      const { data } = NewPromoCodeText.safeParse(text)
      return data === undefined ? undefined : { code: data }
    }
    case 'balanceLimit': {
      const micros = amountIn(plain, currency)
      return micros !== undefined && micros > 0 ? { balanceLimit: toNumber(micros) } : undefined
    }
    case 'products': {
      const products = typedList(plain)
      return products.length > 0 && products.every((number) => known.includes(number))
        ? { products }
        : undefined
    }
    case 'days':
      return readEnd(plain, now, zone)
    default:
      return count(plain, 'uses', MAX_USES, (uses) => ({ [part]: uses }))
  }
}

/** A number of days, or the time of the end. */
function readEnd(text: string, now: Date, zone: TimeZone): Partial<Draft> | undefined {
  const end = momentOf(text, now, zone)
  if (!end) return count(text, 'days', MAX_DAYS, (days) => ({ days }))
  const ahead = end.getTime() - now.getTime()
  return ahead > 0 && ahead <= MAX_DAYS * DAY_MS ? { until: end.toISOString() } : undefined
}

/** A whole number from 1 on. */
function count(
  text: string,
  unit: CountUnit,
  most: number,
  as: (count: number) => Partial<Draft>,
): Partial<Draft> | undefined {
  const number = countIn(text, unit) ?? 0
  return number >= 1 && number <= most ? as(number) : undefined
}

/** `10%` or `2.50`. */
function readDiscount(text: string, currency: string): Partial<Draft> | undefined {
  if (isPercent(text)) {
    const percent = percentIn(text) ?? 0
    return Number.isInteger(percent) && percent >= 1 && percent <= 100 ? { percent, amount: null } : undefined
  }
  const micros = amountIn(text, currency)
  return micros !== undefined && micros > 0 ? { amount: toNumber(micros), percent: null } : undefined
}

/** Products with a button each; the others are typed. */
const MOST_PRODUCTS = 8

function partPrompt(
  { texts }: BotContext,
  part: Part,
  products: readonly string[],
  { cancel, effects }: { readonly cancel: string; readonly effects: readonly Html[] },
): Prompt {
  const { promo } = texts
  const known = effects.length > 0 ? [...effects, '' as const] : []
  const { text, buttons } = promptScreen(texts, lines(promo.newTitle, '', ...known, promo.ask[part]), cancel)
  const quick: AnswerButton[] = QUICK[part].map((value) => ({ text: value, answer: value }))
  const each: AnswerButton[][] = products
    .filter((number) => number.length <= 28)
    .slice(0, MOST_PRODUCTS)
    .map((number) => [{ text: number, answer: number }])
  const none = part === 'discount' ? undefined : promo.none[part]
  const done: AnswerButton = { text: promo.buttons.done, answer: DONE, style: 'success' }
  return {
    text,
    buttons: [
      quick,
      ...each,
      none === undefined ? [] : [{ text: none, answer: NONE }],
      part === 'discount' || part === 'products' ? [] : [done],
      ...buttons,
    ],
  }
}
