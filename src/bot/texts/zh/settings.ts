import { html, lines } from '../html.ts'
import type * as en from '../en/settings.ts'

export const language: typeof en.language = html`<b>语言</b>`

/** What each chat decides for itself, in Chinese. */
export const settings: typeof en.settings = {
  title: html`<b>设置</b>`,
  of: (username) => lines(html`👤 ${username}`, html`语言、时区、代理格式和通知仅对本聊天有效。`),
  buttons: {
    language: (name) => `🌐 语言：${name}`,
    zones: '🕘 时区',
    zone: (name) => `🕘 时区：${name}`,
    format: (name) => `📋 ${name}`,
    notices: (off) => (off === 0 ? '🔔 通知：全部开启' : `🔔 通知：已关闭 ${off} 项`),
    password: (isSet) => (isSet ? '🔑 修改密码' : '🔑 设置密码'),
  },
  zone: {
    question: (now) =>
      html`<b>时区</b>\n\n本聊天当前时间：<b>${now}</b>。如果与您当地时间不符，请点选时区，或直接发送城市、国家或与 UTC 的时差，例如 <code>东京</code>、<code>越南</code>、<code>东八区</code>、<code>+5:30</code>。`,
    unknown: (text) => `没有找到“${text}”所在的时区。请试试附近的大城市，或输入 +8 这样的时差。`,
  },
  format: html`<b>代理格式</b>\n\n复制和导出代理 IP 时使用哪种格式？`,
  formats: {
    colon: 'ip:port:user:pass',
    at: 'user:pass@ip:port',
    http: 'http://user:pass@ip:port',
    socks5: 'socks5://user:pass@ip:port',
    csv: 'ip,port,user,pass',
  },
  notices: html`<b>通知</b>\n\n您希望在此聊天中收到哪些通知？点击即可开启或关闭。`,
  kinds: {
    order_ready: '订单已开通',
    order_partial: '部分开通',
    order_failed: '开通失败',
    order_delayed: '开通延迟',
    renewal_done: '已自动续费',
    renewal_failed: '自动续费失败',
    credentials_changed: '代理密码更换',
    expiring_72h: '3 天后到期',
    expiring_24h: '24 小时内到期',
    expired: '已过期',
    proxy_dead: '代理失效',
    replacement_ended: '更换结果',
    traffic_80: '流量用至 80%',
    traffic_100: '流量用尽',
    low_balance: '余额不足',
    address_freed: '白名单',
    money_wanted: '充值请求',
    sub_user_joined: '新下级用户',
    top_up_paid: '充值到账',
    top_up_expired: '充值单过期',
    top_up_late: '逾期付款到账',
    new_log_in: '新的登录',
    broadcast: '公告与消息',
    sub_users: '下级用户动态',
  },
}

export const password: typeof en.password = {
  askFirst: html`<b>设置密码</b>\n\n设置后可在任何地方登录，包括 API；退出登录后，在此也需用密码登录。\n\n请发送<b>密码</b>：6 到 50 个字符。我会立即删除您的消息。`,
  askOld: html`<b>修改密码</b>\n\n请先发送您的<b>当前密码</b>。我会立即删除您的消息。`,
  askNew: html`<b>修改密码</b>\n\n请发送<b>新密码</b>：6 到 50 个字符。我会立即删除您的消息。`,
  wrong: '密码错误。',
  done: html`✅ 新密码已生效。您在此保持登录，其他登录均已失效。`,
}
