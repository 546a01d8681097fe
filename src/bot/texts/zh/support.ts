import { html } from '../html.ts'
import type * as en from '../en/support.ts'

export const support: typeof en.support = {
  button: '💬 联系客服',
  contact: html`<b>客服</b>\n\n点击下方按钮联系我们。`,
  nobody: html`<b>客服</b>\n\n请联系为您开通账号的商家。`,
  list: (open) =>
    open === 0
      ? html`<b>客服</b>\n\n所有问题均已回复。`
      : html`<b>客服</b>\n\n等待回复的工单：<b>${open}</b>`,
  empty: html`<b>客服</b>\n\n有任何问题都可以在这里提问，我们会在聊天中回复您。`,
  none: html`<b>工单</b>\n\n暂时没有工单。`,
  entry: (icon, what, who) => `${icon} ${[what, who].filter(Boolean).join(' · ')}`,
  icon: { open: '🟠', waiting: '🔵', closed: '✔️' },
  status: {
    open: '🟠 等待客服回复',
    waiting: '🔵 已回复',
    closed: '✔️ 已关闭',
  },
  topic: {
    order: (number) => `订单 ${number}`,
    proxy: (number) => `代理 IP ${number}`,
    traffic: (number) => `流量 ${number}`,
    top_up: (number) => `充值 ${number}`,
    money: (sum) => `余额差 ${sum}`,
  },
  general: '咨询',
  title: (username) => html`🎫 <b>${username}</b>`,
  state: (status) => html`状态：${status}`,
  about: (topic) => html`关于：${topic}`,
  earlier: (count) => html`<i>……还有更早的 ${count} 条</i>`,
  who: { you: '您', support: '客服', agent: '代理商', shop: '商家' },
  message: (who, time, text) => html`<b>${who}</b> <i>${time}</i>\n${text}`,
  file: { photo: '🖼 图片', document: '📎 文件' },
  hint: html`<i>可直接在此输入，或发送图片、文件。</i>`,
  ask: html`<b>客服</b>\n\n请用一条消息描述您的问题，也可以发送图片或文件。我们不会索要密码。`,
  askAbout: (topic) =>
    html`<b>客服</b>\n\n关于：${topic}\n\n请用一条消息描述遇到的问题，也可以发送图片或文件。我们不会索要密码。`,
  answer: (username) => html`回复 <b>${username}</b>：`,
  question: (username) => html`🎫 <b>${username} 提问</b>`,
  answered: html`💬 <b>客服已回复</b>`,
  closed: html`✔️ <b>客服已关闭您的工单</b>\n如仍有问题，可继续留言。`,
  sent: '✅ 已发送。',
  replyHint: html`<i>回复本消息即可答复客户。</i>`,
  buttons: {
    ask: '✍️ 我要提问',
    write: '✍️ 继续留言',
    answer: '✍️ 回复',
    open: '🎫 查看工单',
    close: '✔️ 关闭',
    matter: { order: '📦 查看订单', traffic: '📶 查看流量', proxy: '🌐 查看代理 IP', top_up: '💳 查看充值' },
    subUser: '👤 查看下级用户',
    passOn: '➡️ 转交商家处理',
    takes: (on) => (on ? '🔔 由我回复下级用户' : '🔕 由商家回复下级用户'),
    tickets: (open) => (open === 0 ? '🎫 工单' : `🎫 工单：${open}`),
  },
}
