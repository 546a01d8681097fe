import { z } from 'zod'
import { Via } from '../../generated/prisma/enums.ts'
import { calendarDay, endOf, inOrder } from '../calendar-day.ts'
import { compiledForGiven } from '../database/compiled-for-given.ts'
import { caseless, listOf, parsed } from '../database/dialect.ts'
import { InvalidInput, parseInput } from '../errors.ts'
import { type HeldOf, record, Time } from '../record.ts'
import { nextTurn } from '../turns.ts'
import { ACTIONS, type OperatorAction } from './permissions.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** An action as the trail keeps it (rules 14.4). */
export const TrailRecord = record({
  id: z.int(),
  at: Time,
  /** The person's name at that time; null for an operator who was not named. */
  person: z.string().nullable(),
  via: z.enum(Via),
  chatId: z.int().nullable(),
  telegramId: z.int().nullable(),
  action: z.custom<OperatorAction>(),
  subject: z.string(),
  username: z.string().nullable(),
  details: z.record(z.string(), z.unknown()),
})

export type TrailEntry = HeldOf<typeof TrailRecord>

export const TrailFilter = z
  .object({
    /** Current name of the person; the last one of a removed person. */
    person: z.string().trim().max(40),
    /** An action, or a first word for all actions that begin with it. */
    action: z.string().trim().max(40),
    /** The id, number, name or username that it was about. */
    subject: z.string().trim().max(200),
    startDate: calendarDay,
    endDate: calendarDay,
    /** Id of an entry; only older ones are listed. */
    before: z.int().min(1),
  })
  .partial()
  .extend({ limit: z.int().min(1).max(1000).default(20) })
  .refine(inOrder, { path: ['endDate'], error: 'ends_before_it_starts' })

type TrailInput = z.input<typeof TrailFilter>

/** Returns the actions that a search finds: one action, or all that begin with a first word. */
export function actionsLike(action: string): OperatorAction[] {
  const all = Object.keys(ACTIONS) as OperatorAction[]
  return all.filter((known) => known === action || known.startsWith(`${action}.`))
}

/**
 * Lists what was done, newest first.
 *
 * @returns `more`: whether there are entries before the last one
 * @throws validation_error
 */
export async function listTrail(
  { db }: Pick<Essentials, 'db'>,
  input: TrailInput = {},
): Promise<{ readonly items: TrailEntry[]; readonly more: boolean }> {
  const { limit, action, startDate, endDate, ...filter } = parseInput(TrailFilter, input)
  const actions = action === undefined ? undefined : actionsLike(action)
  if (actions?.length === 0) throw InvalidInput.of('action', 'no_such_action')
  const found = await findEntries(db.read, {
    limit: limit + 1,
    ...(actions && { actions }),
    ...(startDate !== undefined && { from: startDate }),
    ...(endDate !== undefined && { until: endOf(endDate) }),
    ...given(filter),
  })
  return { items: found.slice(0, limit) as TrailEntry[], more: found.length > limit }
}

/** Most entries in a file. */
const EXPORT_LIMIT = 100_000
const EXPORT_BATCH = 1000

/**
 * Returns all entries that a filter finds, newest first, for a file.
 *
 * @throws validation_error
 */
export async function wholeTrail(
  deps: Pick<Essentials, 'db'>,
  input: Omit<TrailInput, 'limit' | 'before'> = {},
): Promise<TrailEntry[]> {
  const entries: TrailEntry[] = []
  for (;;) {
    const last = entries.at(-1)
    const before = last && { before: last.id }
    const { items, more } = await listTrail(deps, { ...input, limit: EXPORT_BATCH, ...before })
    entries.push(...items)
    if (!more || entries.length >= EXPORT_LIMIT) return entries
    await nextTurn()
  }
}

interface Wanted {
  readonly limit: number
  readonly person?: string
  readonly actions?: readonly string[]
  readonly subject?: string
  readonly from?: string
  readonly until?: string
  readonly before?: number
}

const findEntries = compiledForGiven<Wanted>()(
  (db, { limit, person, actions, subject, from, until, before }) =>
    db
      .selectFrom('trail as t')
      .select(['t.id', 't.at', 't.person', 't.via', 't.chatId', 't.telegramId', 't.action', 't.subject'])
      .select(({ ref }) => ['t.username', parsed<Record<string, unknown>>(ref('t.details')).as('details')])
      .where(({ and, or, eb, ref, selectFrom }) =>
        and([
          ...(person
            ? [
                eb(
                  't.personId',
                  'in',
                  selectFrom('people')
                    .select('id')
                    .where(({ eb, ref }) => eb(caseless(ref('name')), '=', caseless(person))),
                ),
              ]
            : []),
          ...(actions ? [eb('t.action', 'in', listOf<string>(actions))] : []),
          ...(subject
            ? [
                or([
                  eb(caseless(ref('t.subject')), '=', caseless(subject)),
                  eb(caseless(ref('t.username')), '=', caseless(subject)),
                ]),
              ]
            : []),
          ...(from ? [eb('t.at', '>=', from)] : []),
          ...(until ? [eb('t.at', '<', until)] : []),
          ...(before ? [eb('t.id', '<', before)] : []),
        ]),
      )
      .orderBy('t.id', 'desc')
      .limit(limit ?? 0),
)

/** Drops the fields that are undefined. */
function given<Fields extends object>(fields: Fields) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    readonly [Name in keyof Fields]?: Exclude<Fields[Name], undefined>
  }
}
