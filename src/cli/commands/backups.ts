import { Command } from 'commander'
import type { Restored } from '../../backup/restore.ts'
import type { ExaminedCopy } from '../../core/backups/examine-copy.ts'
import { backupName } from '../../core/backups/backup-name.ts'
import type { Backup } from '../../core/backups/list-backups.ts'
import type { LostSince } from '../../core/backups/lost-since.ts'
import { systemClock } from '../../core/clock.ts'
import { DamagedDatabase } from '../../core/database/backup.ts'
import { OperatorError } from '../../core/operator-error.ts'
import { toText } from '../../core/money.ts'
import { installationOf } from '../../installation.ts'
import { confirm, YES_HELP } from '../confirm.ts'
import { Refusal } from '../../operator/refusal.ts'
import { noDatabase, type Run, type Session } from '../run.ts'
import { counted, table } from '../../operator/table.ts'

/** Loaded on demand, with the libraries of all places that store backups. */
const restoring = () => import('../../backup/restore.ts')

const WHICH = 'a file, or a name that `backup list` shows'
/** Most addresses in one `stock disable` that is printed. */
const ADDRESSES_A_LINE = 50

/** `backup now | list | verify | restore`: everything besides `backup FILE`. */
export function backupsCommands(run: Run): Command[] {
  return [nowCommand(run), listCommand(run), verifyCommand(run), restoreCommand(run)]
}

/** Makes the backup before the core is opened, which migrates the database: the backup holds what was there before. */
function nowCommand(run: Run): Command {
  return new Command('now')
    .description('make a backup in every place that is set, and restore it as a trial')
    .action(
      run(async (session) => {
        if (!session.hasDatabase) throw noDatabase(session.database)
        const startedAt = systemClock.now()
        const name = backupName(startedAt)
        const made = await session.makeBackup(name)
        await (
          await session.core('any currency')
        ).operator.backups.record(session.by, { ...made, name, startedAt })
        const { bytes, places, problem } = made
        const data = { name, bytes, places }
        if (problem) {
          throw new Refusal('backup_failed', `The backup failed (${problem.code}): ${problem.detail}`, {
            data: { ...data, problem: problem.code },
          })
        }
        return {
          data,
          text: `${name} (${bytes} bytes) stands in: ${places.join(', ')}; it was restored as a trial`,
        }
      }),
    )
}

function listCommand(run: Run): Command {
  return new Command('list').description('the backups that there are, newest first').action(
    run(async (session) => {
      const { storedBackups } = await restoring()
      const stored = await storedBackups(session.backupSettings())
      const known = new Map((await recorded(session)).map((backup) => [backup.name, backup]))
      const items = stored.map(({ name, bytes, place }) => {
        const backup = known.get(name.replace(/\.db\.gz.*$/, ''))
        // A file that a killed attempt has left was not tried.
        const tried = backup?.places.includes(place) ?? false
        return { name, place, bytes, verified: tried ? backup?.problem !== 'unbalanced' : null }
      })
      const heading = ['NAME', 'PLACE', 'BYTES', 'RESTORED AS A TRIAL']
      return {
        data: { items },
        text:
          items.length === 0
            ? 'There is no backup'
            : table([
                heading,
                ...items.map(({ name, place, bytes, verified }) => [
                  name,
                  place,
                  String(bytes),
                  verified === null ? 'not known' : verified ? 'yes' : 'its books do not balance',
                ]),
              ]),
      }
    }),
  )
}

/** Returns the backups that the database has recorded; none where it is lost or cannot be opened. */
async function recorded(session: Session): Promise<readonly Backup[]> {
  if (!session.hasDatabase) return []
  try {
    return (await (await session.core('any currency')).operator.backups.overview(1000)).last
  } catch (error) {
    if (error instanceof OperatorError) return []
    throw error
  }
}

function verifyCommand(run: Run): Command {
  return new Command('verify')
    .description('restore a backup as a trial, which changes nothing')
    .argument('<backup>', WHICH)
    .action(
      run(async (session, which: string) => {
        const { verifyBackup } = await restoring()
        const examined = await verifyBackup(session.backupSettings(), which).catch(explained)
        const [first] = examined.differences ?? []
        if (first) {
          throw new Refusal(
            'unbalanced',
            `${which} is sound, but its books do not balance: ${first.rule}: ${first.subject}, ${first.detail}`,
            { data: { differences: examined.differences } },
          )
        }
        return {
          data: { backup: which, integrity: 'ok', balanced: examined.differences ? true : null },
          text: `${which} is sound; ${booksOf(examined)}`,
        }
      }),
    )
}

function restoreCommand(run: Run): Command {
  return new Command('restore')
    .description(
      'put a backup in the place of the database, which is kept beside it; only while no server runs',
    )
    .argument('<backup>', WHICH)
    .option('--yes', YES_HELP)
    .action(
      run(async (session, which: string, { yes }: { yes?: true }) => {
        await confirm(session, `Put ${which} in the place of ${session.database}?`, yes)
        const { restoreBackup } = await restoring()
        const restored = await restoreBackup(session.backupSettings(), which, systemClock.now()).catch(
          explained,
        )
        const { replaced, lost, differences } = restored
        return {
          data: {
            database: session.database,
            replaced: replaced ?? null,
            balanced: differences ? differences.length === 0 : null,
            lost: lost ? recordOfLosses(lost) : null,
          },
          text: [
            `${which} is now the database ${session.database}; ${booksOf(restored)}`,
            ...(replaced ? [`What was there before is kept as ${replaced}`, ...lostLines(restored)] : []),
          ].join('\n'),
        }
      }),
    )
}

function booksOf({ differences }: ExaminedCopy): string {
  if (!differences) return 'it is of an older version, and is brought up to date when it is opened'
  return differences.length === 0 ? 'its books balance' : 'its books do NOT balance: see `audit`'
}

/** Returns what is to be done before the start: proxies sold since the backup would be sold twice. */
function lostLines({ lost }: Restored): string[] {
  if (!lost) return ['It could not be compared: what was sold since the backup would be sold twice']
  const { staticOrders, dynamicOrders, proxies, accounts } = lost
  const orders = [...staticOrders, ...dynamicOrders]
  return [
    orders.length === 0
      ? 'It has no order that the backup lacks'
      : `It has ${counted(orders.length, 'order', 'orders')} that the backup lacks, and ${counted(accounts.length, 'account', 'accounts')}:`,
    ...orders.map(
      ({ orderNo, username, totalAmount, createdAt }) =>
        `  ${orderNo}  ${createdAt}  ${username}  ${toText(totalAmount)}`,
    ),
    ...(proxies.length === 0
      ? []
      : ['Before you start the server, take off sale what was delivered with them:']),
    ...chunksOf(proxies, ADDRESSES_A_LINE).map(
      (ips) => `  ${installationOf().operator} stock disable ${ips.join(' ')}`,
    ),
  ]
}

function recordOfLosses({ staticOrders, dynamicOrders, proxies, accounts }: LostSince): object {
  const orders = [...staticOrders, ...dynamicOrders].map(({ orderNo, username, totalAmount, createdAt }) => ({
    order_no: orderNo,
    username,
    total_amount: toText(totalAmount),
    created_at: createdAt,
  }))
  return { orders, proxies, accounts }
}

function chunksOf<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  )
}

function explained(error: unknown): never {
  if (error instanceof DamagedDatabase)
    throw new Refusal('damaged', `The backup is damaged: ${error.problems[0]}`)
  if (error instanceof OperatorError || !(error instanceof Error)) throw error
  throw new Refusal('backup_unusable', `The backup cannot be restored: ${error.message}`)
}
