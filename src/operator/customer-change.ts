import { z } from 'zod'
import { Because } from '../core/accounts/because.ts'
import { INVITE_MARK } from '../core/accounts/invites.ts'
import { EndedSecrets } from '../core/ended-secrets.ts'
import { toNumber, toText } from '../core/money.ts'
import { Time } from '../core/record.ts'
import { action, typed } from './action.ts'
import { Refusal } from './refusal.ts'

const username = typed(z.string(), '<name>', 'username')
const reason = typed(Because.shape.reason, '--reason <text>', 'why, 1-255 characters; kept in the trail')
const change = { username, reason }

const ChangedStatus = z.object({ username: z.string(), changed: z.boolean() })

/** Changes of a customer (rules 16.2, 16.3). */
export const customerChangeActions = [
  action({
    name: 'customer disable',
    summary: 'keep a customer out; its proxies go on',
    input: change,
    answer: ChangedStatus,
    question: ({ username }) => `Disable ${username}?`,
    async run({ core, by }, input) {
      const changed = await core.operator.customers.disable(by, input)
      return { data: { username: input.username, changed }, text: `${input.username} is disabled` }
    },
  }),
  action({
    name: 'customer enable',
    summary: 'let a customer in again',
    input: change,
    answer: ChangedStatus,
    async run({ core, by }, input) {
      const changed = await core.operator.customers.enable(by, input)
      return { data: { username: input.username, changed }, text: `${input.username} is enabled` }
    },
  }),
  action({
    name: 'customer link',
    summary: 'make a link to the bot by which a customer logs in and sets a password; it works once',
    input: change,
    answer: z.object({
      username: z.string(),
      start: z.string(),
      link: z.string().nullable(),
      expires_at: Time,
    }),
    async run({ core, by, botLink }, input) {
      const { username, token, expiresAt } = await core.operator.customers.link(by, input)
      const start = `${INVITE_MARK}${token}`
      const { link = null, text } = await botLink(start)
      const until = expiresAt.toISOString()
      return { data: { username, start, link, expires_at: until }, text: `${text} (until ${until})` }
    },
  }),
  action({
    name: 'customer logout',
    summary: 'end all tokens, chat log-ins and links of an account; the password stays',
    input: change,
    answer: z.object({ username: z.string() }),
    async run({ core, by }, input) {
      await core.operator.customers.logOut(by, input)
      const { username } = input
      return { data: { username }, text: `${username} is logged out everywhere` }
    },
  }),
  action({
    name: 'customer delete',
    summary: 'delete a customer for good; its proxies work until they expire',
    input: change,
    answer: z.object({ id: z.int(), username: z.string(), returned_balance: z.number() }),
    question: ({ username }) => `Delete ${username} for good?`,
    async run({ core, by, currency }, input) {
      const { id, returnedBalance } = await core.operator.customers.delete(by, input)
      const { username } = input
      return {
        data: { id, username, returned_balance: toNumber(returnedBalance) },
        text: `Deleted ${username}; ${toText(returnedBalance)} ${currency} went back to the agent`,
      }
    },
  }),
  action({
    name: 'customer move',
    summary:
      'move a customer to another agent, whose prices hold from then on; what the old one could hold of it ends',
    input: {
      username,
      agent: typed(z.string().nullish(), '--agent <name>', 'username of the new agent', {
        no: 'to none: a customer of the shop',
      }),
      reason,
    },
    answer: z.object({
      id: z.int(),
      username: z.string(),
      from: z.string().nullable(),
      to: z.string().nullable(),
      ended: EndedSecrets,
    }),
    question: ({ username, agent }) =>
      agent === undefined ? undefined : `Move ${username} to ${agent ?? 'no agent'}?`,
    async run({ core, by }, { username, agent, reason }) {
      if (agent === undefined) throw new Refusal('validation_error', 'Say --agent NAME or --no-agent')
      const { id, from, to, ended } = await core.operator.customers.move(by, { username, agent, reason })
      return {
        data: { id, username, from, to, ended },
        text: [
          `Moved ${username} from ${from ?? 'no agent'} to ${to ?? 'no agent'}`,
          ...(ended.password === undefined
            ? []
            : ['Its old agent had chosen its password, which has ended: make it a link by `customer link`']),
        ].join('\n'),
      }
    },
  }),
]
