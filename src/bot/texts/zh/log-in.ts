import { html } from '../html.ts'
import type * as en from '../en/log-in.ts'

export const logIn: typeof en.logIn = {
  first: '请先登录。',
  username: html`<b>登录</b>\n\n请发送您的<b>用户名</b>。`,
  another: (current) =>
    html`<b>登录其他账号</b>\n\n您的账号 ${current} 会保持登录。\n\n请发送另一个账号的<b>用户名</b>。`,
  password: (username) =>
    html`<b>登录</b>\n\n用户名：<b>${username}</b>\n请发送您的<b>密码</b>，我会立即删除该消息。`,
  again: (username, problem) =>
    html`<b>登录</b>\n\n⚠️ ${problem}\n\n用户名：<b>${username}</b>\n请重新发送您的<b>密码</b>。`,
  otherUsername: '👤 换一个用户名',
}

export const logOut: typeof en.logOut = {
  ask: (username) => html`要在此聊天中退出 <b>${username}</b> 吗？\n\n您的代理 IP 和余额不受影响。`,
  all: (accounts) => `退出全部 ${accounts} 个账号`,
  done: '您已退出登录。',
}

export const sessionEnded: typeof en.sessionEnded = {
  account_disabled: '您的账号已被禁用，请联系为您开通账号的商家。',
  account_not_activated: '您的账号未激活，请先前往邮箱点击激活链接。',
  user_not_found: '您的账号已不存在。',
  token_invalid: '您的密码已更改，请重新登录。',
}

export const window: typeof en.window = {
  invites: (agent) => html`<b>${agent}</b> 邀请您注册。`,
  product: (name, places) => html`<b>${name}</b> ${places}`,
  priced: (name, price, places) => html`<b>${name}</b>：${price} ${places}`,
  everywhere: '全球',
  trial: (trial) => html`🎁 注册即得体验金 <b>${trial}</b>。`,
  closed: html`目前暂不接受新客户注册。`,
  register: html`一键注册即可购买：用 Telegram 直接登录，无需密码。`,
  registerAs: (username) => `✅ 注册为 ${username}`,
  registered: (username) => `欢迎，${username}！以后用 Telegram 即可登录。`,
  otherName: '✏️ 换个用户名',
  logInTo: (username) => `➡️ 登录 ${username}`,
}

export const join: typeof en.join = {
  username: html`<b>注册</b>\n\n请发送您想要的<b>用户名</b>：3 到 50 个字符，不含空格。`,
  loggedIn: (current, agent) =>
    html`您当前登录的是 <b>${current}</b>。该链接用于在 <b>${agent}</b> 名下注册新账号。`,
  keep: (username) => `继续使用 ${username}`,
  register: '➕ 注册新账号',
  open: '📝 注册',
}

export const prices: typeof en.prices = {
  button: '🏷 价格表',
  title: html`<b>价格表</b>`,
  nothing: html`<b>价格表</b>\n\n目前没有在售产品，请稍后再来。`,
  product: (name, price) => html`<b>${name}</b>：${price}`,
  from: (price) => `${price} 起`,
  places: (places) => html`${places}`,
  more: (count) => html`……另有 ${count} 种`,
}

export const invite: typeof en.invite = {
  welcome: (username) =>
    html`<b>欢迎，${username}！</b>\n\n您已登录。请发送<b>您自己的密码</b>：6 到 50 个字符。我会立即删除您的消息。`,
  otherAccount: (current, invited) =>
    html`这是 <b>${invited}</b> 的邀请链接，而您当前登录的是 <b>${current}</b>。\n\n要同时登录 ${invited} 吗？登录后可随时切换。`,
  switch: '使用邀请登录',
  used: '该链接已被使用。如果不是您本人使用的，请向代理商索取新的链接。',
  expired: '该链接已过期，请向代理商索取新的链接。',
  unknown: '链接无效。请检查链接是否完整，或向代理商索取新的链接。',
}
