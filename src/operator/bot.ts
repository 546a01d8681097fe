import { z } from 'zod'
import { type AgentBot, AGENT_BOT_STATES, AGENT_STATUSES } from '../core/bots/agent-bot.ts'
import { record, Time } from '../core/record.ts'
import { action, typed } from './action.ts'
import { table } from './table.ts'

const BotRecord = record({
  botId: z.int().meta({ description: 'At Telegram' }),
  username: z.string().meta({ description: 'At Telegram, without @' }),
  name: z.string().meta({ description: 'What customers read of it' }),
  agent: z.string().meta({ description: 'Whose bot it is' }),
  agentStatus: z
    .enum(AGENT_STATUSES)
    .meta({ description: 'Bots of an agent that is not `active` do not run' }),
  ownerId: z.int().meta({ description: 'The Telegram user who has made it, or has sent its token' }),
  managed: z.boolean().meta({ description: 'Made by the bot of the shop, which can read its token' }),
  state: z.enum(AGENT_BOT_STATES).meta({
    description:
      '`pending`: its owner has not opened it; `paused`: by its agent; `halted`: by the operator; `suspended`: it has another owner ' +
      'at Telegram; `unauthorized`: Telegram refuses its token; `conflict`: another program receives its messages',
  }),
  reason: z.string().meta({ description: 'Why it has stopped, in the words of Telegram' }),
  stateAt: Time.meta({ description: 'Since when it is in this state' }),
  createdAt: Time,
})

const input = { bot: typed(z.string(), '<bot>', 'its username, with or without @, or its id at Telegram') }

/** The bots of agents, which sell under the names of these (rules 20.6). */
export const botActions = [
  action({
    name: 'bot list',
    summary: 'list the bots of agents, with what each of them does now',
    answer: z.object({ items: BotRecord.array().schema }),
    reads: true,
    async run({ core }) {
      const bots = await core.operator.bots.list()
      return {
        data: { items: bots.map(BotRecord.show) },
        text: bots.length === 0 ? 'No agent has a bot' : table([HEADING, ...bots.map(rowOfBot)]),
      }
    },
  }),
  action({
    name: 'bot pause',
    summary: 'stop a bot; only `bot resume` lets it go on, and its agent is told',
    input,
    answer: BotRecord.schema,
    async run({ core, by }, { bot }) {
      const paused = await core.operator.bots.pause(by, bot)
      return { data: BotRecord.show(paused), text: `@${paused.username} of ${paused.agent} is paused` }
    },
  }),
  action({
    name: 'bot resume',
    summary: 'let a bot go on, whoever or whatever has stopped it',
    input,
    answer: BotRecord.schema,
    refusals: { invalid_state: 'Its owner has not opened it yet: there is nothing to resume' },
    async run({ core, by }, { bot }) {
      const resumed = await core.operator.bots.resume(by, bot)
      const { username, agent, agentStatus, state } = resumed
      return {
        data: BotRecord.show(resumed),
        text: `@${username} of ${agent} ${state === 'pending' ? 'waits until its owner opens it' : 'goes on'}`,
        warnings:
          agentStatus === 'active' ? [] : [`${agent} is ${agentStatus}: its bots do not run while it is`],
      }
    },
  }),
  action({
    name: 'bot remove',
    summary: 'remove a bot; its customers keep their accounts, and go on in the bot of the shop',
    input,
    answer: BotRecord.schema,
    question: async ({ bot }, { core }) => {
      const { username, agent } = await core.operator.bots.find(bot)
      return `Remove @${username} of ${agent}? It stops answering.`
    },
    async run({ core, by }, { bot }) {
      const removed = await core.operator.bots.remove(by, bot)
      return { data: BotRecord.show(removed), text: `@${removed.username} of ${removed.agent} is removed` }
    },
  }),
]

const HEADING = ['ID', 'USERNAME', 'NAME', 'AGENT', 'STATE', 'SINCE', 'REASON']

function rowOfBot({ botId, username, name, agent, agentStatus, state, reason, stateAt }: AgentBot): string[] {
  const isOut = agentStatus !== 'active'
  return [
    String(botId),
    `@${username}`,
    name,
    agent,
    isOut ? `${state}, agent ${agentStatus}` : state,
    stateAt,
    reason === '' ? '-' : reason,
  ]
}
