import { z } from 'zod'
import type { Actor } from '../../../core/access/actor.ts'
import { SUB_USERS_AT_ONCE } from '../../../core/accounts/adjust-sub-users.ts'
import { USERS } from '../../actions/users.ts'
import { ask, type Question } from '../../dialogue/ask.ts'
import { existingPage } from '../../kit/existing-page.ts'
import { promptScreen } from '../../kit/simple-screens.ts'
import type { Screen } from '../../kit/screen.ts'
import { typedList } from '../../kit/typed-list.ts'
import type { BotContext } from '../../session/context.ts'
import { draft } from '../../session/draft.ts'
import { Feature } from '../../session/feature.ts'
import { viewOf } from '../../session/view-of.ts'
import type { Html } from '../../texts/html.ts'
import { listFilter } from './handlers.ts'
import { PICKED_PER_PAGE, pickScreen } from './picked-screens.ts'

/** Ids of the sub-users that are picked, and the page that was shown last. */
const picked = draft('pickedUsers', z.object({ ids: z.array(z.int()), page: z.int() }))

/** An agent picks several sub-users, to do the same with all of them. */
export function pickUsersFeature(): Feature {
  const feature = new Feature()
  feature.onMember(USERS.select, (ctx, actor, { page }) =>
    page === undefined ? pickedScreen(ctx, actor) : pickScreenFor(ctx, actor, page),
  )
  feature.onMember(USERS.pick, async (ctx, actor, { id, on, page }) => {
    const others = (await pickedIds(ctx)).filter((each) => each !== id)
    return pick(ctx, actor, on && id !== undefined ? [...others, id] : others, page)
  })
  feature.onMember(USERS.pickAll, async (ctx, actor, { on, page }) =>
    pick(ctx, actor, on ? await ctx.core.accounts.subUserIds(actor, await listFilter(ctx)) : [], page),
  )
  feature.onMember(USERS.pickNames, async (ctx) => {
    await ask(ctx, whichNames, null)
    return undefined
  })
  return feature
}

/** Returns the ids of the picked sub-users, including any deleted meanwhile. */
export async function pickedIds(ctx: BotContext): Promise<number[]> {
  return (await picked.read(ctx))?.ids ?? []
}

/** The list as it was left. */
export async function pickedScreen(ctx: BotContext, actor: Actor, note?: Html): Promise<Screen> {
  return pickScreenFor(ctx, actor, (await picked.read(ctx))?.page ?? 1, note)
}

async function pick(ctx: BotContext, actor: Actor, ids: readonly number[], page: number): Promise<Screen> {
  const all = [...new Set(ids)]
  if (all.length > SUB_USERS_AT_ONCE)
    await ctx.notify(ctx.texts.users.picked.tooMany(SUB_USERS_AT_ONCE), true)
  await picked.write(ctx, { ids: all.slice(0, SUB_USERS_AT_ONCE), page })
  return pickScreenFor(ctx, actor, page)
}

async function pickScreenFor(ctx: BotContext, actor: Actor, wanted: number, note?: Html): Promise<Screen> {
  const filter = await listFilter(ctx)
  const found = await existingPage(wanted, (page) =>
    ctx.core.accounts.listSubUsers(actor, { ...filter, page, pageSize: PICKED_PER_PAGE }),
  )
  const ids = await pickedIds(ctx)
  await picked.write(ctx, { ids, page: found.page })
  return pickScreen(viewOf(ctx), found, ids, filter.search, note)
}

/** Sub-users by their names, one per line. */
const whichNames: Question<null> = {
  name: 'users.picknames',
  prompt: (ctx) => promptScreen(ctx.texts, ctx.texts.users.picked.askNames, USERS.select.data()),
  answer: async (ctx, actor, _state, text) => {
    const names = [...new Set(typedList(text))]
    const { ids, unknown } = await ctx.core.accounts.subUsersNamed(actor, names)
    if (unknown.length > 0)
      return { problem: ctx.texts.users.picked.unknown(ctx.texts.list(unknown.slice(0, 10))) }
    return { screen: await pick(ctx, actor, [...(await pickedIds(ctx)), ...ids], 1) }
  },
}

export const pickQuestions = [whichNames]
