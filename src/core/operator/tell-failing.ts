import { isAnybodyTold } from '../notices/concerns.ts'
import { readSetting, writeSetting } from '../database/settings.ts'
import { JOB_GROUPS } from '../jobs/job-groups.ts'
import { isFailing } from './manage-jobs.ts'
import { happened } from '../facts/happened.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** Key of the setting with the ids of the jobs that were failing at the last look, in ascending order. */
const TOLD = 'failing_jobs_told'
/** Maximum number of failing jobs that are looked at. */
const MOST = 1000

/**
 * Sweep of the job loop: tells the operator of jobs that keep failing, once for as long as they do (rules 10.18). Messages are left
 * out: one that cannot be delivered is no reason for another one.
 */
export async function tellFailingJobs(deps: Essentials): Promise<void> {
  if (!(await isAnybodyTold(deps))) return
  const failing = await deps.db.read.$kysely
    .selectFrom('jobs')
    .select('id')
    .where(isFailing)
    .where('kind', 'in', [
      ...JOB_GROUPS.orders.only,
      ...JOB_GROUPS.mail.only,
      ...JOB_GROUPS.backups.only,
      'send_broadcast',
    ])
    .orderBy('id')
    .limit(MOST)
    .execute()
  const told = JSON.parse((await readSetting(deps, TOLD)) ?? '[]') as number[]
  const ids = failing.map(({ id }) => id)
  if (ids.join() === told.join()) return
  const added = ids.filter((id) => !told.includes(id))
  await deps.db.write(async (tx) => {
    await writeSetting(tx, TOLD, JSON.stringify(ids))
    const [first] = added
    if (first === undefined) return
    const subject = `${first} ${deps.clock.now().toISOString()}`
    happened(tx, { kind: 'jobs_failing', subject, data: { ids: added } })
  })
}
