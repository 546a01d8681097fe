import type { Actor } from '../../../core/access/actor.ts'
import { newPassword } from '../../../core/accounts/passwords.ts'
import { usernameKey } from '../../../core/usernames.ts'
import { type ListPosition } from '../../actions/list-position.ts'
import { type CONTACT_FIELDS, type USER, USERS } from '../../actions/users.ts'
import { ask, type Outcome, type Question } from '../../dialogue/ask.ts'
import type { Action } from '../../kit/action.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { viewOf } from '../../session/view-of.ts'
import {
  CLEAR,
  contactPrompt,
  deletionPrompt,
  MAKE,
  newPasswordPrompt,
  newUsernamePrompt,
} from './edit-prompts.ts'
import { onUserAction, userFor } from './handlers.ts'
import { deletedScreen, newPasswordScreen } from './screens.ts'

/** What an agent changes about a sub-user in writing: username, password, contact; and the deletion. */
export function editUserFeature(): Feature {
  const feature = new Feature()
  onUserQuestion(feature, USERS.rename, newUsername)
  onUserQuestion(feature, USERS.password, newPasswordFor)
  onUserAction(feature, USERS.contact, async (ctx, actor, id, position, { field = 'remark' }) => {
    const user = await ctx.core.accounts.getSubUser(actor, id)
    await ask(ctx, newContact, { id: user.id, position, field })
    return undefined
  })
  onUserQuestion(feature, USERS.remove, confirmDeletion)
  return feature
}

/** The user that a question is about, and where in the list it was. */
interface About {
  readonly id: number
  readonly position: ListPosition
}

function onUserQuestion(feature: Feature, action: Action<typeof USER>, question: Question<About>): void {
  onUserAction(feature, action, async (ctx, actor, id, position) => {
    const user = await ctx.core.accounts.getSubUser(actor, id)
    await ask(ctx, question, { id: user.id, position })
    return undefined
  })
}

function backTo({ id, position }: About): string {
  return USERS.view.data({ id, position })
}

const newUsername: Question<About> = {
  name: 'users.rename',
  prompt: async (ctx, actor, about) =>
    newUsernamePrompt(viewOf(ctx), await ctx.core.accounts.getSubUser(actor, about.id), backTo(about)),
  answer: async (ctx, actor, { id, position }, username) => {
    await ctx.core.accounts.editSubUserAccount(actor, id, { username })
    return { screen: await userFor(ctx, actor, id, position, ctx.texts.users.renamed) }
  },
}

const newPasswordFor: Question<About> = {
  name: 'users.password',
  prompt: async (ctx, actor, about) =>
    newPasswordPrompt(viewOf(ctx), await ctx.core.accounts.getSubUser(actor, about.id), backTo(about)),
  answer: async (ctx, actor, { id, position }, password) => {
    await ctx.core.accounts.editSubUserAccount(actor, id, { password })
    return { screen: await userFor(ctx, actor, id, position, ctx.texts.users.passwordSet) }
  },
  choose: async (ctx, actor, { id, position }, choice) => {
    if (choice !== MAKE) return { problem: ctx.texts.users.pressButton }
    const password = newPassword()
    const user = await ctx.core.accounts.editSubUserAccount(actor, id, { password })
    return { screen: newPasswordScreen(viewOf(ctx), user, password, position) }
  },
}

/** E-mail address, phone number or remark. */
interface AboutContact extends About {
  readonly field: (typeof CONTACT_FIELDS)[number]
}

const newContact: Question<AboutContact> = {
  name: 'users.contact',
  prompt: async (ctx, actor, about) =>
    contactPrompt(
      viewOf(ctx),
      await ctx.core.accounts.getSubUser(actor, about.id),
      about.field,
      backTo(about),
    ),
  answer: writeContact,
  choose: (ctx, actor, about, choice) =>
    choice === CLEAR ? writeContact(ctx, actor, about, '') : { problem: ctx.texts.users.pressButton },
}

async function writeContact(
  ctx: BotContext,
  actor: Actor,
  { id, position, field }: AboutContact,
  text: string,
): Promise<Outcome> {
  const { username } = await ctx.core.accounts.editSubUserContact(actor, id, { [field]: text })
  return { screen: await userFor(ctx, actor, id, position, ctx.texts.users.contactSet(username, field)) }
}

/** A deletion cannot be taken back: the name has to be typed. */
const confirmDeletion: Question<About> = {
  name: 'users.delete',
  prompt: async (ctx, actor, about) => {
    const { accounts, orders, traffic } = ctx.core
    const user = await accounts.getSubUser(actor, about.id)
    const { agentBalance, agentBalanceAfter } = await accounts.planAdjustment(actor, user.id, -user.balance)
    const { instances } = await orders.staticStatistics(actor, { userId: user.id })
    const { items } = await traffic.productsFlow(actor, user.id)
    const facts = {
      activeProxies: instances.active,
      returned: agentBalanceAfter - agentBalance,
      trafficLeft: items.reduce((sum, { remaining, allocated }) => sum + remaining + allocated, 0),
    }
    return deletionPrompt(viewOf(ctx), user, facts, backTo(about))
  },
  answer: async (ctx, actor, { id, position }, text) => {
    const { username } = await ctx.core.accounts.getSubUser(actor, id)
    if (usernameKey(text) !== usernameKey(username)) return { problem: ctx.texts.users.otherName }
    const { returnedBalance } = await ctx.core.accounts.deleteSubUser(actor, id)
    return { screen: deletedScreen(viewOf(ctx), username, returnedBalance, position) }
  },
}

export const editQuestions = [newUsername, newPasswordFor, newContact, confirmDeletion]
