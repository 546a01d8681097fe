import { Command } from 'commander'
import { readText } from '../read-text.ts'
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
