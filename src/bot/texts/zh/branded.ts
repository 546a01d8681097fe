import type { Branded } from '../branded.ts'
import { html, lines } from '../html.ts'

/** What is worded differently in the bot of an agent: who sells there is the agent, and nobody stands behind it. */
export const branded: Branded = {
  profile: {
    description:
      '静态代理 IP 与动态流量：在本聊天中即可购买、续费、检测和管理。\n\n• 支持 HTTP 和 SOCKS5，覆盖多个国家和地区\n• 付款后即刻在聊天中交付\n\n点击“开始”，再按一下按钮即可购买。',
    short: '购买和管理静态代理 IP 与动态流量。',
  },
  buy: {
    shortAsk: {
      agent: (missing) => html`⚠️ 余额不足，还差 <b>${missing}</b>。请联系商家充值，之后可在此继续。`,
    },
    ask: { agent: '🙋 请商家充值' },
  },
  join: {
    loggedIn: (current) => html`您当前登录的是 <b>${current}</b>。该链接用于注册新账号。`,
  },
  invite: {
    used: '该链接已被使用。如果不是您本人使用的，请索取新的链接。',
    expired: '该链接已过期，请索取新的链接。',
    unknown: '链接无效。请检查链接是否完整，或索取新的链接。',
  },
  notices: {
    adjusted: { agent: () => '商家' },
    moneyDeclined: (_agent, sum) => html`✖️ <b>商家未同意您申请的 ${sum}</b>`,
  },
  proxies: {
    whatNote: (address, note) =>
      html`<b>备注</b>\n\n请发送 <code>${address}</code> 的备注，仅您和商家可见。${note === '' ? '' : `\n\n当前备注：${note}`}`,
  },
  records: { remarks: { adjusted_by_agent: '商家调整' } },
  support: { who: { agent: '客服', shop: '客服' } },
  topUps: {
    off: html`<b>USDT 充值</b>\n\n暂不支持 USDT 充值，请联系商家充值。`,
    requested: (_agent, missing) =>
      lines(html`🙋 <b>已请商家为您充值 ${missing}</b>`, '', html`到账后，此处会自动显示继续按钮。`),
    askedInVain: () => html`✖️ <b>商家</b> 刚刚拒绝了您的请求，请 15 分钟后再试。`,
    askYourself: (_agent, missing) => html`🙋 还差 <b>${missing}</b>。目前无法通知商家，请您直接联系。`,
    payment: {
      too_old: html`<b>这笔付款时间过早</b>，当时尚未在此收取 USDT，请联系客服。`,
    },
  },
  extraction: {
    link: { unreachable: '暂不提供链接，请改为获取文件。' },
  },
}
