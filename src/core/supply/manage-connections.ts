import { z } from 'zod'
import { calendarDay } from '../calendar-day.ts'
import { Price, PriceInUnits } from '../catalog/prices.ts'
import { InvalidInput, parseInput } from '../errors.ts'
import { fromNumber } from '../money.ts'
import { writeSetting } from '../database/settings.ts'
import { uniqueViolation } from '../database/sqlite-error.ts'
import { type ConnectionAccess, DRIVER_NAMES, type DriverName, SupplierFault } from './driver.ts'
import { asking, findConnection } from './find-connection.ts'
import { instanceId, isBehind } from './instance-id.ts'
import { SupplierUrl } from './supplier-url.ts'
import { addsWork } from '../jobs/added-work.ts'
import type { SupplyDeps } from './deps.ts'

/** The supplier of products that are sold from the own stock. */
const OWN_STOCK = 'inventory'

const Name = z
  .string()
  .regex(/^[a-z0-9-]{2,32}$/, { error: 'not_a_supplier_name' })
  .refine((name) => name !== OWN_STOCK, { error: 'name_of_own_stock' })
const Credential = z.string().trim().min(1).max(500)
/** Account currency for one unit of the supplier's currency. */
const RateInUnits = z
  .number()
  .refine((rate) => rate > 0 && rate <= 1_000_000 && fromNumber(rate) !== undefined, { error: 'not_a_rate' })
const Rate = RateInUnits.transform((rate) => fromNumber(rate) ?? 0)

/** What the operator sets of a connection; the rate and amounts in units of the currency. */
export const ConnectionSettings = z.object({
  url: SupplierUrl,
  key: Credential,
  secret: Credential,
  rate: RateInUnits,
  /** Hours in which the supplier takes proxies back for their price. */
  refundHours: z
    .int()
    .min(0)
    .max(24 * 365),
  /** Most requests at the same time. */
  concurrency: z.int().min(1).max(64),
  /** The operator is told when the balance is lower; 0: never. */
  alarmBalance: PriceInUnits,
  /** The operator is told when the balance lasts for fewer days; 0: never. */
  alarmDays: z.int().min(0).max(365),
  /** The last day in UTC on which the balance can be spent; null: it does not expire, or nobody knows. */
  balanceExpiresOn: calendarDay.nullable(),
})
const settings = ConnectionSettings.shape

export const NewConnection = z.object({
  ...settings,
  name: Name,
  driver: z.enum(DRIVER_NAMES, { error: 'no_such_driver' }),
  rate: Rate.default(1_000_000),
  refundHours: settings.refundHours.optional(),
  concurrency: settings.concurrency.default(4),
  alarmBalance: Price.default(0),
  alarmDays: settings.alarmDays.default(3),
  balanceExpiresOn: settings.balanceExpiresOn.default(null),
})

const ConnectionChange = z
  .object({ ...settings, rate: Rate, alarmBalance: Price })
  .partial()
  .refine((change) => Object.values(change).some((value) => value !== undefined), {
    path: ['name'],
    error: 'nothing_to_change',
  })

/**
 * Adds a connection to a supplier (rules 11.1), which is only asked whether it is this very service; its lane reads the offers.
 *
 * @throws validation_error, supplier_error (credentials that cannot be right)
 */
export async function addConnection(
  deps: SupplyDeps,
  input: z.input<typeof NewConnection>,
): Promise<{ readonly name: string }> {
  const { key, secret, name, refundHours, ...connection } = parseInput(NewConnection, input)
  const driver = await checkAccess(deps, connection.driver, { url: connection.url, key, secret })
  const now = deps.clock.now()
  try {
    await deps.db.write(async (tx) => {
      await tx.$kysely
        .insertInto('supplierConnections')
        .values({
          ...connection,
          name,
          refundHours: refundHours ?? driver.capabilities.refundHours ?? 0,
          credentials: deps.supplierSecrets.seal({ key, secret }, name),
          syncDueAt: now,
          createdAt: now,
          updatedAt: now,
        })
        .execute()
      addsWork(tx, 'supplier_calls')
    })
  } catch (error) {
    if (uniqueViolation(error, 'name')) throw InvalidInput.of('name', 'supplier_exists')
    throw error
  }
  return { name }
}

/**
 * Changes a connection; fields that are missing stay as they are. Name and driver never change. The offers are read again soon.
 *
 * @throws validation_error, supplier_error (credentials that cannot be right)
 */
