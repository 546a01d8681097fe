import { Command } from 'commander'
import { type Job, JobRecord } from '../../core/operator/manage-jobs.ts'
import { idArgument } from '../arguments.ts'
import type { Run } from '../run.ts'
import { table } from '../../operator/table.ts'

/** `jobs …`: background work that is not done yet. */
export function jobsCommands(run: Run): Command[] {
  return [
    new Command('list')
      .description('list what the background loop still has to do, the most failures first')
      .option('--failing', 'only jobs that keep failing')
      .action(
        run(async (session, { failing = false }: { failing?: boolean }) => {
          const { jobs, total } = await (await session.core()).operator.jobs.list(failing)
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
        }),
      ),
    actionCommand(run, 'retry', 'try a job again now instead of after its pause', 'Is tried again now'),
    actionCommand(
      run,
      'drop',
      'give up a job on which no money hangs: nobody is told any more what it would have told',
      'Dropped',
    ),
  ]
}

function actionCommand(run: Run, name: 'retry' | 'drop', description: string, done: string): Command {
  return new Command(name)
    .description(description)
    .argument('<id>', 'number of the job, as `jobs list` shows it', idArgument)
    .action(
      run(async (session, id: number) => {
        const job = await (await session.core()).operator.jobs[name](session.by, id)
        return { data: { ...JobRecord.show(job), done: name }, text: `${done}: ${job.kind} ${job.key}` }
      }),
    )
}

const HEADING = ['ID', 'KIND', 'ABOUT', 'TRIED', 'FAILED', 'NEXT', 'LAST OUTCOME']

function rowOfJob({ id, kind, key, attempts, failures, nextAt, lastError }: Job): string[] {
  return [String(id), kind, key, String(attempts), String(failures), nextAt ?? 'now', lastError ?? '-']
}
