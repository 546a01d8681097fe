import { Command } from 'commander'
import { toGigabytes } from '../../core/bytes.ts'
import { readText } from '../read-text.ts'
import type { Run } from '../run.ts'
import { counted } from '../../operator/table.ts'

/** `usage import FILE.csv`: counts the usage reports of the gateway; all lines of the file or none, each report once. */
export function importUsageCommand(run: Run): Command {
  return new Command('import')
    .description('count traffic that the gateway reports: all lines of the file or none, each report once')
    .argument('<file>', 'CSV ("-": from standard input) with the heading account,bytes,report_id')
    .action(
      run(async (session, file: string) => {
        const csv = await readText(session, file)
        const core = await session.core()
        const usage = await core.operator.importUsage(session.by, csv)
        const known = usage.known > 0 ? `; ${usage.known} had come before` : ''
        const beyond =
          usage.uncounted > 0 ? `; ${toGigabytes(usage.uncounted)} GB went beyond what was left` : ''
        return {
          data: {
            imported: usage.imported,
            known: usage.known,
            counted_bytes: usage.counted,
            uncounted_bytes: usage.uncounted,
          },
          text: `Counted ${toGigabytes(usage.counted)} GB of ${counted(usage.imported, 'report', 'reports')}${known}${beyond}`,
        }
      }),
    )
}
