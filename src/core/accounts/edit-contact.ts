import { z } from 'zod'
import { type Actor, directSubUser } from '../access/actor.ts'
import type { Tx } from '../database/database.ts'
import { parseInput } from '../errors.ts'
import { accountNamed } from './account-named.ts'
import { requestActivationMail } from './activation.ts'
import { Contact } from './create-account.ts'
import { readSubUser, type SubUser } from './sub-user.ts'
import type { AccountDeps } from './deps.ts'

export const ContactChanges = z.object(Contact).partial()

const ContactEdit = ContactChanges.refine(
  (edit) => Object.values(edit).some((value) => value !== undefined),
  { path: ['account'], error: 'nothing_to_change' },
)

/**
 * The operator changes e-mail address, phone number and remark of any account (rules 10.4).
 *
 * @returns its id
 * @throws user_not_found, validation_error
 */
export async function editContact(
  deps: AccountDeps,
  username: string,
  input: z.input<typeof ContactEdit>,
): Promise<number> {
  const contact = parseInput(ContactEdit, input)
  return deps.db.write(async (tx) => {
    const { id } = await accountNamed(tx, username)
    await writeContact(deps, tx, id, contact)
    return id
  })
}

/**
 * An agent changes e-mail address, phone number and remark of a direct sub-user (rules 2.18).
 *
 * @param userId undefined for what cannot be an id
 * @throws agent_required, sub_user_not_found, not_direct_sub_user, validation_error
 */
export async function editSubUserContact(
  deps: AccountDeps,
  actor: Actor,
  userId: number | undefined,
  input: z.input<typeof ContactEdit>,
): Promise<SubUser> {
  const contact = parseInput(ContactEdit, input)
  return deps.db.write(async (tx) => {
    await directSubUser(tx, actor, userId)
    await writeContact(deps, tx, Number(userId), contact)
    return readSubUser(tx, Number(userId))
  })
}

/**
 * {@link editContact} in the open transaction. An account that is not activated yet gets a new link at the new address, and the
 * link at the old address becomes invalid; without an address the account is activated.
 */
export async function writeContact(
  deps: AccountDeps,
  tx: Tx,
  id: number,
  contact: z.output<typeof ContactChanges>,
): Promise<void> {
  const { email } = contact
  if (email !== undefined && email !== '') {
    const waiting = await tx.$kysely
      .updateTable('accounts')
      .set({ activationHash: null, activationUntil: null })
      .where('id', '=', id)
      .where('activated', '=', false)
      .where('email', '<>', email)
      .returning('id')
      .executeTakeFirst()
    if (waiting) await requestActivationMail(deps, tx, id)
  }
  const activated = email === '' ? { activated: true, activationHash: null, activationUntil: null } : {}
  await tx.$kysely
    .updateTable('accounts')
    .set({ ...contact, ...activated, updatedAt: deps.clock.now() })
    .where('id', '=', id)
    .execute()
}
