import { z } from 'zod'
import { dayOf } from '../calendar-day.ts'
import { POOLS } from '../catalog/product.ts'
import { isCountryCode } from '../catalog/country-code.ts'
import { wordOfCity } from '../catalog/offered-places.ts'
import { compiled } from '../database/compiled.ts'
import type { Queryable } from '../database/queries.ts'
import { InvalidInput, parseInput } from '../errors.ts'
import { type HeldOf, record, Shown, Time } from '../record.ts'
import type { ExitTrial, TriedTarget } from './exit-probe.ts'
import { ExitTemplate } from './exit-template.ts'
import { type ExitCredentials, ExitUrl, toUrl } from './exit-url.ts'
import { vendorUsername } from './vendor-username.ts'
import type { GatewayExit } from './wire.ts'
import type { GatewayDeps } from './deps.ts'

/** What the operator sets of an exit. */
export const ExitFields = z.object({
  pool: z.enum(POOLS, { error: 'no_such_pool' }),
  /** Null: the traffic leaves from the gateway itself. */
  url: ExitUrl.nullable(),
  country: z
    .string()
    .overwrite((code) => code.toUpperCase())
    .refine(isCountryCode, { error: 'not_a_country_code' })
    .transform((code) => code.toLowerCase())
    .nullable(),
  /** UN/LOCODE or English name. */
  city: z
    .string()
    .max(64)
    .transform(wordOfCity)
    .refine((word) => word !== '', { error: 'not_a_city' })
    .nullable(),
  /** Template of the username; makes the exit a vendor's gateway. */
  template: ExitTemplate.nullable(),
  /** Who resolves names of targets: the gateway, which checks them, or the exit alone (rules 12.15). */
  resolve: z.enum(['gateway', 'remote-only'], { error: 'not_a_way_to_resolve' }),
})

type ExitFields = z.output<typeof ExitFields>

const NOTHING = { url: null, country: null, city: null, template: null, resolve: 'gateway' } as const

const NewExit = ExitFields.partial().required({ pool: true })

const ExitChange = ExitFields.partial().refine(
  (change) => Object.values(change).some((value) => value !== undefined),
  { path: ['exit'], error: 'nothing_to_change' },
)

/** Leaves out the fields that are undefined. */
function named<Change extends object>(change: Change) {
  type Named = { [Key in keyof Change]: Exclude<Change[Key], undefined> }
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as Named
}

/** @throws validation_error for parts that do not go together */
function refuseMismatch({ url, country, city, template, resolve }: ExitFields): void {
  if (resolve === 'remote-only' && url === null) throw InvalidInput.of('resolve', 'resolve_of_the_gateway')
  if (city !== null && country === null) throw InvalidInput.of('city', 'city_without_country')
  if (template !== null && !url?.credentials)
    throw InvalidInput.of('template', 'template_without_credentials')
  if (template !== null && country !== null) throw InvalidInput.of('country', 'place_of_a_vendor')
}

/** Returns the columns to store; the credentials are sealed for this exit alone. */
function columnsOf(deps: GatewayDeps, id: number, { url, resolve, ...fields }: ExitFields) {
  const kind: ExitOverview['kind'] = url === null ? 'direct' : fields.template === null ? 'proxy' : 'vendor'
  const credentials = url?.credentials ? deps.exitSecrets.seal(url.credentials, String(id)) : null
  const remoteOnly = resolve === 'remote-only'
  return { ...fields, kind, address: url?.address ?? null, credentials, remoteOnly }
}

/**
 * Adds an exit to a pool (rules 12.5). It is used as soon as a gateway has heard of it.
 *
 * @throws validation_error
 */
export async function addExit(
  deps: GatewayDeps,
  input: z.input<typeof NewExit>,
): Promise<{ readonly id: number }> {
  const fields = { ...NOTHING, ...named(parseInput(NewExit, input)) }
  refuseMismatch(fields)
  return deps.db.write(async (tx) => {
    const { pool } = fields
    const { id } = await tx.$kysely
      .insertInto('exits')
      .values({ pool, kind: 'direct', createdAt: deps.clock.now() })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx.$kysely
      .updateTable('exits')
      .set(columnsOf(deps, id, fields))
      .where('id', '=', id)
      .execute()
    return { id }
  })
}

