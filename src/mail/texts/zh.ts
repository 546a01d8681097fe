import type { en } from './en.ts'

/** The activation mail in Chinese. */
export const zh: typeof en = {
  subject: '激活您的账号',
  text: ({ username, link, validHours }) => `您好！

已为您创建账号“${username}”。请在 ${validHours} 小时内打开以下链接，并点击页面上的按钮激活账号：

${link}

如果这不是您本人的操作，请忽略本邮件，不点击按钮则不会发生任何变化。
`,
}
