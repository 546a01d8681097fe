import { NewCustomer } from '../../../core/customers/create-customer.ts'
import { InvalidInput, parseInput } from '../../../core/errors.ts'
import { nextQuestion, type OperatorQuestion } from '../../dialogue/ask.ts'
import { issueText } from '../../kit/errors.ts'
import { fieldProblem, readForm, wrongValue } from '../../kit/form.ts'
import { invitation } from '../../kit/invite-link.ts'
import type { BotContext } from '../../session/context.ts'
import { givenIn } from '../../session/given-in.ts'
import { linkFor } from '../../session/link-for.ts'
import { allows, askedIn, by } from '../../session/operator-chat.ts'
import { html, type Html, lines } from '../../texts/html.ts'
import { LOCALES } from '../../texts/index.ts'
import { customerScreenFor } from './pages.ts'
import { askContactScreen, askNewScreen, confirmNewPrompt } from './screens.ts'

const CONTACT = { email: 'text', phone: 'text', remark: 'text' } as const
const FIELDS = { username: 'text', agent: 'text', balance: 'amount', ...CONTACT } as const
type Typed = { readonly input: Readonly<Record<string, unknown>>; readonly typed: string }

/** A new customer in one message; it sets its password by a link. */
export const newCustomer: OperatorQuestion<null> = {
  name: 'customers.new',
  forOperator: true,
  prompt: (ctx) => askedIn(ctx, askNewScreen(ctx.texts)),
  answer: (ctx, _actor, _state, text) => {
    const { texts } = ctx
    // A username alone is enough.
    const read = /[:：\n]/.test(text) ? readFields(ctx, text, FIELDS) : { values: { username: text } }
    if ('problem' in read) return read
    try {
      parseInput(NewCustomer, read.values)
    } catch (error) {
      const issue = error instanceof InvalidInput ? error.issues[0] : undefined
      if (!issue) throw error
      return {
        problem: fieldProblem(
          texts,
          texts.customers.labels,
          String(issue.path[0] ?? ''),
          issueText(texts, issue),
        ),
      }
    }
    return nextQuestion(confirmNew, { input: read.values, typed: text })
  },
}

export const confirmNew: OperatorQuestion<Typed> = {
  name: 'customers.new.confirm',
  forOperator: true,
  prompt: (ctx, _actor, { typed }) => confirmNewPrompt(ctx.texts, typed),
  answer: ({ texts }) => ({ problem: texts.useButtons }),
  choose: async (ctx, _actor, { input }) => {
    const { createdNow, newReason } = ctx.texts.customers
    const { id, username } = await ctx.core.operator.customers.create(by(ctx), input as never)
    const note = allows(ctx, 'help')
      ? lines(createdNow, '', await linkNote(ctx, { username, reason: newReason }))
      : createdNow
    return { screen: await customerScreenFor(ctx, id, note) }
  },
}

/** Makes a new link to the bot, which invalidates the earlier ones. */
export async function linkNote(
  ctx: BotContext,
  change: { readonly username: string; readonly reason: string },
): Promise<Html> {
  const { core, texts } = ctx
  const { token, expiresAt } = await core.operator.customers.link(by(ctx), change)
  return texts.customers.link(await linkFor(ctx, invitation(token)), texts.zonedTime(expiresAt))
}

/** E-mail address, phone number and remark of any account (rules 10.4). */
export const editedContact: OperatorQuestion<{ readonly id: number }> = {
  name: 'customers.contact',
  forOperator: true,
  prompt: async (ctx, _actor, { id }) =>
    askedIn(ctx, askContactScreen(ctx.texts, await ctx.core.operator.customers.show(id))),
  answer: async (ctx, _actor, { id }, text) => {
    const read = readFields(ctx, text, CONTACT)
    if ('problem' in read) return read
    const { username } = await ctx.core.operator.customers.show(id)
    await ctx.core.operator.editContact(by(ctx), username, read.values)
    return { screen: await customerScreenFor(ctx, id, html`${ctx.texts.customers.changed}`) }
  },
}

function readFields(
  ctx: BotContext,
  text: string,
  fields: Parameters<typeof readForm>[1],
): { readonly values: Readonly<Record<string, unknown>> } | { readonly problem: string } {
  const { texts } = ctx
  const { customers } = texts
  const labels = Object.values(LOCALES).map((locale) => locale.customers.labels)
  const form = readForm(text, fields, labels, givenIn(ctx))
  if ('unknown' in form) return { problem: customers.unknownLine(form.unknown) }
  return 'wrong' in form ? { problem: wrongValue(texts, customers.labels, form) } : form
}
