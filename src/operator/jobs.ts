import { z } from 'zod'
import { type Job, JobRecord } from '../core/operator/manage-jobs.ts'
import { type Action, action, typed } from './action.ts'
import { idArgument } from './arguments.ts'
import { table } from './table.ts'

/** Background work that is not done yet. */
export const jobsActions = [
  action({
    name: 'jobs list',
    summary: 'list what the background loop still has to do, the most failures first',
    input: { failing: typed(z.boolean().default(false), '--failing', 'only jobs that keep failing') },
    answer: z.object({ total: z.int(), items: JobRecord.array().schema }),
    reads: true,
    async run({ core }, { failing }) {
      const { jobs, total } = await core.operator.jobs.list(failing)
      const more = total > jobs.length ? [`and ${total - jobs.length} more`] : []
      return {
        data: { total, items: JobRecord.array().show(jobs) },
        text:
          total === 0
            ? failing
              ? 'No job keeps failing'
              : 'Nothing waits to be done'
            : [table([HEADING, ...jobs.map(rowOfJob)]), ...more].join('\n'),
      }
    },
  }),
  actionOnJob('retry', 'try a job again now instead of after its pause', 'Is tried again now'),
  actionOnJob(
    'drop',
    'give up a job on which no money hangs: nobody is told any more what it would have told',
    'Dropped',
  ),
]

function actionOnJob(name: 'retry' | 'drop', summary: string, done: string): Action {
  return action({
    name: `jobs ${name}`,
    summary,
    input: {
      job: typed(z.int(), '<id>', 'number of the job, as `jobs list` shows it', { parse: idArgument }),
    },
    answer: JobRecord.schema.extend({ done: z.literal(name) }),
    async run({ core, by }, input) {
      const job = await core.operator.jobs[name](by, input.job)
      return { data: { ...JobRecord.show(job), done: name }, text: `${done}: ${job.kind} ${job.key}` }
    },
  })
}

const HEADING = ['ID', 'KIND', 'ABOUT', 'TRIED', 'FAILED', 'NEXT', 'LAST OUTCOME']

function rowOfJob({ id, kind, key, attempts, failures, nextAt, lastError }: Job): string[] {
  return [String(id), kind, key, String(attempts), String(failures), nextAt ?? 'now', lastError ?? '-']
}
