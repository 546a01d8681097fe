import type { Database } from '../database/database.ts'
import type { Queryable } from '../database/queries.ts'
import type { Page } from '../page.ts'
import { getCall } from '../supply/list-calls.ts'
import { type JobKind, type JobSubjects, subjectOf } from '../jobs/job-kinds.ts'
import { findJob, type Job, pageOfFailing, whyNotDropped } from './manage-jobs.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** What a job is about, in terms that people know. */
interface JobSubject {
  /** An order, a broadcast, or a kind of notice. */
  readonly about: string | null
  /** The account that it concerns; null for none in particular. */
  readonly username: string | null
}

/** A job, and what it is about in terms that people know. */
export interface NamedJob extends Job, JobSubject {
  /** Code of the reason why it cannot be dropped; null when it can. */
  readonly kept: string | null
}

/** Lists the jobs that keep failing, those with the most failures first. */
export async function failingJobs(deps: Essentials, page = 1, pageSize = 8): Promise<Page<NamedJob>> {
  const { items, total } = await pageOfFailing(deps, page, pageSize)
  return { items: await Promise.all(items.map((job) => named(deps, job))), total, page, pageSize }
}

/** Finds a job by its id; undefined when it is done. */
export async function namedJob(deps: Essentials, id: number): Promise<NamedJob | undefined> {
  const job = await findJob(deps, id)
  return job && named(deps, job)
}

async function named(deps: Essentials, job: Job): Promise<NamedJob> {
  const subject = await nameOf(deps, job.kind, job.key)
  return { ...job, about: null, username: null, ...subject, kept: whyNotDropped(job.kind) }
}

/** Reads what a job is about; undefined when that is gone, or there is nothing to name. */
type Name<Subject> = (
  deps: { readonly db: Pick<Database, 'read'> },
  subject: Subject,
) => Promise<JobSubject | undefined>

const NAMES: { readonly [Kind in JobKind]: Name<JobSubjects[Kind]> } = {
  complete_static_order: ({ db }, orderNo) =>
    ordersOf(db.read).where('o.orderNo', '=', orderNo).executeTakeFirst(),
  auto_renew_static_order: ({ db }, orderNo) =>
    ordersOf(db.read).where('o.orderNo', '=', orderNo).executeTakeFirst(),
  complete_replacement: ({ db }, number) =>
    ordersOf(db.read)
      .innerJoin('replacements as r', 'r.orderId', 'o.id')
      .where('r.replacementNo', '=', number)
      .executeTakeFirst(),
  complete_renewal: ({ db }, number) =>
    ordersOf(db.read)
      .innerJoin('renewals as r', 'r.orderId', 'o.id')
      .where('r.renewOrderNo', '=', number)
      .executeTakeFirst(),
  complete_reset: async (deps, callNo) => {
    const call = await getCall(deps as Essentials, callNo)
    return call && { about: call.orderNo, username: call.username }
  },
  send_activation_mail: ({ db }, id) =>
    db.read.$kysely
      .selectFrom('accounts as u')
      .select(({ lit }) => ['u.username', lit(null).$castTo<null>().as('about')])
      .where('u.id', '=', id)
      .executeTakeFirst(),
  deliver_notice: ({ db }, id) =>
    db.read.$kysely
      .selectFrom('notices as n')
      .leftJoin('accounts as u', 'u.id', 'n.accountId')
      .select(['n.kind as about', 'u.username'])
      .where('n.id', '=', id)
      .executeTakeFirst(),
  deliver_digest: ({ db }, { chatId, kind }) =>
    db.read.$kysely
      .selectFrom('chats as c')
      .leftJoin('accounts as u', 'u.id', 'c.accountId')
      .select(({ val }) => [val(kind).as('about'), 'u.username'])
      .where('c.id', '=', chatId)
      .executeTakeFirst(),
  send_broadcast: (_deps, id) => Promise.resolve({ about: String(id), username: null }),
  refresh_screens: (_deps, { follows }) => Promise.resolve({ about: follows, username: null }),
  back_up: () => Promise.resolve(undefined),
}

/** Selects number and username of static orders. */
function ordersOf({ $kysely }: Queryable) {
  return $kysely
    .selectFrom('staticOrders as o')
    .innerJoin('accounts as u', 'u.id', 'o.userId')
    .select(['o.orderNo as about', 'u.username'])
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- it ties the subject to the kind
function nameOf<Kind extends JobKind>(
  deps: Essentials,
  kind: Kind,
  key: string,
): Promise<JobSubject | undefined> {
  // A kind that only another version knows has no name.
  const name: Name<JobSubjects[Kind]> | undefined = NAMES[kind]
  return name?.(deps, subjectOf(kind, key)) ?? Promise.resolve(undefined)
}
