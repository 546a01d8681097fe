import { z } from 'zod'
import { AccountsPage, UsageAnswer, UsageBatch } from '../../core/gateway/wire.ts'
import { gatewayEndpoint } from '../endpoint.ts'
import { wholeNumber } from '../wire/query.ts'

const TAG = 'Gateway'
/** Longest wait for a change, in seconds. */
const MOST_WAIT = 25
/** Bytes of the largest body: a batch of 10,000 items with a few hosts each. */
const BATCH_LIMIT = 16 * 1024 * 1024

const FeedQuery = z.object({
  cursor: z
    .string()
    .max(64)
    .optional()
    .meta({ description: '`cursor` of the last page; without one, everything from the beginning' }),
  wait: wholeNumber(0, MOST_WAIT)
    .optional()
    .meta({ description: 'Seconds to wait for a change; 0 when missing' }),
})

export const gatewayAccounts = gatewayEndpoint({
  name: 'listGatewayAccounts',
  method: 'GET',
  path: '/gateway/v1/accounts',
  tag: TAG,
  summary: 'What has changed for a gateway',
  description:
    'Answers at once when something changed after the cursor, else as soon as something does, or after `wait` seconds. Without a ' +
    'cursor, and with one that is not known, `reset` is true and everything comes from the beginning. A page has at most 1,000 ' +
    'accounts; with `more` the next one is to be had at once. One gateway works at a time: while another one has called within the ' +
    'last 15 seconds, the answer is `gateway_taken`.',
  query: FeedQuery,
  answer: AccountsPage,
  errors: ['gateway_taken'],
  example: {
    query: { cursor: '41', wait: 0 },
    data: {
      cursor: '42',
      reset: false,
      more: false,
      sequence: 7,
      accounts: [
        {
          username: 'u0abcdef123456',
          password: 'k2mPqRs7tUvWxYz3aBcD',
          status: 'active',
          product_no: 'DYN-1',
          pool: 'dynamic_1',
          remaining_bytes: 3_750_000_000,
          revision: 42,
          flush: null,
          targets: true,
          allow: [{ cidr: '192.0.2.0/28', country: 'us', session: null }],
        },
      ],
      products: null,
      exits: null,
    },
  },
  handle({ core, query }, { id, gone }) {
    const { cursor, wait = 0 } = query
    return core.gateway.accounts(id, { cursor, waitMs: wait * 1000, signal: gone })
  },
})

export const gatewayUsage = gatewayEndpoint({
  name: 'reportGatewayUsage',
  method: 'POST',
  path: '/gateway/v1/usage',
  tag: TAG,
  summary: 'Report use',
  description:
    'Batches of a journal have the numbers 1, 2, 3 …: one that was counted before changes nothing and is answered again, one after a ' +
    'gap is `usage_out_of_order`. Use beyond what is left is not counted, and an account that never existed is ignored. Bodies have at ' +
    'most 16 MiB.',
  bodyLimit: BATCH_LIMIT,
  body: UsageBatch,
  answer: UsageAnswer,
  errors: ['gateway_taken', 'usage_out_of_order'],
  example: {
    body: {
      sequence: 1,
      items: [
        {
          account: 'u0abcdef123456',
          day: '2026-11-20',
          bytes: 1_250_000,
          targets: [{ host: 'www.example.com', bytes: 1_000_000 }],
        },
      ],
      flushed: [],
      exits: [
        { id: 1, healthy: true, reason: null, connect_ms: 12, connections: 3, bytes: 1_250_000, errors: 0 },
      ],
      gateway: {
        started_at: '2026-11-20T17:57:00.123Z',
        workers: 1,
        connections: 3,
        accepted: 5,
        refused: { target_refused: 1 },
      },
      ended: false,
    },
    data: {
      sequence: 1,
      replayed: false,
      accounts: [{ username: 'u0abcdef123456', remaining_bytes: 3_748_750_000, revision: 42 }],
    },
  },
  handle({ core, body }, { id }) {
    return core.gateway.countUsage(id, body)
  },
})
