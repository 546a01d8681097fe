import { Command } from 'commander'
import type { HeldAddress } from '../../core/gateway/held-addresses.ts'
import { CalledGatewayRecord, type GatewayStatus } from '../../core/gateway/status.ts'
import { confirm, YES_HELP } from '../confirm.ts'
import type { Run } from '../run.ts'
import { counted, table } from '../../operator/table.ts'

/** `gateway …`: what the operator sees of the gateway (rules 12.1). */
export function gatewayCommands(run: Run): Command[] {
  return [tokenCommand(run), statusCommand(run), allowedCommand(run), freeCommand(run)]
}

function tokenCommand(run: Run): Command {
  return new Command('token')
    .description('show the token with which a gateway on another machine identifies itself (GATEWAY_TOKEN)')
    .action(
      run((session) => {
        const token = session.gatewayToken()
        return Promise.resolve({ data: { token }, text: token })
      }),
    )
}

function statusCommand(run: Run): Command {
  return new Command('status').description('show whether the gateway works, and how it does').action(
    run(async (session) => {
      const status = await (await session.core()).operator.gateway()
      const { atWork, last, exits, ...sums } = status
      return {
        data: {
          at_work: atWork,
          last: last && CalledGatewayRecord.show(last),
          ...sums,
          exits: exits.length,
          healthy_exits: exits.filter(({ healthy }) => healthy === true).length,
        },
        text: textOf(status),
      }
    }),
  )
}

function textOf({ atWork, last, bytes, accepted, refused, exits }: GatewayStatus): string {
  if (last === null) return 'No gateway has ever called'
  const healthy = exits.filter((exit) => exit.status === 'active' && exit.healthy === true).length
  return [
    atWork
      ? `At work since ${last.startedAt ?? last.calledAt}: ${counted(last.connections, 'connection', 'connections')}, ${counted(last.workers, 'worker', 'workers')}`
      : `${last.ended ? 'Stopped' : 'Silent'} since ${last.calledAt}`,
    `Exits: ${healthy} of ${exits.length} work`,
    `Reported: ${bytes} bytes, ${counted(accepted, 'request', 'requests')} let in`,
    ...Object.entries(refused).map(([reason, times]) => `Refused, ${reason}: ${times}`),
  ].join('\n')
}

function allowedCommand(run: Run): Command {
  return new Command('allowed')
    .description('show who holds an address on a white list; without one, the latest of all')
    .argument('[address]', 'an address, or a range such as 203.0.113.0/24')
    .action(
      run(async (session, address: string | undefined) => {
        const held = await (await session.core()).operator.addresses.held(address)
        return {
          data: { items: held.map(recordOfAddress) },
          text:
            held.length === 0
              ? 'It is on no white list'
              : table([
                  ['ADDRESS', 'USERNAME', 'PRODUCT', 'SINCE'],
                  ...held.map((range) => [range.cidr, range.username, range.productNo, range.createdAt]),
                ]),
        }
      }),
    )
}

function freeCommand(run: Run): Command {
  return new Command('free')
    .description('take an address from the white list that holds it; its customer is told')
    .argument('<address>', 'as `gateway allowed` shows it')
    .option('--yes', YES_HELP)
    .action(
      run(async (session, address: string, { yes }: { yes?: true }) => {
        await confirm(session, `Take ${address} from the white list that holds it?`, yes)
        const freed = await (await session.core()).operator.addresses.free(session.by, address)
        return { data: recordOfAddress(freed), text: `${freed.cidr} is free; ${freed.username} is told` }
      }),
    )
}

function recordOfAddress({ cidr, username, productNo, createdAt }: HeldAddress): object {
  return { address: cidr, username, product_no: productNo, created_at: createdAt }
}
