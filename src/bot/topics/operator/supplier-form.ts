import { InvalidInput, ServiceError } from '../../../core/errors.ts'
import { DRIVER_NAMES } from '../../../core/supply/driver.ts'
import { OPERATOR } from '../../actions/operator.ts'
import { ask, type OperatorQuestion, type Outcome } from '../../dialogue/ask.ts'
import { errorText, issueText } from '../../kit/errors.ts'
import { type Fields, type Given, readForm, wrongValue } from '../../kit/form.ts'
import type { Screen } from '../../kit/screen.ts'
import { promptScreen } from '../../kit/simple-screens.ts'
import { dayTyped } from '../../kit/typed-day.ts'
import { isTyped } from '../../kit/typed-words.ts'
import type { BotContext } from '../../session/context.ts'
import { givenIn } from '../../session/given-in.ts'
import { askedIn, by } from '../../session/operator-chat.ts'
import { viewOf } from '../../session/view-of.ts'
import type { Html } from '../../texts/html.ts'
import { LOCALES, type Texts } from '../../texts/index.ts'
import { supplierScreen, suppliersScreen } from './supplier-screens.ts'

/** Reads a day in everyday spellings; null for none. Anything else is passed on, and the core refuses it. */
function dayOrNone(value: string, { today }: Given): string | null {
  return value === '-' || isTyped('no', value) ? null : (dayTyped(value, today) ?? value)
}

const SETTINGS = {
  url: 'text',
  key: 'text',
  secret: 'text',
  rate: 'number',
  refundHours: 'wholeNumber',
  concurrency: 'wholeNumber',
  alarmBalance: 'amount',
  alarmDays: 'wholeNumber',
  balanceExpiresOn: dayOrNone,
} as const satisfies Fields

const NEW_SUPPLIER = { name: 'text', driver: 'text', ...SETTINGS } as const satisfies Fields

/** Labels in all languages: the form may be written in any. */
const LABELS = Object.values(LOCALES).map(({ operator }) => operator.supplierForm.labels)

/** A new supplier, all of it in one message, which is deleted: it holds the secret. */
const newSupplier: OperatorQuestion<null> = {
  name: 'supplier.add',
  forOperator: true,
  prompt: (ctx) => {
    const text = ctx.texts.operator.supplierForm.ask(ctx.texts.list(DRIVER_NAMES))
    return askedIn(ctx, promptScreen(ctx.texts, text, OPERATOR.suppliers.data()))
  },
  answer: (ctx, _actor, _state, text) =>
    filled(ctx, text, NEW_SUPPLIER, async (values) => {
      const { name } = await ctx.core.operator.suppliers.add(by(ctx), values as never)
      return supplierNow(ctx, name, ctx.texts.operator.supplierForm.added)
    }),
}

/** Changes of a supplier; what is not named stays. */
const editedSupplier: OperatorQuestion<{ name: string }> = {
  name: 'supplier.edit',
  forOperator: true,
  prompt: (ctx, _actor, { name }) => {
    const text = ctx.texts.operator.supplierForm.askChange(name)
    return askedIn(ctx, promptScreen(ctx.texts, text, OPERATOR.supplier.data({ name })))
  },
  answer: (ctx, _actor, { name }, text) =>
    filled(ctx, text, SETTINGS, async (values) => {
      await ctx.core.operator.suppliers.edit(by(ctx), name, values)
      return supplierNow(ctx, name, ctx.texts.operator.supplierForm.changed)
    }),
}

export const supplierFormQuestions = [newSupplier, editedSupplier]

export const askNewSupplier = (ctx: BotContext) => ask(ctx, newSupplier, null)
export const askSupplierChange = (ctx: BotContext, name: string) => ask(ctx, editedSupplier, { name })

/** Asks whether a supplier is removed. */
export function askRemoveSupplierScreen(texts: Texts, name: string): Screen {
  const { supplierForm, buttons } = texts.operator
  return {
    text: supplierForm.askRemove(name),
    buttons: [
      [{ text: buttons.removeSupplierNow, data: OPERATOR.removeSupplier.data({ name }), style: 'danger' }],
      [{ text: texts.buttons.cancel, data: OPERATOR.supplier.data({ name }) }],
    ],
  }
}

/** Words a refusal of the core about a supplier. */
export function supplierRefusal(texts: Texts, error: ServiceError): string {
  const { supplierForm, suppliers } = texts.operator
  const issue = error instanceof InvalidInput ? error.issues[0] : undefined
  if (!issue) {
    const reason = error.data?.['reason']
    return typeof reason === 'string' ? suppliers.refused(reason) : errorText(texts, error.code)
  }
  const { rules } = supplierForm
  return Object.hasOwn(rules, issue.message)
    ? rules[issue.message as keyof typeof rules]
    : issueText(texts, issue)
}

/** Words a refusal with the label of its field; the typed value may hold the secret and is not repeated. */
function problemOf(texts: Texts, error: ServiceError): string {
  const { labels } = texts.operator.supplierForm
  const why = supplierRefusal(texts, error)
  const field = error instanceof InvalidInput ? String(error.issues[0]?.path[0] ?? '') : ''
  return Object.hasOwn(labels, field) ? texts.field(labels[field as keyof typeof labels], why) : why
}

async function filled(
  ctx: BotContext,
  text: string,
  fields: Fields,
  take: (values: Readonly<Record<string, unknown>>) => Promise<Screen>,
): Promise<Outcome> {
  const { supplierForm } = ctx.texts.operator
  const form = readForm(text, fields, LABELS, givenIn(ctx))
  if ('unknown' in form) return { problem: supplierForm.notALine }
  if ('wrong' in form) return { problem: wrongValue(ctx.texts, supplierForm.labels, form) }
  try {
    return { screen: await take(form.values) }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return { problem: problemOf(ctx.texts, error) }
  }
}

async function supplierNow(ctx: BotContext, name: string, note: Html): Promise<Screen> {
  const connections = await ctx.core.operator.suppliers.list()
  const connection = connections.find((known) => known.name === name)
  return connection
    ? supplierScreen(viewOf(ctx), connection, note)
    : suppliersScreen(viewOf(ctx), connections, 1)
}
