import type { CoreDeps } from '../deps.ts'
import { announceToOperators } from '../notices/announce.ts'
import { isAnybodyTold } from '../notices/concerns.ts'
import { dropSetting, readSetting, writeSetting } from '../settings.ts'
import { gatewayStatus, type GatewayStatus } from './status.ts'

/** A gateway that had worked and has been silent for so long is told. */
const SILENT_MS = 2 * 60_000

/** What may be wrong, and whether it is; undefined: nothing can be said now, so nothing changes. */
interface Trouble {
  /** Of the incident: since when it is, is kept under this name. */
  readonly key: string
  readonly wrong: boolean | undefined
  readonly begun: 'gateway_silent' | 'pool_without_exit'
  readonly over: 'gateway_back' | 'pool_with_exit'
  readonly pool: string | null
  /** When it began; now by default. */
  readonly since?: string | undefined
}

/**
 * Of the loop: tells the operator that the gateway has been silent for 2 minutes, or that no exit of a pool works; once for each
 * incident, and again when it is over.
 */
export async function tellGatewayTrouble(deps: CoreDeps): Promise<void> {
  if (!(await isAnybodyTold(deps))) return
  const status = await gatewayStatus(deps)
  if (status.last === null) return
  for (const trouble of [silence(deps, status), ...poolsWithoutExit(status)]) await tell(deps, trouble)
}

function silence(deps: CoreDeps, { last, atWork }: GatewayStatus): Trouble {
  const silentMs = deps.clock.now().getTime() - Date.parse(last?.calledAt ?? '')
  const isSilent = last !== null && !last.ended && silentMs >= SILENT_MS
  return {
    key: 'gateway_silent',
    begun: 'gateway_silent',
    over: 'gateway_back',
    pool: null,
    since: last?.calledAt,
    // One that stopped in order is not missed, but has not come back either.
    wrong: isSilent ? true : atWork ? false : undefined,
  }
}

/** Pools with exits in use, none of which the gateway calls healthy. Without reports nothing is known of exits. */
function poolsWithoutExit({ exits, atWork }: GatewayStatus): Trouble[] {
  const inUse = exits.filter(({ status }) => status === 'active')
  return [...new Set(exits.map(({ pool }) => pool))].map((pool): Trouble => {
    const ofPool = inUse.filter((exit) => exit.pool === pool)
    return {
      key: `pool_without_exit:${pool}`,
      begun: 'pool_without_exit',
      over: 'pool_with_exit',
      pool,
      wrong: atWork ? ofPool.length > 0 && ofPool.every(({ healthy }) => healthy === false) : undefined,
    }
  })
}

async function tell(deps: CoreDeps, { key, wrong, begun, over, pool, since }: Trouble): Promise<void> {
  const known = await readSetting(deps, key)
  if (wrong === undefined || wrong === (known !== undefined)) return
  const data = { pool, since: known ?? since ?? deps.clock.now().toISOString() }
  await deps.db.write(async (tx) => {
    if (wrong) await writeSetting(tx, key, data.since)
    else await dropSetting(tx, key)
    await announceToOperators(deps, tx, { kind: wrong ? begun : over, subject: `${key} ${data.since}`, data })
  })
  deps.jobs.wake()
}
