import { z } from 'zod'
import { HeldAddressRecord } from '../core/gateway/held-addresses.ts'
import { CalledGatewayRecord, type GatewayStatus } from '../core/gateway/status.ts'
import { record } from '../core/record.ts'
import { action, typed } from './action.ts'
import { counted, table } from './table.ts'

const GatewayStatusRecord = record({
  atWork: z.boolean(),
  last: CalledGatewayRecord.nullable(),
  bytes: z.int(),
  accepted: z.int(),
  refused: z.record(z.string(), z.int()),
  exits: z.int(),
  healthyExits: z.int(),
})

/** What the operator sees of the gateway (rules 12.1). */
export const gatewayActions = [
  action({
    name: 'gateway status',
    summary: 'show whether the gateway works, and how it does',
    answer: GatewayStatusRecord.schema,
    reads: true,
    async run({ core }) {
      const status = await core.operator.gateway()
      return {
        data: GatewayStatusRecord.show({
          ...status,
          exits: status.exits.length,
          healthyExits: healthyOf(status),
        }),
        text: textOf(status),
      }
    },
  }),
  action({
    name: 'gateway allowed',
    summary: 'show who holds an address on a white list; without one, the latest of all',
    input: {
      address: typed(z.string().optional(), '[address]', 'an address, or a range such as 203.0.113.0/24'),
    },
    answer: z.object({ items: HeldAddressRecord.array().schema }),
    reads: true,
    async run({ core }, { address }) {
      const held = await core.operator.addresses.held(address)
      const rows = held.map(({ cidr, username, productNo, createdAt }) => [
        cidr,
        username,
        productNo,
        createdAt,
      ])
      return {
        data: { items: HeldAddressRecord.array().show(held) },
        text:
          held.length === 0
            ? 'It is on no white list'
            : table([['ADDRESS', 'USERNAME', 'PRODUCT', 'SINCE'], ...rows]),
      }
    },
  }),
  action({
    name: 'gateway free',
    summary: 'take an address from the white list that holds it; its customer is told',
    input: { address: typed(z.string(), '<address>', 'as `gateway allowed` shows it') },
    answer: HeldAddressRecord.schema,
    question: ({ address }) => `Take ${address} from the white list that holds it?`,
    async run({ core, by }, { address }) {
      const freed = await core.operator.addresses.free(by, address)
      return { data: HeldAddressRecord.show(freed), text: `${freed.cidr} is free; ${freed.username} is told` }
    },
  }),
]

/** Returns the number of exits in use that work. */
function healthyOf({ exits }: GatewayStatus): number {
  return exits.filter(({ status, healthy }) => status === 'active' && healthy === true).length
}

function textOf(status: GatewayStatus): string {
  const { atWork, last, bytes, accepted, refused, exits } = status
  if (last === null) return 'No gateway has ever called'
  return [
    atWork
      ? `At work since ${last.startedAt ?? last.calledAt}: ${counted(last.connections, 'connection', 'connections')}, ${counted(last.workers, 'worker', 'workers')}`
      : `${last.ended ? 'Stopped' : 'Silent'} since ${last.calledAt}`,
    `Exits: ${healthyOf(status)} of ${exits.length} work`,
    `Reported: ${bytes} bytes, ${counted(accepted, 'request', 'requests')} let in`,
    ...Object.entries(refused).map(([reason, times]) => `Refused, ${reason}: ${times}`),
  ].join('\n')
}
