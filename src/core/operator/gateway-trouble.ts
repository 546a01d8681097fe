import { isAnybodyTold } from '../notices/concerns.ts'
import { type Incident, tellIncident } from './tell-incident.ts'
import { gatewayStatus, type GatewayStatus } from '../gateway/status.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** Silence of a gateway, in ms, after which the operator is told. */
const SILENT_MS = 2 * 60_000

/**
 * Sweep of the job loop: tells the operator that the gateway has been silent for 2 minutes, or that no exit of a pool works; once for
 * each incident, and again when it is over.
 */
export async function tellGatewayTrouble(deps: Essentials): Promise<void> {
  if (!(await isAnybodyTold(deps))) return
  const status = await gatewayStatus(deps)
  if (status.last === null) return
  for (const trouble of [silence(deps, status), ...poolsWithoutExit(status)])
    await tellIncident(deps, trouble)
}

function silence(deps: Essentials, { last, atWork }: GatewayStatus): Incident {
  const silentMs = deps.clock.now().getTime() - Date.parse(last?.calledAt ?? '')
  const isSilent = last !== null && !last.ended && silentMs >= SILENT_MS
  return {
    key: 'gateway_silent',
    since: last?.calledAt,
    // A gateway that said that it stops is neither silent nor back.
    wrong: isSilent ? true : atWork ? false : undefined,
    news: ({ wrong, since, subject }) => ({
      kind: wrong ? 'gateway_silent' : 'gateway_back',
      subject,
      data: { pool: null, since },
    }),
  }
}

/** Returns an incident for each pool: wrong when each exit is paused or reported as not healthy; unknown while no gateway works. */
function poolsWithoutExit({ exits, atWork }: GatewayStatus): Incident[] {
  const mayWork = exits.filter(({ status, healthy }) => status === 'active' && healthy !== false)
  return [...new Set(exits.map(({ pool }) => pool))].map((pool): Incident => {
    return {
      key: `pool_without_exit:${pool}`,
      wrong: atWork ? !mayWork.some((exit) => exit.pool === pool) : undefined,
      news: ({ wrong, since, subject }) => ({
        kind: wrong ? 'pool_without_exit' : 'pool_with_exit',
        subject,
        data: { pool, since },
      }),
    }
  })
}
