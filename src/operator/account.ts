import { z } from 'zod'
import { ContactChanges } from '../core/accounts/edit-contact.ts'
import { action, typed } from './action.ts'

const { email, phone, remark } = ContactChanges.shape

/** Contact details, which all actions that make or edit accounts take. */
export const contactInput = {
  email: typed(email, '--email <address>', 'e-mail address; "" for none'),
  phone: typed(phone, '--phone <digits>', 'phone number; "" for none'),
  remark: typed(remark, '--remark <text>', 'what is to be remembered of it; "" for nothing'),
}

/** What the answer to a change of an account says of it. */
export const EditedAccount = z.object({ id: z.int(), username: z.string() })

/** Changes the contact details of any account (rules 10.4). */
export const accountEditAction = action({
  name: 'account edit',
  summary: 'change e-mail address, phone number or remark of an agent or user',
  input: { username: typed(z.string(), '<name>', 'username'), ...contactInput },
  answer: EditedAccount,
  async run({ core, by }, { username, ...contact }) {
    const id = await core.operator.editContact(by, username, contact)
    return { data: { id, username }, text: `Changed account ${username}` }
  },
})
