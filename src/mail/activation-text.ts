import type { ActivationMail } from '../core/accounts/activation-mail.ts'

/** The activation mail, in both languages: the reader's language is not known yet. */
export function activationText({ username, link, validHours }: ActivationMail): {
  subject: string
  text: string
} {
  return {
    subject: 'Activate your account / 激活您的账号',
    text: `Hello,

the account "${username}" was created for you. Open this link within ${validHours} hours, and press the button there to activate it:

${link}

If you did not expect this mail, ignore it: nothing happens unless the button is pressed.

--------

您好！

已为您创建账号“${username}”。请在 ${validHours} 小时内打开以下链接，并点击页面上的按钮激活账号：

${link}

如果这不是您本人的操作，请忽略本邮件，不点击按钮则不会发生任何变化。
`,
  }
}
