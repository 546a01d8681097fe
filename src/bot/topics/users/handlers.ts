import { InputFile } from 'grammy'
import { z } from 'zod'
import { type Actor, requireAgent } from '../../../core/access/actor.ts'
import { USER_STATUSES } from '../../../core/accounts/sub-user.ts'
import {
  type ButtonPosition,
  type ListPosition,
  packPosition,
  START,
  unpackPosition,
} from '../../actions/list-position.ts'
import { AS_LEFT, type USER, USERS } from '../../actions/users.ts'
import { ask, type Question } from '../../dialogue/ask.ts'
import type { Action, Read } from '../../kit/action.ts'
import { existingPage } from '../../kit/existing-page.ts'
import { invitation } from '../../kit/invite-link.ts'
import type { Screen } from '../../kit/screen.ts'
import { promptScreen } from '../../kit/simple-screens.ts'
import type { BotContext } from '../../session/context.ts'
import { draft } from '../../session/draft.ts'
import { Feature } from '../../session/feature.ts'
import { linkFor } from '../../session/link-for.ts'
import { showToMember } from '../../session/show-to-member.ts'
import { viewOf } from '../../session/view-of.ts'
import type { Html } from '../../texts/html.ts'
import { usersTable } from './users-table.ts'
import {
  inviteScreen,
  manyUsersScreen,
  userFiltersScreen,
  USERS_PER_PAGE,
  userScreen,
  usersScreen,
} from './screens.ts'

/** An agent's sub-users: the list, each of them, its status and its invitation. */
export function usersFeature(): Feature {
  const feature = new Feature()

  feature.command('users', (ctx) => showToMember(ctx, (actor) => usersFor(ctx, actor)))
  feature.onMember(USERS.list, (ctx, actor, { position }) => usersFor(ctx, actor, position))
  feature.onMember(USERS.search, async (ctx, actor, { position }) => {
    requireAgent(actor)
    await ask(ctx, searchUsers, position === undefined || position === AS_LEFT ? START : position)
    return undefined
  })
  feature.onMember(USERS.filters, async (ctx, actor, { position }) => {
    const counts = [undefined, ...USER_STATUSES].map(
      async (status) => [status, await countOf(ctx, actor, status)] as const,
    )
    return userFiltersScreen(viewOf(ctx), await positionOf(ctx, position), await Promise.all(counts))
  })
  feature.onMember(USERS.more, async (ctx, actor, { position }) => {
    const at = await positionOf(ctx, position)
    return manyUsersScreen(viewOf(ctx), at, await countOf(ctx, actor, at.status))
  })
  feature.onMember(USERS.file, sendUsers)
  onUserAction(feature, USERS.view, (ctx, actor, id, position) => userFor(ctx, actor, id, position))
  onUserAction(feature, USERS.status, async (ctx, actor, id, position, { status }) => {
    if (status) await ctx.core.accounts.setSubUserStatus(actor, id, { status })
    return userFor(ctx, actor, id, position)
  })
  onUserAction(feature, USERS.invite, async (ctx, actor, id, position) => {
    const { token, ...invite } = await ctx.core.accounts.createInvite(actor, id)
    return inviteScreen(viewOf(ctx), invite, await linkFor(ctx, invitation(token)), position)
  })
  return feature
}

/**
 * Handles the buttons of an action about one sub-user; what the core refuses leads back to the list.
 *
 * @param screen gets the user's id, undefined for a malformed one, and the position in the list; returns undefined when it has
 *   shown something itself
 */
export function onUserAction<Of extends typeof USER>(
  feature: Feature,
  action: Action<Of>,
  screen: (
    ctx: BotContext,
    actor: Actor,
    id: number | undefined,
    position: ListPosition,
    parameters: Read<Of>,
  ) => Promise<Screen | undefined>,
): void {
  feature.onMember(
    action,
    async (ctx, actor, parameters) =>
      screen(ctx, actor, parameters.id, await positionOf(ctx, parameters.position), parameters),
    (ctx, actor, { position }) => usersFor(ctx, actor, position),
  )
}

