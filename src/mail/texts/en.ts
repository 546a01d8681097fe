import type { ActivationMail } from '../../core/accounts/activation-mail.ts'

/** The activation mail in English, which gives the other languages the shape. */
export const en = {
  subject: 'Activate your account',
  text: ({ username, link, validHours }: ActivationMail) => `Hello,

the account "${username}" was created for you. Open this link within ${validHours} hours, and press the button there to activate it:

${link}

If you did not expect this mail, ignore it: nothing happens unless the button is pressed.
`,
}
