import { html } from '../../kit/html.ts'

/** One's own password. */
export const password = {
  askOld: html`<b>New password</b>\n\nFirst send me your <b>current password</b>. I delete your message at once.`,
  askNew: html`<b>New password</b>\n\nNow send me the <b>new password</b>: 6 to 50 characters. I delete your message at once.`,
  wrong: 'Wrong password.',
  done: html`✅ Your new password is set. You stay logged in here and are logged out everywhere else.`,
}
