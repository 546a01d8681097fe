import { InputFile } from 'grammy'
import type { Actor } from '../../../core/access/actor.ts'
import { dayOf } from '../../../core/calendar-day.ts'
import { type Days, daysOfPeriod } from '../../../core/periods.ts'
import { PERIODS, type RecordsFilter, TYPES_OF_KIND, USUAL } from '../../actions/records-filter.ts'
import { RECORDS } from '../../actions/records.ts'
import { USERS } from '../../actions/users.ts'
import { ask, type Question } from '../../dialogue/ask.ts'
import { toPng } from '../../kit/charts/png.ts'
import { existingPage } from '../../kit/existing-page.ts'
import type { Screen } from '../../kit/screen.ts'
import { daysTyped } from '../../kit/typed-day.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { showToMember } from '../../session/show-to-member.ts'
import { viewOf } from '../../session/view-of.ts'
import { agentSvg, spendingSvg } from './account-pictures.ts'
import { recordsTable } from './records-table.ts'
import {
  askDatesScreen,
  dashboardScreen,
  type Owner,
  RECORDS_PER_PAGE,
  recordsScreen,
  spendingScreen,
} from './screens.ts'

/** Records of money in pages and as a file, and the pictures of them. */
export function recordsFeature(): Feature {
  const feature = new Feature()
  feature.command('records', (ctx) => showToMember(ctx, (actor) => recordsPage(ctx, actor, USUAL)))
  feature.onMember(RECORDS.all, (ctx, actor) => recordsPage(ctx, actor, USUAL))
  feature.onMember(RECORDS.ofUser, (ctx, actor, { userId = 0 }) =>
    recordsPage(ctx, actor, { ...USUAL, userId }),
  )
  feature.onMember(RECORDS.list, (ctx, actor, { page, ...filter }) => recordsPage(ctx, actor, filter, page))
  feature.onMember(RECORDS.askDates, async (ctx, _actor, filter) => {
    await ask(ctx, whichDays, filter)
    return undefined
  })
  feature.onMember(RECORDS.file, sendFile)
  feature.onMember(RECORDS.chart, (ctx, actor, { page, ...filter }) => chart(ctx, actor, filter, page))
  feature.onMember(RECORDS.dashboard, (ctx, actor) => dashboard(ctx, actor))
  return feature
}

/** The question for the first and the last day. */
export const whichDays: Question<RecordsFilter> = {
  name: 'records.days',
  prompt: (ctx, _actor, filter) => askDatesScreen(viewOf(ctx), filter),
  answer: async (ctx, actor, filter, text) => {
    const period = daysTyped(text, dayOf(ctx.core.now()))
    return period
      ? { screen: await recordsPage(ctx, actor, { ...filter, period }) }
      : { problem: ctx.texts.records.notDates(text.slice(0, 40)) }
  },
}

async function recordsPage(
  ctx: BotContext,
  actor: Actor,
  filter: RecordsFilter,
  wanted = 1,
): Promise<Screen> {
  const owner = await ownerOf(ctx, actor, filter)
  const days = daysOf(ctx, filter)
  const list = (page: number) =>
    ctx.core.records.transactions(actor, { ...queryOf(filter, days), page, pageSize: RECORDS_PER_PAGE })
  return recordsScreen(viewOf(ctx), filter, owner, days, await existingPage(wanted, list))
}

/** @throws agent_required, sub_user_not_found, not_direct_sub_user */
async function ownerOf({ core }: BotContext, actor: Actor, { userId }: RecordsFilter): Promise<Owner> {
  const isAgent = actor.role === 'agent'
  if (userId === undefined && isAgent)
    return { username: undefined, other: { userId: actor.id }, back: undefined }
  if (userId === undefined || userId === actor.id)
    return {
      username: actor.username,
      other: isAgent ? { userId: undefined } : undefined,
      back: undefined,
    }
  const { username } = await core.accounts.getSubUser(actor, userId)
  return { username, other: undefined, back: USERS.view.data({ id: userId }) }
}

function daysOf({ core }: BotContext, { period }: RecordsFilter): Days | undefined {
  if (typeof period !== 'string') return period
  return period === 'a' ? undefined : daysOfPeriod(core.now(), PERIODS[period])
}

function queryOf({ userId, kind }: RecordsFilter, days: Days | undefined) {
  return { types: [...TYPES_OF_KIND[kind]], ...(userId === undefined ? {} : { userId }), ...days }
}

async function sendFile(ctx: BotContext, actor: Actor, filter: RecordsFilter): Promise<undefined> {
  const { records } = ctx.texts
  const days = daysOf(ctx, filter)
  const { items, total } = await ctx.core.records.exportTransactions(actor, queryOf(filter, days))
  if (items.length === 0) {
    await ctx.notify(records.noneToSend, true)
    return undefined
  }
  const name = days ? `records-${days.startDate}-${days.endDate}.csv` : 'records.csv'
  const content = await recordsTable(ctx.texts, ctx.core.currency, items)
  await ctx.replyWithDocument(new InputFile(content, name), {
    caption: items.length < total ? records.fileCut(items.length, total) : records.file(items.length),
    parse_mode: 'HTML',
  })
  return undefined
}

/** @param filter with `page`, the records that Back leads to; without `userId`, the person's own, for an agent the dashboard */
async function chart(ctx: BotContext, actor: Actor, filter: RecordsFilter, page = 1): Promise<Screen> {
  const { userId } = filter
  if (userId === undefined && actor.role === 'agent') return dashboard(ctx, actor)
  const figures = await ctx.core.records.dashboard(actor, userId)
  const { username } = await ownerOf(ctx, actor, filter)
  const back = RECORDS.list.data({ ...filter, page })
  return spendingScreen(
    viewOf(ctx),
    figures,
    userId === undefined || userId === actor.id ? undefined : username,
    await pictureOf(spendingSvg(figures)),
    back,
  )
}

/** Returns an agent's overview; for a customer, its spending. */
async function dashboard(ctx: BotContext, actor: Actor): Promise<Screen> {
  if (actor.role !== 'agent') return chart(ctx, actor, USUAL)
  const figures = await ctx.core.records.dashboard(actor)
  const { subUsers } = figures
  if (!subUsers) return chart(ctx, actor, { ...USUAL, userId: actor.id })
  return dashboardScreen(viewOf(ctx), figures, subUsers, await pictureOf(agentSvg(figures, subUsers)))
}

async function pictureOf(svg: string | undefined): Promise<string | undefined> {
  return svg === undefined ? undefined : toPng(svg)
}
