import { MAX_NAME, type Person } from '../../../core/people/manage-people.ts'
import { SHOP_ROLES, type ShopRole } from '../../../core/people/permissions.ts'
import { PEOPLE } from '../../actions/people.ts'
import { nextQuestion, type OperatorQuestion, type Outcome } from '../../dialogue/ask.ts'
import { halfWidth } from '../../../core/half-width.ts'
import { telegramUserId } from '../../../core/identifiers.ts'
import { startLink } from '../../kit/invite-link.ts'
import { promptScreen } from '../../kit/simple-screens.ts'
import type { BotContext } from '../../session/context.ts'
import { askedIn, by } from '../../session/operator-chat.ts'
import {
  INVITE,
  inviteScreen,
  newRolePrompt,
  newTelegramPrompt,
  personScreen,
  telegramPrompt,
} from './screens.ts'

/** First question about a new person: its name. Role and Telegram user are asked next. */
export const newName: OperatorQuestion<null> = {
  name: 'people.name',
  forOperator: true,
  prompt: (ctx) => askedIn(ctx, promptScreen(ctx.texts, ctx.texts.people.askName, PEOPLE.list.data())),
  answer: async (ctx, _actor, _state, name) => {
    const { rules, tooLong } = ctx.texts.input
    const known = await ctx.core.operator.people.list()
    if (name.length > MAX_NAME) return { problem: tooLong(MAX_NAME) }
    if (known.some((person) => person.name.toLowerCase() === name.toLowerCase()))
      return { problem: rules.person_exists }
    return nextQuestion(newRole, { name })
  },
}

const newRole: OperatorQuestion<{ name: string }> = {
  name: 'people.role',
  forOperator: true,
  prompt: async (ctx, _actor, { name }) => {
    const known = await ctx.core.operator.people.list()
    return newRolePrompt(ctx.texts, name, known.length === 0)
  },
  answer: (ctx) => ({ problem: ctx.texts.useButtons }),
  choose: (ctx, _actor, { name }, choice) => {
    const role = SHOP_ROLES.find((known) => known === choice)
    return role ? nextQuestion(newPersonTelegram, { name, role }) : { problem: ctx.texts.useButtons }
  },
}

const newPersonTelegram: OperatorQuestion<{ name: string; role: ShopRole }> = {
  name: 'people.telegram',
  forOperator: true,
  // In a group everybody would see the link.
  prompt: (ctx, _actor, { name }) =>
    ctx.chat?.type === 'private'
      ? newTelegramPrompt(ctx.texts, name)
      : askedIn(ctx, telegramPrompt(ctx.texts, 'later')),
  answer: (ctx, _actor, person, text) =>
    withId(ctx, text, (telegramId) => ctx.core.operator.people.add(by(ctx), { ...person, telegramId })),
  choose: async (ctx, _actor, person, choice) => {
    if (choice !== INVITE) return changed(ctx, () => ctx.core.operator.people.add(by(ctx), person))
    const { start, ...invite } = await ctx.core.operator.people.invite(by(ctx), person)
    return { screen: inviteScreen(ctx.texts, invite, startLink(ctx.me.username, start)) }
  },
}

/** The question for a person's new Telegram user, or none. */
export const newTelegram: OperatorQuestion<{ name: string }> = {
  name: 'people.telegram.edit',
  forOperator: true,
  prompt: (ctx) => askedIn(ctx, telegramPrompt(ctx.texts, 'none')),
  answer: (ctx, _actor, { name }, text) =>
    withId(ctx, text, (telegramId) => ctx.core.operator.people.edit(by(ctx), name, { telegramId })),
  choose: (ctx, _actor, { name }) =>
    changed(ctx, () => ctx.core.operator.people.edit(by(ctx), name, { telegramId: null })),
}

/** The question for a person's new name. */
export const otherName: OperatorQuestion<{ name: string }> = {
  name: 'people.rename',
  forOperator: true,
  prompt: (ctx) => askedIn(ctx, promptScreen(ctx.texts, ctx.texts.people.askName, PEOPLE.list.data())),
  answer: (ctx, _actor, { name }, text) =>
    changed(ctx, () => ctx.core.operator.people.edit(by(ctx), name, { name: text })),
}

async function withId(
  ctx: BotContext,
  text: string,
  change: (telegramId: number) => Promise<Person>,
): Promise<Outcome> {
  const id = telegramUserId(halfWidth(text))
  if (id === undefined) return { problem: ctx.texts.people.notAnId }
  return changed(ctx, () => change(id))
}

async function changed(ctx: BotContext, change: () => Promise<Person>): Promise<Outcome> {
  return { screen: personScreen(ctx.texts, await change()) }
}

export const personQuestions = [newName, newRole, newPersonTelegram, newTelegram, otherName]
