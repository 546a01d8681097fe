import { Command, InvalidArgumentError, Option } from 'commander'
import { POOLS } from '../../core/catalog/product.ts'
import type { ExitTrial, TriedTarget } from '../../core/gateway/exit-probe.ts'
import { type ExitOverview, ExitRecord } from '../../core/gateway/exits.ts'
import { idArgument } from '../arguments.ts'
import { confirm, YES_HELP } from '../confirm.ts'
import { exitUrlFrom, exitUrlWarnings } from '../password.ts'
import { Refusal } from '../../operator/refusal.ts'
import type { Run } from '../run.ts'
import { table } from '../../operator/table.ts'

/** `exit …`: where the traffic of the gateway leaves (rules 12.5). */
export function exitCommands(run: Run): Command[] {
  return [
    addCommand(run),
    editCommand(run),
    listCommand(run),
    testCommand(run),
    pauseCommand(run),
    resumeCommand(run),
    removeCommand(run),
  ]
}

interface NewExit {
  readonly pool: string
  readonly url?: string
  readonly direct?: true
  readonly country?: string
  readonly city?: string
  readonly template?: string
  readonly resolve?: Resolving
}

type Resolving = 'gateway' | 'remote-only'

const ID = 'id of the exit'

const URL_HELP =
  'socks5://user:pass@host:port, http:// or https://; "-" asks for it, or reads it from standard input; one written here stays in the ' +
  'log files of npm'

function addCommand(run: Run): Command {
  return new Command('add')
    .description('add an exit to a pool; the gateway uses it at once')
    .addOption(new Option('--pool <pool>', 'pool of products').choices([...POOLS]).makeOptionMandatory())
    .addOption(new Option('--url <url>', URL_HELP).conflicts('direct'))
    .option('--direct', 'from the gateway itself')
    .option('--country <code>', 'country in which it is, such as us')
    .option('--city <city>', 'city in which it is: code or English name')
    .option(
      '--template <template>',
      'makes it a vendor’s gateway: the username there, such as "{user}-country-{country}-session-{session}"',
    )
    .addOption(resolveOption())
    .action(
      run(async (session, { pool, url: option, direct, country, city, template, resolve }: NewExit) => {
        if (option === undefined && !direct)
          throw new Refusal('validation_error', 'Name an address (--url), or --direct')
        const url = option === undefined ? undefined : await exitUrlFrom(session, option)
        const core = await session.core('create', 'exits')
        const exit = { pool: pool as (typeof POOLS)[number], url, country, city, template, resolve }
        const { id } = await core.operator.exits.add(session.by, exit)
        return {
          data: { id, pool },
          text: `Added exit ${id} to ${pool}; \`exit test ${id}\` tries it`,
          warnings: [...exitUrlWarnings(option), ...resolveWarnings(resolve)],
        }
      }),
    )
}

/** A new one each time: commander keeps what a command was given. */
function resolveOption(): Option {
  return new Option(
    '--resolve <where>',
    'who resolves names of targets: the gateway, too, and refuses those that lead to private addresses, or the exit only',
  ).choices(['gateway', 'remote-only'])
}

function resolveWarnings(resolve: Resolving | undefined): string[] {
  return resolve === 'remote-only'
    ? [
        'names of targets are not checked for this exit: what it reaches beside it, such as this service on the same machine, its users ' +
          'reach, too',
      ]
    : []
}

function editCommand(run: Run): Command {
  return new Command('edit')
    .description('change an exit; what is not named stays, "" takes a place or template away')
    .argument('<id>', ID, idArgument)
    .addOption(new Option('--pool <pool>', 'another pool').choices([...POOLS]))
    .addOption(new Option('--url <url>', `another address, with its login: ${URL_HELP}`).conflicts('direct'))
    .option('--direct', 'from the gateway itself')
    .option('--country <code>', 'country in which it is; another one takes the city away')
    .option('--city <city>', 'city in which it is: code or English name')
    .option('--template <template>', 'the username at a vendor’s gateway')
    .addOption(resolveOption())
    .action(
      run(async (session, id: number, { url: option, direct, ...typed }: Partial<NewExit>) => {
        const url = option === undefined ? undefined : await exitUrlFrom(session, option)
        const core = await session.core('exits')
        await core.operator.exits.edit(session.by, id, {
          pool: typed.pool as (typeof POOLS)[number] | undefined,
          url: direct ? null : url,
          country: nullIfEmpty(typed.country),
          city: nullIfEmpty(typed.city),
          template: nullIfEmpty(typed.template),
          resolve: typed.resolve,
        })
        const warnings = [...exitUrlWarnings(option), ...resolveWarnings(typed.resolve)]
        return { data: { id }, text: `Changed exit ${id}`, warnings }
      }),
    )
}