/**
 * Changes an exit: fields that are not named stay, null clears one. Another country clears the city, unless that is named. With
 * another URL or template the exit counts as not tried yet. The gateway is told at once.
 *
 * @throws validation_error, also (exit) when there is none, or its credentials cannot be read
 */
export async function editExit(
  deps: GatewayDeps,
  id: number,
  input: z.input<typeof ExitChange>,
): Promise<void> {
  const change = named(parseInput(ExitChange, input))
  await deps.db.write(async (tx) => {
    const stored = await accessTo(tx, id)
    const movesCity = change.country !== undefined && change.country !== stored.country
    const fields = {
      ...stored,
      url: storedUrl(deps, stored),
      resolve: stored.remoteOnly && change.url !== null ? ('remote-only' as const) : ('gateway' as const),
      ...(movesCity && { city: null }),
      ...change,
    }
    refuseMismatch(fields)
    const { pool, url, country, city, template, resolve } = fields
    const isOther = change.url !== undefined || template !== stored.template
    await tx.$kysely
      .updateTable('exits')
      .set(columnsOf(deps, id, { pool, url, country, city, template, resolve }))
      .$if(isOther, (update) => update.set({ healthy: null, reason: null, connectMs: null }))
      .where('id', '=', id)
      .execute()
  })
}

/**
 * Sets whether new connections use an exit.
 *
 * @throws validation_error (exit) when there is none
 */
