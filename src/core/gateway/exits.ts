import { z } from 'zod'
import { dayOf } from '../calendar-day.ts'
import { POOLS } from '../catalog/product.ts'
import { isCountryCode } from '../catalog/places.ts'
import { wordOfCity } from '../catalog/offered-places.ts'
import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import { rowsOf } from '../database/dialect.ts'
import type { CoreDeps } from '../deps.ts'
import { InvalidInput, parseInput } from '../errors.ts'
import type { ExitTrial, TriedTarget } from './exit-probe.ts'
import { ExitTemplate } from './exit-template.ts'
import { type ExitCredentials, ExitUrl, toUrl } from './exit-url.ts'
import { vendorUsername } from './vendor-username.ts'
import type { ExitReport, GatewayExit } from './wire.ts'

const NewExit = z
  .object({
    pool: z.enum(POOLS, { error: 'no_such_pool' }),
    /** Missing: from the gateway itself. */
    url: ExitUrl.optional(),
    country: z
      .string()
      .overwrite((code) => code.toUpperCase())
      .refine(isCountryCode, { error: 'not_a_country_code' })
      .optional(),
    /** UN/LOCODE or English name. */
    city: z
      .string()
      .max(64)
      .transform(wordOfCity)
      .refine((word) => word !== '', { error: 'not_a_city' })
      .optional(),
    /** Makes it a vendor's gateway. */
    template: ExitTemplate.optional(),
  })
  .refine(({ city, country }) => city === undefined || country !== undefined, {
    path: ['city'],
    error: 'city_without_country',
  })
  .refine(({ template, url }) => template === undefined || url?.credentials, {
    path: ['template'],
    error: 'template_without_credentials',
  })
  .refine(({ template, country }) => template === undefined || country === undefined, {
    path: ['country'],
    error: 'place_of_a_vendor',
  })

/**
 * Adds an exit to a pool (rules 12.5). It is used as soon as a gateway has heard of it.
 *
 * @throws validation_error
 */
