import { html, lines } from '../html.ts'
import type * as en from '../en/home.ts'

export const welcomeTitle: typeof en.welcomeTitle = html`<b>您的代理 IP 业务助手</b>`

export const welcome: typeof en.welcome = lines(
  welcomeTitle,
  '',
  html`在这里即可购买静态代理 IP 和动态流量、续费并管理余额。`,
)

export const logInWith: typeof en.logInWith = html`请使用商家提供的用户名和密码登录。`

export const home: typeof en.home = {
  title: html`<b>主菜单</b>`,
  account: (username) => html`👤 ${username}`,
  balance: (balance) => html`💰 余额：<b>${balance}</b>`,
  proxies: (active) => html`📦 可用代理 IP：<b>${active}</b>`,
  expiring: (count) => html`⏳ 7 天内到期：<b>${count}</b>`,
  traffic: (left, low) => html`📶 剩余流量：<b>${left}</b>${low ? ' ⚠️' : ''}`,
  subUsers: (count) => html`👥 下级用户：<b>${count}</b>`,
  earnings: (earned) => html`💵 收益：<b>${earned}</b>`,
  noEarnings: html`💵 您还没有收益：请在“定价”中设置下级用户的价格。`,
  buttons: {
    traffic: '📶 动态流量',
    topUp: '💳 充值',
    records: '📒 账单记录',
    subUsers: '👥 下级用户',
    dashboard: '📊 数据看板',
    earnings: '💵 收益',
    prices: '🏷 定价',
    settings: '⚙️ 设置',
  },
  waiting: {
    topUp: '⏳ 有一笔充值待支付',
    purchase: '🛒 继续未完成的购买',
    orders: (count) => `⏳ ${count} 个订单开通中`,
    tickets: (count) => `💬 ${count} 个工单未关闭`,
  },
  next: {
    dead: (what) => html`${what}，可在“我的代理 IP”中更换。`,
    renew: (count, date) =>
      count === 1
        ? html`💡 有 1 个代理 IP 将于 ${date} 到期，请在“我的代理 IP”中及时续费。`
        : html`💡 有 ${count} 个代理 IP 即将到期（最早 ${date}），请在“我的代理 IP”中及时续费。`,
    topUp: html`💡 余额为零，请点击“充值”查看充值方式。`,
    firstSubUser: html`💡 在“下级用户”中创建您的第一个客户吧。`,
    firstOrder: html`💡 点击“购买代理 IP”，开通您的第一批代理 IP。`,
    traffic: html`💡 流量已用完，可在“动态流量”中购买。`,
  },
  balanceScreen: (balance, recharged, spent) =>
    lines(
      html`<b>余额</b>`,
      '',
      html`💰 <b>${balance}</b>`,
      html`累计充值：${recharged}`,
      html`累计消费：${spent}`,
    ),
  help: lines(
    html`<b>帮助</b>`,
    '',
    html`<b>购买：</b>发送 /buy，依次选择产品、地区、时长和数量。只有点击带 ✅ 的按钮才会付款；开启自动续费后，系统会在到期前自动从余额扣款。`,
    html`<b>流量：</b>发送 /traffic，按 GB 购买轮换或粘性会话代理。`,
    html`<b>代理：</b>发送 /proxies，查看、续费、退订或导出已购的代理 IP。`,
    html`<b>使用：</b>每行格式默认为 <code>ip:端口:用户名:密码</code>，可在 /settings 中更改，支持 HTTP 和 SOCKS5，点按即可复制。`,
    html`<b>资金：</b>/balance 查余额，/topup 充值，/records 查看全部账单。`,
    html`<b>找不到入口？</b>随时发送 /menu 回到主菜单，/cancel 取消当前操作。`,
    html`<b>还有疑问？</b>请联系为您开通账号的商家。`,
  ),
}
