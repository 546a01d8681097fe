import { toGigabytes } from '../core/bytes.ts'
import { UsageImportRecord } from '../core/traffic/import-usage.ts'
import { action } from './action.ts'
import { csvFile } from './arguments.ts'
import { counted } from './table.ts'

/** Counts the usage reports of the gateway; all lines of the file or none, each report once. */
export const importUsageAction = action({
  name: 'usage import',
  summary: 'count traffic that the gateway reports: all lines of the file or none, each report once',
  input: { csv: csvFile('account,bytes,report_id') },
  answer: UsageImportRecord.schema,
  async run({ core, by }, { csv }) {
    const usage = await core.operator.importUsage(by, csv)
    const known = usage.known > 0 ? `; ${usage.known} had come before` : ''
    const beyond = usage.uncounted > 0 ? `; ${toGigabytes(usage.uncounted)} GB went beyond what was left` : ''
    return {
      data: UsageImportRecord.show(usage),
      text: `Counted ${toGigabytes(usage.counted)} GB of ${counted(usage.imported, 'report', 'reports')}${known}${beyond}`,
    }
  },
})
