import { Command } from 'commander'
import type { GatewayStatus } from '../../core/gateway/status.ts'
import type { Run } from '../run.ts'
import { counted } from '../table.ts'

/** `gateway …`: what the operator sees of the gateway (rules 12.1). */
export function gatewayCommands(run: Run): Command[] {
  return [tokenCommand(run), statusCommand(run)]
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
          last: last && {
            gateway_id: last.gatewayId,
            called_at: last.calledAt,
            ended: last.ended,
            started_at: last.startedAt,
            workers: last.workers,
            connections: last.connections,
          },
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
