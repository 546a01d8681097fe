import { html, lines } from '../html.ts'
import type * as en from '../en/records.ts'

export const records: typeof en.records = {
  title: html`📒 <b>账单记录</b>`,
  of: (username) => html`👤 <b>${username}</b>`,
  withSubUsers: html`👥 <b>本人及下级用户</b>`,
  period: (name, from, until) => html`${name}：${from} – ${until}（UTC）`,
  allTime: html`全部时间`,
  sums: (income, expense) => html`收入：<b>${income}</b> · 支出：<b>${expense}</b>`,
  internal: (sum) => html`您与下级用户之间划转：<b>${sum}</b>`,
  total: (total) => html`记录数：${total}`,
  none: html`该时间段内没有记录。`,
  entry: (entry) =>
    lines(
      html`<b>${entry.amount}</b> · ${entry.kind}${entry.username === undefined ? '' : ` · ${entry.username}`}`,
      html`<i>${entry.time} · 余额\u00a0${entry.after}</i>`,
      ...(entry.details === '' ? [] : [html`${entry.details}`]),
    ),
  kinds: {
    recharge: '💳 充值',
    consumption: '🛒 消费',
    refund: '↩️ 退款',
    adjust: '✏️ 调整',
    transfer_in: '⬇️ 转入',
    transfer_out: '⬆️ 转出',
    promotion: '🎟 优惠码',
  },
  remarks: {
    initial_balance: '初始余额',
    adjusted_by_agent: '代理商调整',
    account_deleted: '账号已删除',
    renewal: '续费',
    earnings: '收益',
  },
  columns: {
    createdAt: '时间（UTC）',
    transactionNo: '流水号',
    username: '用户',
    kind: '类型',
    orderType: '订单类型',
    orderNo: '订单号',
    amount: '金额',
    before: '变动前余额',
    after: '变动后余额',
    currency: '币种',
    remark: '备注',
  },
  orderTypes: { static: '静态代理', dynamic: '动态流量' },
  filters: { all: '全部', spending: '消费', funding: '充值与划转' },
  periods: { month: '本月', lastMonth: '上月', days: '近 30 天', all: '全部时间', dates: '📅 自选日期' },
  buttons: {
    onlyMine: '👤 只看本人',
    withSubUsers: '👥 含下级用户',
    csv: '📄 导出 .csv 文件',
    chart: '📈 消费图表',
  },
  askDates: html`📅 <b>查看哪段时间的记录？</b>\n\n请发送起止日期（UTC），例如 <code>2026-01-01 2026-01-31</code> 或 <code>1月1日到1月31日</code>，也可以只发送一天，例如 <code>昨天</code>。`,
  notDates: (answer) => `“${answer}”不是有效的时间段：请按 2026-01-31 的格式发送起止日期，开始日期在前。`,
  file: (count) => html`共 ${count} 条记录，按时间倒序`,
  fileCut: (count, total) => html`仅包含最新的 ${count} 条（共 ${total} 条），其余请缩短时间段后导出。`,
  noneToSend: '该时间段内没有记录。',
  chart: {
    nothing: html`近 30 天没有消费。`,
    spending: html`📈 <b>近 30 天每日消费</b>`,
    days: (total) => html`合计：<b>${total}</b>`,
    month: (month, lastMonth) => html`本月：<b>${month}</b> · 上月：${lastMonth}`,
    recharged: (month) => html`本月充值：${month}`,
  },
  dashboard: {
    title: html`📊 <b>数据看板</b>`,
    balance: (balance) => html`💰 您的余额：<b>${balance}</b>`,
    spending: (month, lastMonth) => html`🛒 您本月消费：<b>${month}</b> · 上月：${lastMonth}`,
    subUsers: (total, disabled) =>
      disabled === 0
        ? html`👥 下级用户：<b>${total}</b>`
        : html`👥 下级用户：<b>${total}</b>（其中 ${disabled} 个已禁用）`,
    theirBalance: (balance) => html`下级余额合计：<b>${balance}</b>`,
    theirSpending: (month, lastMonth) => html`下级本月消费：<b>${month}</b> · 上月：${lastMonth}`,
    expiring: (own, theirs) => html`⏳ 7 天内到期：本人 <b>${own}</b> 个，下级 <b>${theirs}</b> 个`,
    orders: (proxies, processing, traffic) =>
      processing === 0
        ? html`📦 您的订单：静态代理 ${proxies} 笔，动态流量 ${traffic} 笔`
        : html`📦 您的订单：静态代理 ${proxies} 笔（${processing} 笔开通中），动态流量 ${traffic} 笔`,
    traffic: (left) => html`📶 您的剩余流量：<b>${left}</b>`,
    legend: html`📈 近 30 天每日消费：🟦 本人 · 🟧 下级用户`,
  },
}