export async function editConnection(
  deps: SupplyDeps,
  name: string,
  input: z.input<typeof ConnectionChange>,
): Promise<void> {
  const { key, secret, ...change } = parseInput(ConnectionChange, input)
  const found = await findConnection(deps.db.read, name)
  const access = accessOf(deps, found)
  const changed: Partial<ConnectionAccess> = {
    ...access,
    ...(key !== undefined && { key }),
    ...(secret !== undefined && { secret }),
  }
  const newCredentials = key !== undefined || secret !== undefined
  if (newCredentials || change.url !== undefined) {
    if (changed.key === undefined || changed.secret === undefined)
      throw InvalidInput.of('secret', 'credentials_cannot_be_read')
    const { key: keyNow, secret: secretNow } = changed
    await checkAccess(deps, found.driver as DriverName, {
      url: change.url ?? found.url,
      key: keyNow,
      secret: secretNow,
    })
  }
  const now = deps.clock.now()
  await deps.db.write(async (tx) => {
    if (change.rate !== undefined && change.rate !== found.rate)
      await writeSetting(tx, rateSinceKey(found.id), now.toISOString())
    await tx.$kysely
      .updateTable('supplierConnections')
      .set({
        ...change,
        ...(newCredentials && {
          credentials: deps.supplierSecrets.seal({ key: changed.key, secret: changed.secret }, name),
        }),
        faults: 0,
        pausedUntil: null,
        syncDueAt: now,
        updatedAt: now,
      })
      .where('id', '=', found.id)
      .execute()
    addsWork(tx, 'supplier_calls')
  })
}

/** Names the setting that says since when a connection has its rate: amounts from before cannot be compared in the account currency. */
export const rateSinceKey = (id: number): string => `supplier_rate_since:${id}`

/**
 * Stops selling and buying at a supplier, or goes on. What was ordered before is still looked up, and proxies run on.
 *
 * @throws validation_error
 */
export async function setConnectionStatus(
  deps: SupplyDeps,
  name: string,
  status: 'active' | 'paused',
): Promise<void> {
  const { id } = await findConnection(deps.db.read, name)
  const now = deps.clock.now()
  await deps.db.write(async (tx) => {
    await tx.$kysely
      .updateTable('supplierConnections')
      .set({
        status,
        ...(status === 'active' && { faults: 0, pausedUntil: null, syncDueAt: now }),
        updatedAt: now,
      })
      .where('id', '=', id)
      .execute()
    addsWork(tx, 'supplier_calls')
  })
}

/**
 * Removes a connection that no product uses and through which nothing was ever bought.
 *
 * @throws validation_error when it is in use
 */
export async function removeConnection(deps: SupplyDeps, name: string): Promise<void> {
  await deps.db.write(async (tx) => {
    const { id } = await findConnection(tx, name)
    const { $kysely } = tx
    const used = await $kysely
      .selectNoFrom(({ exists, selectFrom, or }) => [
        or([
          exists(selectFrom('products').select('id').where('supplier', '=', name)),
          exists(
            selectFrom('locations as l')
              .innerJoin('supplierOffers as o', 'o.id', 'l.offerId')
              .select('l.id')
              .where('o.connectionId', '=', id),
          ),
        ])
          .$castTo<number>()
          .as('byProducts'),
        exists(selectFrom('supplierCalls').select('id').where('connectionId', '=', id))
          .$castTo<number>()
          .as('byCalls'),
      ])
      .executeTakeFirstOrThrow()
    if (used.byProducts) throw InvalidInput.of('name', 'supplier_has_products')
    if (used.byCalls) throw InvalidInput.of('name', 'supplier_has_calls')
    await $kysely.deleteFrom('supplierOffers').where('connectionId', '=', id).execute()
    await $kysely.deleteFrom('supplierConnections').where('id', '=', id).execute()
  })
}

/**
 * Returns the path below PUBLIC_URL at which a supplier may call back. Whoever knows it can only make the service ask the supplier.
 *
 * @throws validation_error
 */
export async function callbackPath(deps: SupplyDeps, name: string): Promise<string> {
  const { id } = await findConnection(deps.db.read, name)
  return `/suppliers/${name}/${deps.supplierSecrets.digest(`callback ${id}`)}`
}

/** Decrypts the stored credentials; empty when they were encrypted with another key. */
function accessOf(
  deps: SupplyDeps,
  { name, credentials }: { readonly name: string; readonly credentials: string },
): Partial<Omit<ConnectionAccess, 'url'>> {
  return (deps.supplierSecrets.open(credentials, name) as Omit<ConnectionAccess, 'url'> | undefined) ?? {}
}

/** Time limit in ms for the supplier's answer whether it is this very service. */
const SELF_CHECK_MS = 10_000

/**
 * Makes the driver, which refuses credentials that cannot be right, and refuses this very service as its own supplier. A supplier that
 * does not answer is accepted: a loop is refused with each order, too (rules 4.9).
 */
async function checkAccess(deps: SupplyDeps, name: DriverName, access: ConnectionAccess) {
  const kind = deps.drivers[name]
  if (!kind) throw InvalidInput.of('driver', 'no_such_driver')
  const own = await instanceId(deps)
  const driver = await asking(() => kind.connect({ ...access, instanceId: own }))
  const isSelf = await isBehind(deps, driver, AbortSignal.timeout(SELF_CHECK_MS)).catch((error: unknown) => {
    if (error instanceof SupplierFault) return false
    throw error
  })
  if (isSelf) throw InvalidInput.of('url', 'supplier_is_this_service')
  return driver
}
