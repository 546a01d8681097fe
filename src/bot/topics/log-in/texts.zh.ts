import { html } from '../../kit/html.ts'
import type { invite as en } from './texts.en.ts'

export const invite: typeof en = {
  welcome: (username) =>
    html`<b>欢迎，${username}！</b>\n\n您已登录。请发送<b>您自己的密码</b>：6 到 50 个字符。我会立即删除您的消息。`,
  otherAccount: (current, invited) =>
    html`这是 <b>${invited}</b> 的邀请链接，而您当前登录的是 <b>${current}</b>。\n\n要在此退出并登录 ${invited} 吗？`,
  switch: '使用邀请登录',
  used: '该链接已被使用。如果不是您本人使用的，请向代理商索取新的链接。',
  expired: '该链接已过期，请向代理商索取新的链接。',
  unknown: '链接无效。请检查链接是否完整，或向代理商索取新的链接。',
}
