import { html, lines } from '../html.ts'
import type * as en from '../en/accounts.ts'

export const accounts: typeof en.accounts = {
  list: (count) =>
    lines(
      html`<b>账号</b>`,
      '',
      count === 1
        ? html`您可以在此同时登录多个账号，点击即可切换。`
        : html`您在此已登录 ${count} 个账号，点击即可切换；所有账号的通知都会发到这里。`,
    ),
  now: (username) => `当前账号：${username}`,
  ofOther: (username) => html`该按钮属于您的账号 <b>${username}</b>。\n\n要切换到该账号并继续吗？`,
  notLoggedIn: '该按钮所属的账号未在此登录。',
  buttons: {
    settings: '👤 账号切换',
    add: '➕ 登录其他账号',
    switch: (username) => `👤 ${username}`,
    goOn: (username) => `👤 以 ${username} 继续`,
    all: '👤 切换账号',
  },
  of: (username) => html`👤 <b>${username}</b>`,
  agentChanged: {
    title: (username, agent) =>
      lines(
        html`🔀 <b>账号 ${username} 已更换代理商</b>`,
        agent === null ? html`今后您直接向本店购买。` : html`您现在的代理商是 <b>${agent}</b>。`,
        '',
        html`您的余额、订单和代理 IP 均不受影响。`,
      ),
    ended: html`原代理商可能知道或创建的以下内容已失效，如有需要请重新设置：`,
    kinds: {
      password: () => html`• 密码：您已退出登录。请索取登录链接，并自行设置新密码。`,
      gateway_password: () => html`• 流量：连接密码已更换，请重新提取连接信息。`,
      proxy_link: (count) => html`• 代理 IP 链接：${count} 个`,
      extraction_link: (count) => html`• 流量提取链接：${count} 个`,
      allowed_address: (count) => html`• 白名单地址：${count} 个`,
      api_key: (count) => html`• API 密钥：${count} 个`,
      webhook: (count) => html`• Webhook：${count} 个`,
    },
  },
}

export const devices: typeof en.devices = {
  title: html`<b>登录设备</b>\n\n您的账号已在以下 Telegram 登录：`,
  chat: (id) => `聊天 ${id}`,
  device: (name, telegramName, isHere) =>
    html`📱 <b>${name}</b>${telegramName === null ? '' : ` @${telegramName}`}${isHere ? '（当前）' : ''}`,
  times: (since, used) => html`     ${since} 登录，最近使用 ${used}`,
  more: (count) => html`……另有 ${count} 个`,
  hint: html`有不认识的设备？请先将其退出登录，再修改密码。`,
  buttons: {
    settings: '📱 登录设备',
    logOut: (name) => `✖️ ${name}`,
    others: '🚪 退出所有其他设备',
    othersConfirmed: '退出所有其他设备',
  },
  askOthers: (username) =>
    html`要让 <b>${username}</b> 在其他所有地方退出登录吗？\n\n其他聊天、程序使用的访问令牌和未使用的邀请链接将立即失效；API 密钥和密码不变。`,
  othersEnded: '已在其他所有地方退出登录。',
  newLogIn: (username, person, at) =>
    lines(
      html`🔐 <b>账号 ${username} 有新的登录</b>`,
      html`${person}，${at}`,
      '',
      html`不是您本人？请在“登录设备”中将其退出，并修改密码。`,
    ),
}
