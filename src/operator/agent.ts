import { z } from 'zod'
import { Because } from '../core/accounts/because.ts'
import { type LeftBehind, LeftBehindRecord } from '../core/accounts/clear-deleted.ts'
import { NewAgent } from '../core/accounts/create-account.ts'
import { AgentEdit } from '../core/accounts/edit-agent.ts'
import { AgentRecord } from '../core/accounts/list-agents.ts'
import { fromNumber, toText } from '../core/money.ts'
import { Money, record } from '../core/record.ts'
import { Password } from '../core/usernames.ts'
import { contactInput, EditedAccount } from './account.ts'
import { action, typed } from './action.ts'
import { counted, table } from './table.ts'

const AGENT = 'username of the agent'

const ClearedRecord = record({
  username: z.string(),
  cleared: z.boolean(),
  total: Money,
  items: LeftBehindRecord.array(),
})

/** Agents, and what deleted sub-users of theirs have left (rules 2.14, 10.2). */
export const agentActions = [
  action({
    name: 'agent create',
    summary: 'create an agent account',
    input: {
      username: typed(NewAgent.shape.username, '<name>', '3-50 characters'),
      password: typed(Password, '--password <password>', '6-50 characters', { reads: 'Password' }),
      level: typed(NewAgent.shape.level, '--level <number>', 'price level'),
      balance: typed(NewAgent.shape.balance, '--balance <amount>', 'initial balance'),
      funding: typed(
        NewAgent.shape.funding,
        '--funding <source>',
        "where the balance of sub-users comes from: the agent's own balance (transfer), or newly created (mint)",
      ),
    },
    answer: z.object({
      id: z.int(),
      username: z.string(),
      role: z.literal('agent'),
      level: NewAgent.shape.level.unwrap(),
      balance: z.number(),
      funding: NewAgent.shape.funding.unwrap(),
      currency: z.string(),
    }),
    needs: ['create'],
    async run({ core, by, currency }, input) {
      const { level, balance, funding } = input
      const { id, username } = await core.operator.createAgent(by, input)
      const money = `${toText(fromNumber(balance) ?? 0)} ${currency}`
      return {
        data: { id, username, role: 'agent' as const, level, balance, funding, currency },
        text: `Created agent ${username} (id ${id}): level ${level}, balance ${money}, funding ${funding}`,
      }
    },
  }),
  action({
    name: 'agent edit',
    summary: 'change an agent; what is not named stays as it is',
    input: {
      username: typed(z.string(), '<name>', AGENT),
      ...contactInput,
      password: typed(
        AgentEdit.shape.password,
        '--password <password>',
        'logs it out everywhere; 6-50 characters',
        { reads: 'Password' },
      ),
      level: typed(AgentEdit.shape.level, '--level <number>', 'price level, of its sub-users too'),
      funding: typed(
        AgentEdit.shape.funding,
        '--funding <kind>',
        'where the money for its sub-users comes from',
      ),
      enable: typed(z.boolean().default(false), '--enable', 'let it in again', { conflicts: 'disable' }),
      disable: typed(
        z.boolean().default(false),
        '--disable',
        'keep it out from now on; its sub-users go on without it',
      ),
    },
    answer: EditedAccount,
    question: ({ username, disable }) =>
      disable ? `Keep the agent ${username} out from now on?` : undefined,
    async run({ core, by }, { username, enable, disable, ...edit }) {
      const enabled = enable ? true : disable ? false : undefined
      const id = await core.operator.editAgent(by, username, { ...edit, enabled })
      return { data: { id, username }, text: `Changed agent ${username}` }
    },
  }),
  action({
    name: 'agent list',
    summary: 'list all agents with their balances and the number of their sub-users',
    answer: z.object({ currency: z.string(), items: AgentRecord.array().schema }),
    reads: true,
    async run({ core, currency }) {
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
      const header = ['NAME', 'ID', 'LEVEL', 'FUNDING', 'STATUS', 'BALANCE', 'SUB-USERS', 'THEIR BALANCES']
      return {
        data: { currency, items: AgentRecord.array().show(agents) },
        text: rows.length === 0 ? 'There are no agents yet' : table([header, ...rows]),
      }
    },
  }),
  action({
    name: 'agent clear',
    summary: 'take back what deleted sub-users of an agent have left; without --reason, show it only',
    input: {
      username: typed(z.string(), '<name>', AGENT),
      reason: typed(
        Because.shape.reason.optional(),
        '--reason <text>',
        'why, 1-255 characters; kept in the trail and with each entry',
      ),
    },
    answer: ClearedRecord.schema,
    async question({ username, reason }, { core, currency }) {
      if (reason === undefined) return undefined
      const left = await core.operator.leftWithDeleted(username)
      return left.length === 0 ? undefined : `${tableOfLeft(left, currency)}\nTake it back?`
    },
    async run({ core: { operator }, by, currency }, { username, reason }) {
      const left =
        reason === undefined
          ? await operator.leftWithDeleted(username)
          : await operator.clearDeleted(by, { username, reason })
      const cleared = reason !== undefined && left.length > 0
      const whose = counted(left.length, 'deleted sub-user', 'deleted sub-users')
      return {
        data: ClearedRecord.show({ username, cleared, total: totalOf(left), items: left }),
        text:
          left.length === 0
            ? `Deleted sub-users of ${username} have nothing left`
            : cleared
              ? `Took ${toText(totalOf(left))} ${currency} back from ${whose} of ${username}`
              : tableOfLeft(left, currency),
      }
    },
  }),
]

function tableOfLeft(left: readonly LeftBehind[], currency: string): string {
  return table([
    ['NAME', 'ID', 'BALANCE'],
    ...left.map(({ username, id, balance }) => [username, String(id), toText(balance)]),
    ['', '', `${toText(totalOf(left))} ${currency}`],
  ])
}

function totalOf(left: readonly LeftBehind[]): number {
  return left.reduce((sum, { balance }) => sum + balance, 0)
}
