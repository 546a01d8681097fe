import type { Tx } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import type { ClaimedJob } from '../jobs/job-queue.ts'
import { hashOf } from '../token-hash.ts'

/** How long the link in an activation mail is valid (rules 2.7). */
const ACTIVATION_HOURS = 72
/** After a mail was permanently rejected, how long no other one is enqueued. */
const REJECTED_PAUSE_HOURS = 1
const HOUR_MS = 3_600_000

/** Enqueues the mail with the activation link, in the open transaction. */
export async function requestActivationMail(deps: CoreDeps, tx: Tx, accountId: number): Promise<void> {
  await deps.jobs.enqueue(tx, 'send_activation_mail', accountId)
}

/**
 * Enqueues another mail when the link of the last one has expired unopened, so that a user who knows the password can still
 * activate the account. At most one mail in 72 hours.
 */
export async function renewActivationMail(deps: CoreDeps, accountId: number): Promise<void> {
  const now = deps.clock.now()
  await deps.db.write(async (tx) => {
    const due = await tx.$kysely
      .updateTable('accounts')
      .set({ activationHash: null, activationUntil: null })
      .where('id', '=', accountId)
      .where('activated', '=', false)
      .where('activationUntil', '<=', now.toISOString())
      .returning('id')
      .executeTakeFirst()
    if (due) await requestActivationMail(deps, tx, accountId)
  })
  deps.jobs.wake()
}

/**
 * Sends the mail that a user needs to activate its account (rules 2.7). Idempotent: the hash of the link is stored before the mail
 * is sent, and a repetition sends the same link. A mail that is permanently rejected is not retried; a later log-in enqueues
 * another one.
 *
 * @param baseUrl where people reach the interface, such as `https://example.com/api`
 * @returns why to try again, when mail is not configured any more
 */
export async function sendActivationMail(
  deps: CoreDeps,
  baseUrl: string,
  job: ClaimedJob<'send_activation_mail'>,
): Promise<{ reason: string } | undefined> {
  if (!deps.mailer) return { reason: 'mail is not configured' }
  const accountId = job.subject
  const token = deps.activationTokens.tokenFor(accountId, job.id)
  const hash = hashOf(token)
  const until = new Date(deps.clock.now().getTime() + ACTIVATION_HOURS * HOUR_MS)
  const account = await deps.db.write(async (tx) => {
    const waiting = await tx.$kysely
      .updateTable('accounts')
      .set({ activationHash: hash, activationUntil: until })
      .where('id', '=', accountId)
      .where('activated', '=', false)
      .where('status', '<>', 'deleted')
      .where('email', '<>', '')
      .returning(['email', 'username'])
      .executeTakeFirst()
    // Activated or deleted meanwhile: no mail is needed.
    if (!waiting) await deps.jobs.finish(tx, job)
    return waiting
  })
  if (!account) return undefined
  const result = await deps.mailer.sendActivation({
    to: account.email,
    username: account.username,
    link: `${baseUrl}/auth/activate?token=${token}`,
    validHours: ACTIVATION_HOURS,
    id: hash,
  })
  await deps.db.write(async (tx) => {
    if (result.status === 'rejected') {
      const pause = new Date(deps.clock.now().getTime() + REJECTED_PAUSE_HOURS * HOUR_MS)
      await tx.$kysely
        .updateTable('accounts')
        .set({ activationHash: null, activationUntil: pause })
        .where('activationHash', '=', hash)
        .execute()
    }
    await deps.jobs.finish(tx, job)
  })
  return undefined
}

/**
 * Activates the account that a link was mailed to (rules 2.7): once, and within 72 hours.
 *
 * @returns the account; undefined when the link is unknown, used or expired
 */
export async function activateAccount(
  { db, clock }: CoreDeps,
  token: string,
): Promise<{ username: string } | undefined> {
  const now = clock.now()
  return db.write((tx) =>
    tx.$kysely
      .updateTable('accounts')
      .set({ activated: true, activationHash: null, activationUntil: null, updatedAt: now })
      .where('activationHash', '=', hashOf(token))
      .where('activationUntil', '>', now.toISOString())
      .where('status', '<>', 'deleted')
      .returning('username')
      .executeTakeFirst(),
  )
}
