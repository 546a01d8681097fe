import { html } from '../../kit/html.ts'
import type { password as en } from './password-texts.en.ts'

export const password: typeof en = {
  askOld: html`<b>修改密码</b>\n\n请先发送您的<b>当前密码</b>。我会立即删除您的消息。`,
  askNew: html`<b>修改密码</b>\n\n请发送<b>新密码</b>：6 到 50 个字符。我会立即删除您的消息。`,
  wrong: '密码错误。',
  done: html`✅ 新密码已生效。您在此保持登录，其他登录均已失效。`,
}
