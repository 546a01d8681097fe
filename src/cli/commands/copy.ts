import { existsSync } from 'node:fs'
import { Command } from 'commander'
import { databasePath, isPostgres, openDatabase, openForReading } from '../../core/database/database.ts'
import { lockInstance } from '../../core/database/instance-lock.ts'
import { copyFromPostgres, copyToPostgres, isServed } from '../../core/database/postgres/copy.ts'
import { audit } from '../../core/books/audit.ts'
import { OperatorError } from '../../core/operator-error.ts'
import { Refusal } from '../../operator/refusal.ts'
import { noDatabase, type Run } from '../run.ts'
import { unbalanced } from '../../operator/audit.ts'

interface Ends {
  readonly from: string
  readonly to: string
}

/** `copy --from URL --to URL`: takes a shop from SQLite to PostgreSQL, or back (rules 10.24). */
export function copyCommand(run: Run): Command {
  return new Command('copy')
    .description('copy a whole shop from SQLite to an empty PostgreSQL database, or back; no server may run')
    .requiredOption('--from <url>', 'file: or postgresql:// URL')
    .requiredOption('--to <url>', 'postgresql:// or file: URL; the file must not exist')
    .action(
      run(async (_session, { from, to }: Ends) => {
        if (isPostgres(from) === isPostgres(to))
          throw new Refusal(
            'validation_error',
            'One of --from and --to is a file: URL, the other a postgresql:// URL',
          )
        const rows = isPostgres(to) ? await toPostgres(from, to) : await toFile(from, to)
        return {
          data: { rows, balanced: true },
          text: `Copied ${rows} rows; the books balance on both sides. Set DATABASE_URL to the copy`,
        }
      }),
    )
}

async function toPostgres(from: string, to: string): Promise<number> {
  const file = databasePath(from)
  if (!existsSync(file)) throw noDatabase(file)
  const unlock = lockInstance(from)
  try {
    const source = await openDatabase(from, { locked: true })
    try {
      await requireBooks(source, 'source')
    } finally {
      await source.close()
    }
    // Opening creates the tables.
    await (await openDatabase(to)).close()
    const rows = await copyToPostgres(file, to)
    const target = await openDatabase(to)
    try {
      await requireBooks(target, 'copy')
    } finally {
      await target.close()
    }
    return rows
  } finally {
    unlock()
  }
}

async function toFile(from: string, to: string): Promise<number> {
  const file = databasePath(to)
  if (existsSync(file)) throw new Refusal('file_exists', `${file} exists already and is not overwritten`)
  const source = await openDatabase(from)
  try {
    await requireBooks(source, 'source')
  } finally {
    await source.close()
  }
  if (await isServed(from)) throw new OperatorError('A server is running on this database: stop it first')
  const rows = await copyFromPostgres(from, file)
  const target = openForReading(file)
  try {
    await requireBooks(target, 'copy')
  } finally {
    await target.close()
  }
  return rows
}

async function requireBooks(db: Parameters<typeof audit>[0]['db'], which: string): Promise<void> {
  const differences = await audit({ db })
  if (differences.length > 0) throw unbalanced(differences, `The books of the ${which} do not balance`)
}
