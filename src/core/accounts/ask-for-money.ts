import type { Actor } from '../access.ts'
import type { CoreDeps } from '../deps.ts'
import { InvalidInput } from '../errors.ts'
import { MAX_MICROS, type Micros } from '../money.ts'
import { announce, announceToOperators } from '../notices/announce.ts'

/** Window in which requests of the same account are forwarded only once. */
const REQUEST_WINDOW_MS = 15 * 60_000

export interface AskedForMoney {
  /** The agent that was asked; undefined: the operator. */
  readonly agent: string | undefined
  /** Whether a chat is told of it, by this request or an earlier one of the window; if not, the person has to write to somebody. */
  readonly told: boolean
}

/**
 * Asks for money for this account: its agent, or the operator when it has none. Forwarded once in a quarter of an hour.
 *
 * @param missing what the balance lacks
 * @throws validation_error for what is no amount
 */
export async function askForMoney(deps: CoreDeps, actor: Actor, missing: Micros): Promise<AskedForMoney> {
  if (!Number.isSafeInteger(missing) || missing <= 0 || missing > MAX_MICROS)
    throw InvalidInput.of('amount', 'not_an_amount')
  const { id, username, agentId } = actor
  const subject = `${id} ${Math.floor(deps.clock.now().getTime() / REQUEST_WINDOW_MS)}`
  const asked = await deps.db.write(async (tx) => {
    if (agentId === null)
      await announceToOperators(deps, tx, { kind: 'money_wanted', subject, data: { username, missing } })
    else
      await announce(deps, tx, [
        {
          accountIds: [agentId],
          kind: 'money_wanted',
          subject,
          data: { userId: id, username, missing },
        },
      ])
    const told = await tx.$kysely
      .selectFrom('notices')
      .select('id')
      .where('kind', '=', 'money_wanted')
      .where('subject', '=', subject)
      .where('status', '<>', 'blocked')
      .limit(1)
      .executeTakeFirst()
    const agent = await tx.$kysely
      .selectFrom('accounts')
      .select('username')
      .where('id', '=', agentId)
      .executeTakeFirst()
    return { agent: agent?.username, told: told !== undefined }
  })
  deps.jobs.wake()
  return asked
}
