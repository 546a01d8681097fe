import { Command } from 'commander'
import { AgentRecord } from '../../core/accounts/list-agents.ts'
import { toText } from '../../core/money.ts'
import type { Run } from '../run.ts'
import { table } from '../../operator/table.ts'

const HEADING = ['NAME', 'ID', 'LEVEL', 'FUNDING', 'STATUS', 'BALANCE', 'SUB-USERS', 'THEIR BALANCES']

/** `agent list`: all agents. */
export function listAgentsCommand(run: Run): Command {
  return new Command('list')
    .description('list all agents with their balances and the number of their sub-users')
    .action(
      run(async (session) => {
        const core = await session.core()
        const agents = await core.operator.listAgents()
        const rows = agents.map((agent) => [
          agent.username,
          String(agent.id),
          String(agent.level),
          agent.funding,
          agent.status,
          toText(agent.balance),
          String(agent.users),
          toText(agent.usersBalance),
        ])
        return {
          data: {
            currency: session.currency,
            items: AgentRecord.array().show(agents),
          },
          text: rows.length === 0 ? 'There are no agents yet' : table([HEADING, ...rows]),
        }
      }),
    )
}
