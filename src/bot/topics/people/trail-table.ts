import { writeCsv } from '../../../core/csv.ts'
import type { TrailEntry } from '../../../core/people/trail.ts'
import type { Texts } from '../../texts/index.ts'
import { actionText, detailsText } from './trail-words.ts'

/** Entries of the trail as a table in the language of the chat. */
export async function trailTable(texts: Texts, entries: readonly TrailEntry[]): Promise<Buffer> {
  const { columns: names, via: ways } = texts.people.trail
  const cells: Record<keyof typeof names, (entry: TrailEntry) => string | number> = {
    at: ({ at }) => at,
    person: ({ person }) => person ?? '',
    via: ({ via }) => ways[via],
    chat: ({ chatId }) => chatId ?? '',
    telegram: ({ telegramId }) => telegramId ?? '',
    action: ({ action }) => actionText(texts, action),
    subject: ({ subject }) => subject,
    username: ({ username }) => username ?? '',
    details: ({ details }) => detailsText(texts, details),
  }
  const columns = Object.values(cells)
  const header = (Object.keys(cells) as (keyof typeof cells)[]).map((column) => names[column])
  return Buffer.from(await writeCsv(header, entries, (entry) => columns.map((cell) => cell(entry))))
}
