import { agentNamed, customerNamed } from '../accounts/account-named.ts'
import { endOpenRequest } from '../accounts/open-request.ts'
import { Because, type CustomerChange } from '../accounts/because.ts'
import { newPassword } from '../accounts/passwords.ts'
import { endSecrets } from '../access/bearer-secrets.ts'
import type { EndedSecrets } from '../ended-secrets.ts'
import { InvalidInput, parseInput, ServiceError } from '../errors.ts'
import { happened, tellNow } from '../facts/happened.ts'
import type { AccountDeps } from '../accounts/deps.ts'

interface Move extends CustomerChange {
  /** Username of the new agent; null: a customer of the shop. */
  readonly agent: string | null
}

/** The agents of a customer before and after a move, by their usernames; null for none. */
export interface MovedCustomer {
  readonly id: number
  readonly from: string | null
  readonly to: string | null
  /** Numbers of secrets that the old agent could hold and that have ended, by kind. */
  readonly ended: EndedSecrets
}

/**
 * Moves a customer to another agent, or to none, for the operator (rules 16.3). From then on the new agent's prices hold and the new
 * agent earns; what the old one has earned stays with it, and refunds of what was bought before take back from it. The balance stays
 * with the customer. Secrets that the old agent could hold end, and the customer is told what to make anew (rules 2.28).
 *
 * @throws user_not_found, agent_required, account_disabled (the agent), validation_error (is_an_agent, same_agent)
 */
export async function moveCustomer(
  deps: AccountDeps,
  { username, agent, ...input }: Move,
): Promise<MovedCustomer> {
  parseInput(Because, input)
  const passwordHash = await deps.passwords.hash(newPassword())
  return deps.db.write(async (tx) => {
    const now = deps.clock.now()
    const { id, agentId: fromAgentId } = await customerNamed(tx, username)
    const to = agent === null ? undefined : await agentNamed(tx, agent)
    const toAgentId = to?.id ?? null
    if (toAgentId === fromAgentId) throw InvalidInput.of('agent', 'same_agent')
    if (to?.status === 'disabled') throw new ServiceError('account_disabled')
    const { $kysely } = tx
    const last = await $kysely
      .selectFrom('ledgerEntries')
      .select(({ fn }) => fn.max('id').as('id'))
      .where('accountId', '=', id)
      .executeTakeFirst()
    await $kysely
      .insertInto('agentMoves')
      .values({ accountId: id, fromAgentId, toAgentId, lastEntryId: last?.id ?? 0, createdAt: now })
      .execute()
    await $kysely
      .updateTable('accounts')
      .set({ agentId: toAgentId, updatedAt: now })
      .where('id', '=', id)
      .execute()
    // The old agent no longer sees the customer: its prices for the customer end, the shop answers the tickets, and an open request for
    // money to the old agent is ended without an answer.
    await $kysely.deleteFrom('agentPrices').where('userId', '=', id).execute()
    await $kysely
      .updateTable('tickets')
      .set({ agentId: null, updatedAt: now })
      .where('accountId', '=', id)
      .where('agentId', 'is not', null)
      .execute()
    await endOpenRequest(tx, now, id)
    if (fromAgentId === null) return { id, from: null, to: to?.username ?? null, ended: {} }
    const from = await tx.account.findUniqueOrThrow({ where: { id: fromAgentId } })
    const ended = await endSecrets(tx, now, 'move', { accountId: id, passwordHash }, async (gone) => {
      const agent = to?.username ?? null
      happened(tx, { kind: 'agent.changed', userId: id, agent, ended: gone, at: now.toISOString() })
      await tellNow(tx)
    })
    return { id, from: from.username, to: to?.username ?? null, ended }
  })
}
