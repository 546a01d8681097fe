import { z } from 'zod'
import { type TrailEntry, TrailFilter, TrailRecord } from '../core/people/trail.ts'
import { action, typed } from './action.ts'
import { table } from './table.ts'

const { shape } = TrailFilter

/** What those who run the shop did (rules 14.4). */
export const trailAction = action({
  name: 'trail',
  summary: 'list what those who run the shop did, newest first',
  input: {
    person: typed(shape.person, '--person <name>', 'only what this person did'),
    action: typed(
      shape.action,
      '--action <action>',
      'only this action, such as price.set, or all of a kind, such as price',
    ),
    subject: typed(
      shape.subject,
      '--subject <text>',
      'only what was done to this id, number, name or username',
    ),
    startDate: typed(shape.startDate, '--from <date>', 'first day (UTC), YYYY-MM-DD'),
    endDate: typed(shape.endDate, '--to <date>', 'last day (UTC), YYYY-MM-DD'),
    limit: typed(shape.limit.unwrap().default(50), '--limit <number>', 'at most so many'),
  },
  answer: z.object({ items: TrailRecord.array().schema, more: z.boolean() }),
  reads: true,
  async run({ core }, filter) {
    const { items, more } = await core.operator.trail.list(filter)
    const rest = more ? ['There are earlier ones: see --limit and --to'] : []
    return {
      data: { items: TrailRecord.array().show(items), more },
      text:
        items.length === 0
          ? 'Nothing was done'
          : [table([HEADING, ...items.map(rowOfEntry)]), ...rest].join('\n'),
    }
  },
})

const HEADING = ['TIME', 'WHO', 'FROM', 'ACTION', 'ABOUT', 'DETAILS']

function rowOfEntry({ at, person, via, chatId, action, subject, username, details }: TrailEntry): string[] {
  const whom = [subject, username ?? ''].filter((text) => text !== '').join(' ')
  const input = Object.entries(details).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  return [
    at,
    person ?? '-',
    chatId === null ? via : `chat ${chatId}`,
    action,
    whom || '-',
    input.join(', ') || '-',
  ]
}