export async function addExit(
  deps: CoreDeps,
  input: z.input<typeof NewExit>,
): Promise<{ readonly id: number }> {
  const { url, country = null, template = null, city = null, pool } = parseInput(NewExit, input)
  const kind = url === undefined ? 'direct' : template === null ? 'proxy' : 'vendor'
  return deps.db.write(async (tx) => {
    const { id } = await tx.$kysely
      .insertInto('exits')
      .values({
        pool,
        kind,
        template,
        city,
        address: url?.address ?? null,
        country: country && country.toLowerCase(),
        createdAt: deps.clock.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    // Sealed for this exit alone.
    if (url?.credentials)
      await tx.$kysely
        .updateTable('exits')
        .set({ credentials: deps.exitSecrets.seal(url.credentials, String(id)) })
        .where('id', '=', id)
        .execute()
    return { id }
  })
}

/**
 * Sets whether new connections use an exit.
 *
 * @throws validation_error (id) when there is none
 */
export async function setExitStatus(deps: CoreDeps, id: number, status: 'active' | 'paused'): Promise<void> {
  await deps.db.write(async (tx) => {
    const changed = await tx.$kysely
      .updateTable('exits')
      .set({ status })
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst()
    if (!changed) throw noSuchExit()
  })
}

/**
 * Removes an exit; what is connected through it goes on.
 *
 * @throws validation_error (id) when there is none
 */
export async function removeExit(deps: CoreDeps, id: number): Promise<void> {
  await deps.db.write(async (tx) => {
    const removed = await tx.$kysely
      .deleteFrom('exits')
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst()
    if (!removed) throw noSuchExit()
  })
}

export interface ExitOverview {
  readonly id: number
  readonly pool: string
  readonly kind: 'direct' | 'proxy' | 'vendor'
  /** Without credentials; null for a direct one. */
  readonly address: string | null
  readonly country: string | null
  readonly city: string | null
  readonly template: string | null
  readonly status: 'active' | 'paused'
  /** As the gateway reported last; null before its first report. */
  readonly healthy: boolean | null
  readonly reason: string | null
  readonly connectMs: number | null
  readonly reportedAt: string | null
  readonly connections: number
  readonly bytes: number
  readonly errors: number
  /** Of these, reported today (UTC). */
  readonly bytesToday: number
  readonly errorsToday: number
}

/** All exits, by pool, as gateways reported them last (rules 12.5). */
export async function listExits({ db, clock }: Pick<CoreDeps, 'db' | 'clock'>): Promise<ExitOverview[]> {
  const midnight = `${dayOf(clock.now())}T`
  const exits = await findExits(db.read, {})
  return exits.map((exit) =>
    (exit.reportedAt ?? '') < midnight ? { ...exit, bytesToday: 0, errorsToday: 0 } : exit,
  )
}

const findExits = compiled<object>()((db) =>
  db
    .selectFrom('exits')
    .select(['id', 'pool', 'kind', 'address', 'country', 'city', 'template', 'status', 'healthy', 'reason'])
    .select(['connectMs', 'reportedAt', 'connections', 'bytes', 'errors', 'bytesToday', 'errorsToday'])
    .orderBy('pool')
    .orderBy('id'),
)

const findAccess = compiled<object>()((db) =>
  db
    .selectFrom('exits')
    .select(['id', 'pool', 'kind', 'address', 'credentials', 'country', 'city', 'template', 'status'])
    .orderBy('id'),
)

/** All exits with their credentials, for gateways; those whose credentials were sealed with another key are left out. */
export async function exitsForGateways(deps: CoreDeps): Promise<GatewayExit[]> {
  const exits = await findAccess(deps.db.read, {})
  return exits.flatMap(({ address, credentials, ...exit }) => {
    const opened = credentialsOf(deps, exit.id, credentials)
    if (opened === undefined) return []
    return [{ ...exit, url: address === null ? null : toUrl({ address, credentials: opened }) }]
  })
}

/**
 * Connects through an exit to a target, or to the echo of this service; nothing is stored.
 *
 * @throws validation_error (id) when there is none, or its credentials cannot be read
 */
export async function testExit(deps: CoreDeps, id: number, target?: TriedTarget): Promise<ExitTrial> {
  if (!deps.exitProber) throw new Error('exits cannot be tried here')
  const exit = (await findAccess(deps.db.read, {})).find((known) => known.id === id)
  if (!exit) throw noSuchExit()
  const { address, template } = exit
  if (address === null) return deps.exitProber(null, target)
  const opened = credentialsOf(deps, id, exit.credentials)
  if (opened === undefined) throw InvalidInput.of('exit', 'exit_cannot_be_read')
  const credentials = opened && { ...opened, username: vendorUsername(opened.username, template, ANYWHERE) }
  return deps.exitProber({ address, credentials }, target)
}

/** What the test of a vendor's gateway asks for. */
const ANYWHERE = { country: null, city: null, session: null, lifetimeMinutes: 0 }

/** @returns undefined when they were sealed with another key */
function credentialsOf(
  deps: CoreDeps,
  id: number,
  sealed: string | null,
): ExitCredentials | null | undefined {
  if (sealed === null) return null
  return deps.exitSecrets.open(sealed, String(id)) as ExitCredentials | undefined
}

function noSuchExit(): InvalidInput {
  return InvalidInput.of('exit', 'no_such_exit')
}

/** Stores what a gateway reports of its exits (rules 12.5), in the open transaction; those that were removed are left out. */
export async function storeReports(tx: Tx, now: Date, reports: readonly ExitReport[]): Promise<void> {
  if (reports.length === 0) return
  const rows = reports.map(({ healthy, reason, connect_ms: connectMs, ...report }) => ({
    ...report,
    healthy: healthy ? 1 : 0,
    reason: healthy ? null : reason,
    connectMs,
  }))
  await addReports(tx, { rows, now, midnight: `${dayOf(now)}T` })
}

const REPORT = {
  id: 'integer',
  healthy: 'integer',
  reason: 'text',
  connectMs: 'integer',
  connections: 'integer',
  bytes: 'integer',
  errors: 'integer',
} as const

interface ReportRow {
  readonly id: number
  readonly healthy: number
  readonly reason: string | null
  readonly connectMs: number | null
  readonly connections: number
  readonly bytes: number
  readonly errors: number
}

interface Reports {
  readonly rows: readonly ReportRow[]
  readonly now: Date
  /** Not after any time of today, and after all of yesterday. */
  readonly midnight: string
}

const addReports = compiled<Reports>()((db, { rows, now, midnight }) =>
  db
    .updateTable('exits as e')
    .from(rowsOf(rows, REPORT, 'r'))
    .set(({ eb, ref, fn }) => ({
      healthy: eb('r.healthy', '=', 1).$castTo<boolean>(),
      reason: ref('r.reason'),
      // Without a connection since, the last one counts.
      connectMs: fn.coalesce(ref('r.connectMs'), ref('e.connectMs')),
      reportedAt: now,
      connections: eb('e.connections', '+', ref('r.connections')),
      bytes: eb('e.bytes', '+', ref('r.bytes')),
      errors: eb('e.errors', '+', ref('r.errors')),
      // The sums of an earlier day begin anew.
      bytesToday: eb
        .case()
        .when('e.reportedAt', '>=', midnight)
        .then(eb('e.bytesToday', '+', ref('r.bytes')))
        .else(ref('r.bytes'))
        .end(),
      errorsToday: eb
        .case()
        .when('e.reportedAt', '>=', midnight)
        .then(eb('e.errorsToday', '+', ref('r.errors')))
        .else(ref('r.errors'))
        .end(),
    }))
    .whereRef('e.id', '=', 'r.id'),
)
