import type { Tx } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import type { ClaimedJob } from '../jobs/job-queue.ts'
import { hashOf } from '../token-hash.ts'

/** How long the link in an activation mail is good (rules 2.7). */
const ACTIVATION_HOURS = 72
/** When a mail was rejected for good, how long no other one is asked for. */
const REJECTED_PAUSE_HOURS = 1
const HOUR_MS = 3_600_000

/** Asks for the mail with the activation link, in the transaction of what made it necessary. */
export async function requestActivationMail(deps: CoreDeps, tx: Tx, accountId: number): Promise<void> {
  await deps.jobs.enqueue(tx, 'send_activation_mail', String(accountId))
}

/**
 * Asks for another mail when the link of the last one has run out unopened: whoever knows the password must not stay outside
 * for ever. At most one mail in 72 hours.
 */
export async function renewActivationMail(deps: CoreDeps, accountId: number): Promise<void> {
  const now = deps.clock.now()
  await deps.db.write(async (tx) => {
    const due = await tx.$executeRaw`
      UPDATE accounts SET activation_hash = NULL, activation_until = NULL
      WHERE id = ${accountId} AND NOT activated AND activation_until <= ${now}`
    if (due > 0) await requestActivationMail(deps, tx, accountId)
  })
  deps.jobs.wake()
}

/**
 * Sends the mail that a user needs to activate its account (rules 2.7). Harmless to repeat: the hash of the link is stored
 * before the mail leaves, and a repetition sends the same link. A mail that is rejected for good is not tried again, until a
 * log-in asks for another one.
 *
 * @param baseUrl where people reach the interface, such as `https://example.com/api`
 * @returns why to try again, when mail is not configured any more
 */
export async function sendActivationMail(
  deps: CoreDeps,
  baseUrl: string,
  job: ClaimedJob,
): Promise<{ reason: string } | undefined> {
  if (!deps.mailer) return { reason: 'mail is not configured' }
  const accountId = Number(job.key)
  const token = deps.activationTokens.tokenFor(accountId, job.id)
  const hash = hashOf(token)
  const until = new Date(deps.clock.now().getTime() + ACTIVATION_HOURS * HOUR_MS)
  const [account] = await deps.db.write(async (tx) => {
    const waiting = await tx.$queryRaw<{ email: string; username: string }[]>`
      UPDATE accounts SET activation_hash = ${hash}, activation_until = ${until}
      WHERE id = ${accountId} AND NOT activated AND status <> 'deleted' AND email <> '' RETURNING email, username`
    // Activated or deleted meanwhile: nobody is left to write to.
    if (waiting.length === 0) await deps.jobs.finish(tx, job)
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
      await tx.$executeRaw`
        UPDATE accounts SET activation_hash = NULL, activation_until = ${pause} WHERE activation_hash = ${hash}`
    }
    await deps.jobs.finish(tx, job)
  })
  return undefined
}

/**
 * Activates the account that a link was mailed to (rules 2.7): once, and within 72 hours.
 *
 * @returns whose account it is; undefined for anything but a link that still waits to be opened
 */
export async function activateAccount(
  { db, clock }: CoreDeps,
  token: string,
): Promise<{ username: string } | undefined> {
  const now = clock.now()
  const [account] = await db.write(
    (tx) => tx.$queryRaw<{ username: string }[]>`
      UPDATE accounts SET activated = 1, activation_hash = NULL, activation_until = NULL, updated_at = ${now}
      WHERE activation_hash = ${hashOf(token)} AND activation_until > ${now} AND status <> 'deleted' RETURNING username`,
  )
  return account
}
