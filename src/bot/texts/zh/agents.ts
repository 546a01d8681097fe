import { html, lines } from '../html.ts'
import type * as en from '../en/agents.ts'

export const agents: typeof en.agents = {
  buttons: {
    agents: '🤝 代理商',
    create: '➕ 新代理商',
    priceTerms: '🏷 代理商定价上限',
    createNow: '✅ 创建代理商',
    adjust: '💰 调整余额',
    level: '🏷 价格等级',
    link: '🔑 新链接',
    account: '👤 订单、联系方式、登录',
    enable: '▶️ 启用',
    disable: '🚫 禁用',
    adjustNow: '✅ 调整余额',
    funding: '🏦 下级资金来源',
    changeFunding: '✅ 确认更改',
    clear: '🧹 收回这些余额',
  },
  title: (count) => html`🤝 <b>代理商</b>：${count}`,
  none: html`🤝 <b>代理商</b>\n\n暂无。`,
  priceTerms: (limit, step) => html`其客户最多支付本店价格的 ${limit} 倍，加价后的价格向上取整到 ${step}。`,
  askPriceTerms: (limit, step) =>
    html`🏷 <b>代理商定价上限</b>\n\n其客户最多支付本店价格的 <b>${limit}</b> 倍，已超出的价格按上限计。\n按加价计算的价格向上取整到 <b>${step}</b>。\n\n请点击按钮，或发送倍数（如 <code>2.5</code>），或倍数和取整单位（如 <code>2.5 0.05</code>）。`,
  notTerms: '请发送 1 到 101 的倍数（如 2.5），或同时发送取整单位（如 2.5 0.05）。',
  button: (icon, username, balance) => `${icon} ${username} · ${balance}`,
  agent: (username) => html`🤝 <b>${username}</b>`,
  states: { active: html`✅ 正常`, disabled: html`🚫 已禁用：无法登录，其下级用户不受影响` },
  balance: (balance) => html`余额：<b>${balance}</b>`,
  level: (level) => html`价格等级：<b>${level}</b>`,
  funding: (funding) => html`下级资金来源：${funding}`,
  fundings: { transfer: '自己的余额', mint: '系统发放' },
  askDisable: (username, users) =>
    html`🚫 <b>禁用 ${username}？</b>\n\n将无法登录和下单，其 ${users} 个下级用户不受影响。`,
  askFunding: (username, mint) =>
    mint
      ? html`<b>${username} 的下级资金来源</b>\n\n目前下级用户的余额由 ${username} 自己的余额支付。更改后由系统发放：${username} 可给予任意金额，自己的余额不变。`
      : html`<b>${username} 的下级资金来源</b>\n\n目前下级用户的余额由系统发放。更改后由 ${username} 自己的余额支付；扣回的金额也退回给 ${username}，包括此前发放的余额。`,
  deletedHaveMoney: html`⚠️ 暂时无法更改：已删除的下级用户仍有系统发放的余额，更改后将归代理商所有。请先收回。`,
  users: (users, balance) => html`下级用户：<b>${users}</b>，余额合计 ${balance}`,
  askNew: lines(
    html`➕ <b>新代理商</b>`,
    '',
    html`请发送用户名，或按以下格式发送多行：`,
    html`<pre>用户名：somebody\n等级：1\n余额：100\n资金：transfer</pre>`,
    html`“资金”指下级用户的余额从哪里来：代理商自己的余额（<code>transfer</code>）或系统发放（<code>mint</code>）。密码由代理商通过您转发的链接自行设置。`,
  ),
  confirmNew: (typed) => html`<b>创建这个代理商？</b>\n\n<pre>${typed}</pre>`,
  created: html`✅ <b>代理商已创建。</b>`,
  link: (link, until) =>
    html`🔑 请转发此链接：打开后自动登录，并可设置密码。仅限一次，有效期至 ${until}。\n<code>${link}</code>`,
  askLevel: (username, level) =>
    html`<b>${username}</b> 及其下级用户使用哪个价格等级？目前为 ${level}。请发送数字。`,
  askAdjust: (username, balance) =>
    html`<b>${username}</b> 的余额为 ${balance}。请发送增减的金额和原因：<code>100 五月转账</code> 或 <code>-12.50 退回</code>。`,
  notAnAdjustment: '请发送金额和原因，例如 100 转账。',
  confirmAdjust: (username, change, before, after, remark) =>
    html`<b>调整 ${username} 的余额？</b>\n\n<b>${change}</b>：${before} → ${after}\n原因：${remark}`,
  adjusted: (balance) => html`✅ <b>已调整。</b>余额为 ${balance}。`,
  changed: '✅ 已修改。',
  gone: '该代理商已不存在。',
  unknownLine: (line) => `无法识别“${line}”。`,
  labels: { username: '用户名', level: '等级', balance: '余额', funding: '资金' },
}
