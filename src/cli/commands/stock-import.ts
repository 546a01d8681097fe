import { readFile } from 'node:fs/promises'
import { Command } from 'commander'
import { Refusal } from '../refusal.ts'
import type { Run } from '../run.ts'
import { counted } from '../table.ts'

/** `stock import FILE.csv [--dry-run]`: proxies for sale; all lines of the file or none. */
export function importStockCommand(run: Run): Command {
  return new Command('import')
    .description('take proxies into the stock: all lines of the file, or none when one is bad')
    .argument(
      '<file>',
      'CSV with the heading product_no,ip,port,username,password,country_code,state,city_code,cidr',
    )
    .option('--dry-run', 'only check the file')
    .action(
      run(async (session, file: string, options: { dryRun?: true }) => {
        const csv = await readText(file)
        const core = await session.core()
        const { imported, dryRun } = await core.operator.importStock(csv, options.dryRun ?? false)
        const proxies = counted(imported, 'proxy', 'proxies')
        return {
          data: { imported: dryRun ? 0 : imported, checked: imported, dry_run: dryRun },
          text: dryRun ? `${proxies} can be imported; nothing was changed` : `Imported ${proxies}`,
        }
      }),
    )
}

/** A file in another encoding would give proxies whose credentials do not work. */
async function readText(file: string): Promise<string> {
  const bytes = await readFile(file).catch((error: Error) => {
    throw new Refusal('file_not_readable', `The file cannot be read: ${error.message}`)
  })
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Refusal('file_not_readable', `${file} is not encoded in UTF-8`)
  }
}
