import type { ActivationMail } from '../core/accounts/activation-mail.ts'
import { LANGUAGES } from '../core/languages.ts'
import { MAILS } from './texts/index.ts'

/** The activation mail, in every language: the reader's own is not known yet. */
export function activationText(mail: ActivationMail): { subject: string; text: string } {
  const mails = LANGUAGES.map((language) => MAILS[language])
  return {
    subject: mails.map(({ subject }) => subject).join(' / '),
    text: mails.map(({ text }) => text(mail)).join('\n--------\n\n'),
  }
}
