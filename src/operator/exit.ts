import { z } from 'zod'
import type { ExitTrial, TriedTarget } from '../core/gateway/exit-probe.ts'
import { ExitFields, type ExitOverview, ExitRecord } from '../core/gateway/exits.ts'
import { record } from '../core/record.ts'
import { action, typed } from './action.ts'
import { idArgument, InvalidText } from './arguments.ts'
import { Refusal } from './refusal.ts'
import { table } from './table.ts'

const { shape } = ExitFields

const URL_HELP = 'socks5://user:pass@host:port, http:// or https://'

const direct = typed(z.boolean().default(false), '--direct', 'from the gateway itself')

const resolve = typed(
  shape.resolve.optional(),
  '--resolve <where>',
  'who resolves names of targets: the gateway, too, and refuses those that lead to private addresses, or the exit only',
)

const known = { exit: typed(z.int(), '<id>', 'id of the exit', { parse: idArgument }) }

const Status = z.object({ id: z.int(), status: z.enum(['active', 'paused']) })

const TrialRecord = record({
  connectMs: z.number().nullable(),
  totalMs: z.number().nullable(),
  exitAddress: z.string().nullable(),
})

/** Where the traffic of the gateway leaves (rules 12.5). */
export const exitActions = [
  action({
    name: 'exit add',
    summary: 'add an exit to a pool; the gateway uses it at once',
    input: {
      pool: typed(shape.pool, '--pool <pool>', 'pool of products'),
      url: typed(z.string().optional(), '--url <url>', URL_HELP, { reads: 'Address', conflicts: 'direct' }),
      direct,
      country: typed(z.string().optional(), '--country <code>', 'country in which it is, such as us'),
      city: typed(z.string().optional(), '--city <city>', 'city in which it is: code or English name'),
      template: typed(
        shape.template.optional(),
        '--template <template>',
        'makes it a vendor’s gateway: the username there, such as "{user}-country-{country}-session-{session}"',
      ),
      resolve,
    },
    answer: z.object({ id: z.int(), pool: shape.pool }),
    needs: ['create', 'exits'],
    async run({ core, by }, { direct, ...exit }) {
      if ((exit.url === undefined) !== direct)
        throw new Refusal('validation_error', 'Name an address (--url), or --direct')
      const { id } = await core.operator.exits.add(by, exit)
      const { pool, resolve } = exit
      return {
        data: { id, pool },
        text: `Added exit ${id} to ${pool}; \`exit test ${id}\` tries it`,
        warnings: resolveWarnings(resolve),
      }
    },
  }),
  action({
    name: 'exit edit',
    summary: 'change an exit; what is not named stays, "" takes a place or template away',
    input: {
      ...known,
      pool: typed(shape.pool.optional(), '--pool <pool>', 'another pool'),
      url: typed(z.string().optional(), '--url <url>', `another address, with its login: ${URL_HELP}`, {
        reads: 'Address',
        conflicts: 'direct',
      }),
      direct,
      country: typed(
        z.string().nullish(),
        '--country <code>',
        'country in which it is; another one takes the city away',
        {
          parse: nullIfEmpty,
        },
      ),
      city: typed(z.string().nullish(), '--city <city>', 'city in which it is: code or English name', {
        parse: nullIfEmpty,
      }),
      template: typed(
        shape.template.optional(),
        '--template <template>',
        'the username at a vendor’s gateway',
        { parse: nullIfEmpty },
      ),
      resolve,
    },
    answer: z.object({ id: z.int() }),
    needs: ['exits'],
    async run({ core, by }, { exit: id, direct, ...change }) {
      await core.operator.exits.edit(by, id, { ...change, ...(direct && { url: null }) })
      return { data: { id }, text: `Changed exit ${id}`, warnings: resolveWarnings(change.resolve) }
    },
  }),
  action({
    name: 'exit list',
    summary: 'list the exits, as the gateway has reported them',
    answer: z.object({ items: ExitRecord.array().schema }),
    reads: true,
    async run({ core }) {
      const exits = await core.operator.exits.list()
      return {
        data: { items: exits.map(ExitRecord.show) },
        text:
          exits.length === 0
            ? 'There is no exit: `exit add` adds one'
            : table([HEADING, ...exits.map(rowOfExit)]),
      }
    },
  }),
  action({
    name: 'exit test',
    summary:
      'connect through an exit to the echo of this server (without PUBLIC_URL to where the gateway tries exits), or to another host, and ' +
      'say what happens',
    input: {
      ...known,
      target: typed(
        z
          .string()
          .refine((text) => targetOf(text) !== undefined, { error: 'not_a_target' })
          .optional(),
        '--target <host:port>',
        'instead of the echo: only a connection is opened',
        { parse: targetText },
      ),
    },
    answer: z.object({ id: z.int(), ...TrialRecord.schema.shape }),
    reads: true,
    needs: ['exits'],
    async run({ core, by }, { exit: id, target }) {
      const { exits } = core.operator
      const trial = await (target === undefined ? exits.test(id) : exits.testTarget(by, id, targetOf(target)))
      const { failure } = trial
      const data = TrialRecord.show(trial)
      if (failure)
        throw new Refusal('exit_failed', `Exit ${id} does not work: ${failure.reason} (${failure.stage})`, {
          data: { ...data, ...failure },
        })
      return { data: { id, ...data }, text: textOf(id, trial) }
    },
  }),
  action({
    name: 'exit pause',
    summary: 'use an exit for no new connections',
    input: known,
    answer: Status,
    async run({ core, by }, { exit: id }) {
      await core.operator.exits.pause(by, id)
      return { data: { id, status: 'paused' }, text: `Paused exit ${id}` }
    },
  }),
  action({
    name: 'exit resume',
    summary: 'use an exit again',
    input: known,
    answer: Status,
    async run({ core, by }, { exit: id }) {
      await core.operator.exits.resume(by, id)
      return { data: { id, status: 'active' }, text: `Resumed exit ${id}` }
    },
  }),
  action({
    name: 'exit remove',
    summary: 'remove an exit; what is connected through it goes on',
    input: known,
    answer: z.object({ id: z.int(), removed: z.literal(true) }),
    question: ({ exit }) => `Remove exit ${exit} with its credentials?`,
    async run({ core, by }, { exit: id }) {
      await core.operator.exits.remove(by, id)
      return { data: { id, removed: true }, text: `Removed exit ${id}` }
    },
  }),
]

