import { Command } from 'commander'
import { type TrailEntry, TrailRecord } from '../../core/people/trail.ts'
import { wholeNumber } from '../arguments.ts'
import type { Run } from '../run.ts'
import { table } from '../../operator/table.ts'

interface Options {
  readonly person?: string
  readonly action?: string
  readonly subject?: string
  readonly from?: string
  readonly to?: string
  readonly limit: number
}

/** `trail`: what those who run the shop did (rules 14.4). */
export function trailCommand(run: Run): Command {
  return new Command('trail')
    .description('list what those who run the shop did, newest first')
    .option('--person <name>', 'only what this person did')
    .option('--action <action>', 'only this action, such as price.set, or all of a kind, such as price')
    .option('--subject <text>', 'only what was done to this id, number, name or username')
    .option('--from <date>', 'first day (UTC), YYYY-MM-DD')
    .option('--to <date>', 'last day (UTC), YYYY-MM-DD')
    .option('--limit <number>', 'at most so many', wholeNumber, 50)
    .action(
      run(async (session, { from, to, ...filter }: Options) => {
        const { items, more } = await (
          await session.core()
        ).operator.trail.list({
          ...filter,
          ...(from !== undefined && { startDate: from }),
          ...(to !== undefined && { endDate: to }),
        })
        const rest = more ? ['There are earlier ones: see --limit and --to'] : []
        return {
          data: { items: TrailRecord.array().show(items), more },
          text:
            items.length === 0
              ? 'Nothing was done'
              : [table([HEADING, ...items.map(rowOfEntry)]), ...rest].join('\n'),
        }
      }),
    )
}

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
