import { z } from 'zod'
import { type HeldOf, record, Time } from '../record.ts'
import { type ExitOverview, listExits } from './exits.ts'
import { isGatewayAtWork } from '../traffic/gateway-lease.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** A gateway at its latest call. */
export const CalledGatewayRecord = record({
  gatewayId: z.string(),
  calledAt: Time,
  /** It said that it stops. */
  ended: z.boolean(),
  startedAt: Time.nullable(),
  workers: z.int(),
  connections: z.int(),
})
type CalledGateway = HeldOf<typeof CalledGatewayRecord>

export interface GatewayStatus {
  /** Whether a gateway works: it has called within the last 15 seconds, and has not said that it stops. */
  readonly atWork: boolean
  /** The gateway that called last; null when none ever did. */
  readonly last: CalledGateway | null
  /** Sums of all reports of all gateways. */
  readonly bytes: number
  readonly accepted: number
  readonly refused: Readonly<Record<string, number>>
  readonly exits: readonly ExitOverview[]
}

/** Reads the state of the gateway and its exits, for the operator (rules 12.1, 12.5). */
export async function gatewayStatus(deps: Essentials): Promise<GatewayStatus> {
  const gateways = await deps.db.read.$kysely
    .selectFrom('gateways')
    .select(['gatewayId', 'calledAt', 'ended', 'startedAt', 'workers', 'connections', 'bytes', 'accepted'])
    .select('refused')
    .orderBy('calledAt', 'desc')
    .orderBy('gatewayId')
    .execute()
  const refused = new Map<string, number>()
  for (const gateway of gateways)
    for (const [reason, times] of Object.entries(JSON.parse(gateway.refused) as Record<string, number>))
      refused.set(reason, (refused.get(reason) ?? 0) + times)
  const [last = null] = gateways
  return {
    atWork: await isGatewayAtWork(deps),
    last,
    bytes: gateways.reduce((sum, { bytes }) => sum + bytes, 0),
    accepted: gateways.reduce((sum, { accepted }) => sum + accepted, 0),
    refused: Object.fromEntries(refused),
    exits: await listExits(deps),
  }
}