function resolveWarnings(resolve: z.output<typeof shape.resolve> | undefined): string[] {
  return resolve === 'remote-only'
    ? [
        'names of targets are not checked for this exit: what it reaches beside it, such as this service on the same machine, its users ' +
          'reach, too',
      ]
    : []
}

/** Turns an empty text into null, which removes the value. */
function nullIfEmpty(text: string): string | null {
  return text === '' ? null : text
}

function targetText(text: string): string {
  if (!targetOf(text)) throw new InvalidText('It must be like example.com:443.')
  return text
}

/** Reads `host:port`, with an IPv6 address in brackets. */
function targetOf(text: string): TriedTarget | undefined {
  const [, bracketed, plain = '', digits] = /^(?:\[([^\]\s[]+)\]|([^\s:[\]]+)):(\d{1,5})$/.exec(text) ?? []
  const port = Number(digits)
  return port >= 1 && port <= 65_535 ? { host: bracketed ?? plain, port } : undefined
}

const HEADING = [
  'ID',
  'POOL',
  'KIND',
  'ADDRESS',
  'PLACE',
  'STATE',
  'CONNECT MS',
  'BYTES',
  'ERRORS',
  'REPORTED AT',
]

function rowOfExit(exit: ExitOverview): string[] {
  const { status, healthy, reason } = exit
  const health = healthy === null ? 'not tried' : healthy ? 'works' : `fails: ${reason ?? '-'}`
  return [
    String(exit.id),
    exit.pool,
    exit.kind,
    exit.address ?? '-',
    [exit.country ?? '*', exit.city ?? []].flat().join('/'),
    status === 'paused' ? 'paused' : health,
    exit.connectMs === null ? '-' : String(exit.connectMs),
    String(exit.bytes),
    String(exit.errors),
    exit.reportedAt ?? '-',
  ]
}

function textOf(id: number, { connectMs, totalMs, exitAddress }: ExitTrial): string {
  const from = exitAddress === null ? '' : `; the request came from ${exitAddress}`
  return `Exit ${id} works: connected after ${connectMs} ms, at the target after ${totalMs} ms${from}`
}
