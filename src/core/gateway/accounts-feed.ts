import { waitForCommitted } from '../database/after-commits.ts'
import { compiled } from '../database/compiled.ts'
import { type Change, CHANGES_PER_PAGE, readChanges } from './accounts.ts'
import { type AllowedRange, allowedOf } from './allow-list.ts'
import { exitsForGateways } from './exits.ts'
import { noteReading } from '../traffic/gateway-lease.ts'
import { offeredPlaces } from './products.ts'
import type { AccountsPage, GatewayAccount } from './wire.ts'
import { FLUSH_VOID_MS } from '../traffic/flush.ts'
import type { GatewayDeps } from './deps.ts'

/** Interval in ms of looking for changes of other processes, such as operator commands, while a gateway waits. */
const POLL_MS = 1_000

interface FeedRequest {
  /** End of the last page; without one, the feed starts from the beginning. */
  readonly cursor?: string | undefined
  /** Longest time in ms to wait for a change. */
  readonly waitMs: number
  /** Ends the waiting early: the gateway is gone, or the service stops. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Returns what has changed for a gateway since a cursor (rules 12.2); without a change, waits for one.
 *
 * @param gatewayId names the journal of the gateway
 * @throws gateway_taken
 */
export async function accountsFeed(
  deps: GatewayDeps,
  gatewayId: string,
  { cursor, waitMs, signal }: FeedRequest,
): Promise<AccountsPage> {
  const known = await revisionOf(deps, cursor)
  const revision = known ?? 0
  let waiting = false
  const look = async () => {
    await noteReading(deps, gatewayId, { waiting })
    waiting = true
    const flushesSince = new Date(deps.clock.now().getTime() - FLUSH_VOID_MS).toISOString()
    const found = await readChanges(deps.db.read, { revision, gatewayId, flushesSince })
    return found.length > 0 ? found : undefined
  }
  const changes = (await waitForCommitted(deps.db, look, { waitMs, pollMs: POLL_MS, signal })) ?? []
  const page = changes.slice(0, CHANGES_PER_PAGE)
  const accounts = page.filter(({ kind }) => kind === 'account')
  const changed = (kind: Change['kind']) => page.some((change) => change.kind === kind)
  const allowed = await allowedOf(
    deps.db.read,
    accounts.flatMap(({ mainId }) => mainId ?? []),
  )
  return {
    cursor: String(page.at(-1)?.revision ?? revision),
    reset: known === undefined,
    more: changes.length > page.length,
    sequence: page[0]?.sequence ?? 0,
    accounts: accounts.map((account) => toAccount(account, allowed.get(account.mainId ?? 0) ?? [])),
    products: changed('products') ? await offeredPlaces(deps.db.read) : null,
    exits: changed('exits') ? await exitsForGateways(deps) : null,
  }
}

/** Returns the revision of a cursor; undefined without one, and for one newer than the database, as after a restore. */
async function revisionOf({ db }: GatewayDeps, cursor = ''): Promise<number | undefined> {
  if (!/^\d{1,15}$/.test(cursor)) return undefined
  const [last] = await findLast(db.read, {})
  return Number(cursor) <= (last?.revision ?? 0) ? Number(cursor) : undefined
}

const findLast = compiled<object>()((db) =>
  db.selectFrom('gatewayChanges').select(({ fn }) => fn.max<number>('id').as('revision')),
)

function toAccount(
  {
    username,
    mainPassword,
    subPassword,
    subStatus,
    ownerStatus,
    productNo,
    pool,
    remaining,
    revision,
    flush,
    targets,
  }: Change,
  allow: readonly AllowedRange[],
): GatewayAccount {
  return {
    username,
    password: subPassword ?? mainPassword ?? '',
    status: statusOf(ownerStatus, subStatus),
    product_no: productNo ?? '',
    pool: pool ?? '',
    remaining_bytes: remaining,
    revision,
    flush,
    targets: targets === true,
    allow: [...allow],
  }
}

type Status = GatewayAccount['status']

/** Returns the worst of the statuses: a credential is active only while both it and its owner are. */
function statusOf(...all: readonly (Status | null)[]): Status {
  return all.find((status) => status === 'deleted') ?? all.find((status) => status === 'disabled') ?? 'active'
}