export async function setExitStatus(
  deps: GatewayDeps,
  id: number,
  status: 'active' | 'paused',
): Promise<void> {
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
 * Removes an exit; connections through it go on.
 *
 * @throws validation_error (exit) when there is none
 */
export async function removeExit(deps: GatewayDeps, id: number): Promise<void> {
  await deps.db.write(async (tx) => {
    const removed = await tx.$kysely
      .deleteFrom('exits')
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst()
    if (!removed) throw noSuchExit()
  })
}

/** Who resolves names of targets, held as whether only the exit does. */
const Resolving = new Shown(ExitFields.shape.resolve, (remoteOnly: boolean) =>
  remoteOnly ? 'remote-only' : 'gateway',
)

/** An exit as the gateway reported it last; what it reports is null before that. */
export const ExitRecord = record(
  {
    id: z.int(),
    pool: z.string(),
    kind: z.enum(['direct', 'proxy', 'vendor']),
    /** URL without credentials; null for a direct exit. */
    address: z.string().nullable(),
    country: z.string().nullable(),
    city: z.string().nullable(),
    template: z.string().nullable(),
    status: z.enum(['active', 'paused']),
    healthy: z.boolean().nullable(),
    reason: z.string().nullable(),
    connections: z.int(),
    bytes: z.int(),
    errors: z.int(),
    remoteOnly: Resolving,
    /** The parts of `bytes` and `errors` that were reported today (UTC). */
    bytesToday: z.int(),
    errorsToday: z.int(),
    connectMs: z.number().nullable(),
    reportedAt: Time.nullable(),
  },
  { names: { remoteOnly: 'resolve' } },
)

export type ExitOverview = HeldOf<typeof ExitRecord>

/** Lists all exits, by pool, as gateways reported them last (rules 12.5). */
export function listExits({ db, clock }: Pick<GatewayDeps, 'db' | 'clock'>): Promise<ExitOverview[]> {
  return db.read.$kysely
    .selectFrom('exits as e')
    .leftJoin('exitDays as d', (join) =>
      join.onRef('d.exitId', '=', 'e.id').on('d.day', '=', dayOf(clock.now())),
    )
    .select(['e.id', 'pool', 'kind', 'address', 'country', 'city', 'template', 'status', 'healthy', 'reason'])
    .select(['remoteOnly', 'connectMs', 'reportedAt', 'connections', 'e.bytes', 'e.errors'])
    .select(({ fn, lit }) => [
      fn.coalesce('d.bytes', lit(0)).as('bytesToday'),
      fn.coalesce('d.errors', lit(0)).as('errorsToday'),
    ])
    .orderBy('pool')
    .orderBy('e.id')
    .execute()
}

/** Reads the bytes and errors of exits on a day (UTC): those with most errors first, then those with most bytes. */
export const useOfExits = compiled<{ day: string; limit: number }>()((db, { day, limit }) =>
  db
    .selectFrom('exitDays')
    .select(['exitId as id', 'bytes', 'errors'])
    .where('day', '=', day)
    .orderBy('errors', 'desc')
    .orderBy('bytes', 'desc')
    .orderBy('exitId')
    .limit(limit),
)

const findAccess = compiled<object>()((db) =>
  db
    .selectFrom('exits')
    .select([
      'id',
      'pool',
      'kind',
      'address',
      'credentials',
      'country',
      'city',
      'template',
      'status',
      'remoteOnly',
    ])
    .orderBy('id'),
)

/** Lists all exits with their credentials, for gateways; those whose credentials were sealed with another key are left out. */
export async function exitsForGateways(deps: GatewayDeps): Promise<GatewayExit[]> {
  const exits = await findAccess(deps.db.read, {})
  return exits.flatMap(({ address, credentials, remoteOnly, ...exit }) => {
    const opened = credentialsOf(deps, exit.id, credentials)
    if (opened === undefined) return []
    const url = address === null ? null : toUrl({ address, credentials: opened })
    return [{ ...exit, url, ...(remoteOnly && { remote_only: true }) }]
  })
}

/** Lists the hosts of exits that alone resolve names of targets, unchecked (rules 12.15): names, and addresses without brackets. */
export async function uncheckedExits({ db }: Pick<GatewayDeps, 'db'>): Promise<string[]> {
  const exits = await findAccess(db.read, {})
  return exits.flatMap(({ remoteOnly, address }) =>
    remoteOnly && address !== null ? new URL(address).hostname.replace(/^\[(.*)\]$/, '$1') : [],
  )
}

/**
 * Connects through an exit to a target, by default that of {@link ExitProber} (rules 12.5); nothing is stored.
 *
 * @throws validation_error (exit) when there is none, or its credentials cannot be read
 */
export async function testExit(deps: GatewayDeps, id: number, target?: TriedTarget): Promise<ExitTrial> {
  if (!deps.exitProber) throw new Error('exits cannot be tried here')
  const exit = await accessTo(deps.db.read, id)
  const url = storedUrl(deps, exit)
  if (!url?.credentials) return deps.exitProber(url, target)
  const username = vendorUsername(url.credentials.username, exit.template, ANYWHERE)
  return deps.exitProber({ ...url, credentials: { ...url.credentials, username } }, target)
}

/** @throws validation_error (exit) when there is none */
async function accessTo(db: Queryable, id: number) {
  const exit = (await findAccess(db, {})).find((known) => known.id === id)
  if (!exit) throw noSuchExit()
  return exit
}

/**
 * Returns the URL of a stored exit; null for a direct one.
 *
 * @throws validation_error (exit) when its credentials cannot be read
 */
function storedUrl(
  deps: GatewayDeps,
  { id, address, credentials: sealed }: { id: number; address: string | null; credentials: string | null },
): ExitUrl | null {
  if (address === null) return null
  const credentials = credentialsOf(deps, id, sealed)
  if (credentials === undefined) throw InvalidInput.of('exit', 'exit_cannot_be_read')
  return { address, credentials }
}

/** Values for the template in the test of a vendor's gateway. */
const ANYWHERE = { country: null, city: null, session: null, lifetimeMinutes: 0 }

/** @returns undefined when they were sealed with another key */
function credentialsOf(
  deps: GatewayDeps,
  id: number,
  sealed: string | null,
): ExitCredentials | null | undefined {
  if (sealed === null) return null
  return deps.exitSecrets.open(sealed, String(id)) as ExitCredentials | undefined
}

function noSuchExit(): InvalidInput {
  return InvalidInput.of('exit', 'no_such_exit')
}