/** Name under which the chat's draft keeps the search. */
const SEARCH = 'userSearch'
/** The chat's last position in the list, to which Back leads from what other features show of a user. Stored drafts use this name. */
const lastPosition = draft('userPlace', z.string())

/** @param position of a button; without one, and for {@link AS_LEFT}, the last */
async function positionOf(ctx: BotContext, position: ButtonPosition = AS_LEFT): Promise<ListPosition> {
  return position === AS_LEFT ? unpackPosition(await lastPosition.read(ctx)) : position
}

/**
 * The list of sub-users.
 *
 * @param position of the button; without one, the list begins anew and the search is dropped
 */
async function usersFor(ctx: BotContext, actor: Actor, position?: ButtonPosition): Promise<Screen> {
  const { [SEARCH]: kept } = await ctx.core.chats.readDraft(ctx.session.chatId)
  const search = typeof kept === 'string' ? kept : undefined
  if (position !== undefined) return usersScreenFor(ctx, actor, await positionOf(ctx, position), search)
  if (search !== undefined) await ctx.core.chats.changeDraft(ctx.session.chatId, { [SEARCH]: null })
  return usersScreenFor(ctx, actor, START)
}

async function usersScreenFor(
  ctx: BotContext,
  actor: Actor,
  { page, status }: ListPosition,
  search?: string,
): Promise<Screen> {
  const list = (number: number) =>
    ctx.core.accounts.listSubUsers(actor, { page: number, pageSize: USERS_PER_PAGE, search, status })
  const found = await existingPage(page, list)
  await lastPosition.write(ctx, packPosition({ page: found.page, status }))
  return usersScreen(viewOf(ctx), found, status, search)
}

/** Number of sub-users in the list of a status, search included. */
async function countOf(ctx: BotContext, actor: Actor, status: ListPosition['status']): Promise<number> {
  const { search } = await listFilter(ctx)
  return (await ctx.core.accounts.listSubUsers(actor, { search, status, pageSize: 1 })).total
}

/** The search and the status of the list. */
export async function listFilter(ctx: BotContext, position?: ButtonPosition) {
  const { [SEARCH]: kept } = await ctx.core.chats.readDraft(ctx.session.chatId)
  const { status } = await positionOf(ctx, position)
  return { search: typeof kept === 'string' ? kept : undefined, status }
}

/** The sub-users of the list that is shown, search and status included, as a table. */
async function sendUsers(
  ctx: BotContext,
  actor: Actor,
  { position }: Read<typeof USERS.file.shape>,
): Promise<undefined> {
  const users = await ctx.core.accounts.exportSubUsers(actor, await listFilter(ctx, position))
  await ctx.replyWithDocument(new InputFile(await usersTable(ctx.texts, users), 'users.csv'), {
    caption: ctx.texts.users.file(users.length),
    parse_mode: 'HTML',
  })
  return undefined
}

/**
 * One sub-user.
 *
 * @param note what has just been done
 * @throws agent_required, sub_user_not_found, not_direct_sub_user
 */
export async function userFor(
  ctx: BotContext,
  actor: Actor,
  id: number | undefined,
  position: ListPosition,
  note?: Html,
): Promise<Screen> {
  const { core } = ctx
  const user = await core.accounts.getSubUser(actor, id)
  const { instances } = await core.orders.staticStatistics(actor, { userId: user.id })
  const traffic = user.status === 'deleted' ? [] : (await core.traffic.productsFlow(actor, user.id)).items
  return userScreen(viewOf(ctx), { user, activeProxies: instances.active, traffic }, position, note)
}

/** The question for the text by which sub-users are searched. */
export const searchUsers: Question<ListPosition> = {
  name: 'users.search',
  prompt: ({ texts }, _actor, position) =>
    promptScreen(texts, texts.users.search, USERS.list.data({ position })),
  answer: async (ctx, actor, { status }, text) => {
    const screen = await usersScreenFor(ctx, actor, { page: 1, status }, text)
    await ctx.core.chats.changeDraft(ctx.session.chatId, { [SEARCH]: text })
    return { screen }
  },
}
