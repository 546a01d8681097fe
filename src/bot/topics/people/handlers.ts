import { ServiceError } from '../../../core/errors.ts'
import type { Person } from '../../../core/people/manage-people.ts'
import { PEOPLE } from '../../actions/people.ts'
import { ask } from '../../dialogue/ask.ts'
import type { Action } from '../../kit/action.ts'
import { refusalText } from '../../kit/errors.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { by, isOperatorChat } from '../../session/operator-chat.ts'
import { newName, newTelegram, otherName } from './questions.ts'
import { askRemoveScreen, peopleScreen, personScreen, rolesScreen } from './screens.ts'

/** Those who run the shop: an owner names, changes and removes them (rules 14.2). */
export function peopleFeature(): Feature {
  const feature = new Feature(isOperatorChat)
  feature.on(PEOPLE.list, (ctx, { page }) => showPeople(ctx, page))
  feature.on(PEOPLE.add, (ctx) => ask(ctx, newName, null))
  const onPerson = (
    action: Action<typeof PEOPLE.person.shape>,
    handle: (ctx: BotContext, person: Person) => Promise<unknown>,
  ) => feature.on(action, (ctx, { id }) => withPerson(ctx, id, (person) => handle(ctx, person)))
  onPerson(PEOPLE.person, (ctx, person) => ctx.show(personScreen(ctx.texts, person)))
  feature.on(PEOPLE.role, (ctx, { id, role }) =>
    withPerson(ctx, id, async (person) => {
      if (!role) return ctx.show(rolesScreen(ctx.texts, person))
      const changed = await ctx.core.operator.people.edit(by(ctx), person.name, { role })
      return ctx.show(personScreen(ctx.texts, changed))
    }),
  )
  onPerson(PEOPLE.rename, (ctx, { name }) => ask(ctx, otherName, { name }))
  onPerson(PEOPLE.telegram, (ctx, { name }) => ask(ctx, newTelegram, { name }))
  onPerson(PEOPLE.askRemove, (ctx, person) => ctx.show(askRemoveScreen(ctx.texts, person)))
  onPerson(PEOPLE.remove, async (ctx, { name }) => {
    await ctx.core.operator.people.remove(by(ctx), name)
    await ctx.notify(ctx.texts.people.removed(name))
    return showPeople(ctx)
  })
  return feature
}

/** Runs the handler on a person; after a refusal of the core, notifies the reader and shows the person again. */
async function withPerson(
  ctx: BotContext,
  id: number | undefined,
  handle: (person: Person) => Promise<unknown>,
): Promise<unknown> {
  const person = (await ctx.core.operator.people.list()).find((known) => known.id === id)
  if (!person) {
    await ctx.notify(ctx.texts.people.gone, true)
    return showPeople(ctx)
  }
  try {
    return await handle(person)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    await ctx.notify(refusalText(ctx.texts, error, ctx.core.currency), true)
    return ctx.show(personScreen(ctx.texts, person))
  }
}

/** Shows those who run the shop, and the invite links that nobody has opened yet. */
export async function showPeople(ctx: BotContext, page = 1): Promise<unknown> {
  const { list, invites } = ctx.core.operator.people
  return ctx.show(peopleScreen(ctx.texts, await list(), await invites(), page))
}