/** Turns an empty text into null, which removes the value. */
function nullIfEmpty(text: string | undefined): string | null | undefined {
  return text === '' ? null : text
}

function listCommand(run: Run): Command {
  return new Command('list').description('list the exits, as the gateway has reported them').action(
    run(async (session) => {
      const exits = await (await session.core()).operator.exits.list()
      return {
        data: { items: exits.map(ExitRecord.show) },
        text:
          exits.length === 0
            ? 'There is no exit: `exit add` adds one'
            : table([HEADING, ...exits.map(rowOfExit)]),
      }
    }),
  )
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

function testCommand(run: Run): Command {
  return new Command('test')
    .description(
      'connect through an exit to the echo of this server (without PUBLIC_URL to where the gateway tries exits), or to another host, and ' +
        'say what happens',
    )
    .argument('<id>', ID, idArgument)
    .option('--target <host:port>', 'instead of the echo: only a connection is opened', target)
    .action(
      run(async (session, id: number, { target }: { target?: TriedTarget }) => {
        const trial = await (await session.core('exits')).operator.exits.test(id, target)
        const { failure, connectMs, totalMs, exitAddress } = trial
        const data = { connect_ms: connectMs, total_ms: totalMs, exit_address: exitAddress }
        if (failure)
          throw new Refusal('exit_failed', `Exit ${id} does not work: ${failure.reason} (${failure.stage})`, {
            data: { ...data, ...failure },
          })
        return { data: { id, ...data }, text: textOf(id, trial) }
      }),
    )
}

function textOf(id: number, { connectMs, totalMs, exitAddress }: ExitTrial): string {
  const from = exitAddress === null ? '' : `; the request came from ${exitAddress}`
  return `Exit ${id} works: connected after ${connectMs} ms, at the target after ${totalMs} ms${from}`
}

/** Parses `host:port`, with an IPv6 address in brackets. */
function target(text: string): TriedTarget {
  const [, bracketed, plain, port = ''] = /^(?:\[([^\]]+)\]|([^\s:]+)):(\d{1,5})$/.exec(text) ?? []
  const host = bracketed ?? plain
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535)
    throw new InvalidArgumentError('It must be like example.com:443.')
  return { host, port: Number(port) }
}

function pauseCommand(run: Run): Command {
  return new Command('pause')
    .description('use an exit for no new connections')
    .argument('<id>', ID, idArgument)
    .action(
      run(async (session, id: number) => {
        await (await session.core()).operator.exits.pause(session.by, id)
        return { data: { id, status: 'paused' }, text: `Paused exit ${id}` }
      }),
    )
}

function resumeCommand(run: Run): Command {
  return new Command('resume')
    .description('use an exit again')
    .argument('<id>', ID, idArgument)
    .action(
      run(async (session, id: number) => {
        await (await session.core()).operator.exits.resume(session.by, id)
        return { data: { id, status: 'active' }, text: `Resumed exit ${id}` }
      }),
    )
}

function removeCommand(run: Run): Command {
  return new Command('remove')
    .description('remove an exit; what is connected through it goes on')
    .argument('<id>', ID, idArgument)
    .option('--yes', YES_HELP)
    .action(
      run(async (session, id: number, { yes }: { yes?: true }) => {
        await confirm(session, `Remove exit ${id} with its credentials?`, yes)
        await (await session.core()).operator.exits.remove(session.by, id)
        return { data: { id, removed: true }, text: `Removed exit ${id}` }
      }),
    )
}
