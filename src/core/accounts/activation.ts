import { workingBot } from '../access/working-bot.ts'
import type { Readable, Tx } from '../database/database.ts'
import type { ClaimedJob } from '../jobs/job-queue.ts'
import { hashOf } from '../token-hash.ts'
import type { AccountDeps } from './deps.ts'

/** How long the link in an activation mail is valid (rules 2.7). */
const ACTIVATION_HOURS = 72
/** Hours after a permanently rejected mail in which no other one is enqueued. */
const REJECTED_PAUSE_HOURS = 1
const HOUR_MS = 3_600_000

/** Enqueues the mail with the activation link, in the open transaction. */
export async function requestActivationMail(deps: AccountDeps, tx: Tx, accountId: number): Promise<void> {
  await deps.jobs.enqueue(tx, 'send_activation_mail', accountId)
}

/**
 * Enqueues another mail when the link of the last one has expired unopened, so that a user who knows the password can still activate the
 * account. At most one mail in 72 hours, or in an hour after a rejected one.
 */
export async function renewActivationMail(deps: AccountDeps, accountId: number): Promise<void> {
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
}

/**
 * Sends the mail that a user needs to activate its account (rules 2.7). Idempotent: the hash of the link is stored before the mail
 * is sent, and a repetition sends the same link. A mail that is permanently rejected is not retried; a later log-in enqueues
 * another one.
 *
 * @param bases where people reach the interface, such as `https://example.com/api`; customers of an agent with a bot, where nothing tells
 *   of the shop
 * @returns why to try again, when mail is not configured any more
 */
export async function sendActivationMail(
  deps: AccountDeps,
  bases: { readonly baseUrl: string; readonly agentBaseUrl?: string | undefined },
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
  const brand = await brandOfCustomer(deps.db.read, accountId)
  const baseUrl = brand === undefined ? bases.baseUrl : (bases.agentBaseUrl ?? bases.baseUrl)
  const result = await deps.mailer.sendActivation({
    to: account.email,
    username: account.username,
    brand,
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

/** A valid link: its account waits for it, or was activated by it. */
export interface ActivationLink {
  readonly username: string
  readonly state: 'waiting' | 'activated'
}

/**
 * Returns what a link in an activation mail leads to; changes nothing.
 *
 * @returns undefined when it is unknown, expired, or replaced by a newer one
 */
export async function activationLink(
  { db, clock }: AccountDeps,
  token: string,
): Promise<ActivationLink | undefined> {
  const hash = hashOf(token)
  const account = await db.read.$kysely
    .selectFrom('accounts')
    .select(['username', 'activated'])
    .where((account) =>
      account.or([
        account.and([
          account('activationHash', '=', hash),
          account('activationUntil', '>', clock.now().toISOString()),
        ]),
        account('activatedBy', '=', hash),
      ]),
    )
    .where('status', '<>', 'deleted')
    .executeTakeFirst()
  return account && { username: account.username, state: account.activated ? 'activated' : 'waiting' }
}

/**
 * Activates the account that a link was mailed to, within 72 hours (rules 2.7). Changes nothing for a link that has already activated it.
 *
 * @returns undefined as {@link activationLink}
 */
export async function activateAccount(deps: AccountDeps, token: string): Promise<ActivationLink | undefined> {
  const now = deps.clock.now()
  const hash = hashOf(token)
  await deps.db.write((tx) =>
    tx.$kysely
      .updateTable('accounts')
      .set({
        activated: true,
        activatedBy: hash,
        activationHash: null,
        activationUntil: null,
        updatedAt: now,
      })
      .where('activationHash', '=', hash)
      .where('activationUntil', '>', now.toISOString())
      .where('status', '<>', 'deleted')
      .execute(),
  )
  return activationLink(deps, token)
}

/** Returns the name under which the agent of a customer sells, where it has a bot that works. */
async function brandOfCustomer(db: Readable, accountId: number): Promise<string | undefined> {
  const bot = await workingBot(db)
    .where('b.agentId', '=', ({ selectFrom }) =>
      selectFrom('accounts').select('agentId').where('id', '=', accountId),
    )
    .executeTakeFirst()
  return bot?.name
}
