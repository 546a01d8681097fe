import { InputFile } from 'grammy'
import { TRAIL } from '../../actions/people.ts'
import { ask, type OperatorQuestion } from '../../dialogue/ask.ts'
import type { Screen } from '../../kit/screen.ts'
import { promptScreen } from '../../kit/simple-screens.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { askedIn, isOperatorChat } from '../../session/operator-chat.ts'
import { filterDraft, type TrailFilter } from './trail-filter.ts'
import { groupsScreen, trailScreen, whoScreen } from './trail-screens.ts'
import { trailTable } from './trail-table.ts'

const ENTRIES_PER_PAGE = 8

/** What those who run the shop did, newest first (rules 14.4). */
export function trailFeature(): Feature {
  const feature = new Feature(isOperatorChat)
  feature.on(TRAIL.all, (ctx) => look(ctx, () => ({})))
  feature.on(TRAIL.page, async (ctx, { before }) => ctx.show(await pageScreen(ctx, before)))
  feature.on(TRAIL.choosePerson, async (ctx) =>
    ctx.show(whoScreen(ctx.texts, await ctx.core.operator.people.list())),
  )
  feature.on(TRAIL.ofPerson, async (ctx, { id }) => {
    const person = (await ctx.core.operator.people.list()).find((known) => known.id === id)
    return look(ctx, (filter) => ({ ...filter, person: person?.name }))
  })
  feature.on(TRAIL.chooseGroup, (ctx) => ctx.show(groupsScreen(ctx.texts)))
  feature.on(TRAIL.ofGroup, (ctx, { group }) => look(ctx, (filter) => ({ ...filter, action: group })))
  feature.on(TRAIL.askSubject, (ctx) => ask(ctx, whichSubject, null))
  feature.on(TRAIL.file, sendFile)
  return feature
}

/** Changes the filter and shows what it finds. */
async function look(ctx: BotContext, change: (filter: TrailFilter) => TrailFilter): Promise<unknown> {
  await filterDraft.write(ctx, change((await filterDraft.read(ctx)) ?? {}))
  return ctx.show(await pageScreen(ctx))
}

async function pageScreen(ctx: BotContext, before?: number): Promise<Screen> {
  const filter = (await filterDraft.read(ctx)) ?? {}
  const found = await ctx.core.operator.trail.list({
    ...filter,
    ...(before !== undefined && { before: Math.max(before, 1) }),
    limit: ENTRIES_PER_PAGE,
  })
  return trailScreen(ctx.texts, filter, found, before !== undefined)
}

async function sendFile(ctx: BotContext): Promise<unknown> {
  const entries = await ctx.core.operator.trail.whole((await filterDraft.read(ctx)) ?? {})
  const { trail } = ctx.texts.people
  if (entries.length === 0) return ctx.notify(trail.none, true)
  return ctx.replyWithDocument(new InputFile(await trailTable(ctx.texts, entries), 'trail.csv'), {
    caption: trail.file(entries.length),
    parse_mode: 'HTML',
  })
}

/** The customer, order, product or other subject whose entries are looked for. */
const whichSubject: OperatorQuestion<null> = {
  name: 'trail.subject',
  forOperator: true,
  prompt: (ctx) =>
    askedIn(ctx, promptScreen(ctx.texts, ctx.texts.people.trail.askSubject, TRAIL.page.data())),
  answer: async (ctx, _actor, _state, text) => {
    const filter = { ...(await filterDraft.read(ctx)), subject: text.slice(0, 200) }
    await filterDraft.write(ctx, filter)
    return { screen: await pageScreen(ctx) }
  },
}

export const trailQuestions = [whichSubject]
