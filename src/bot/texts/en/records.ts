import { html, lines } from '../html.ts'

/** Records of money, and the pictures of them. */
export const records = {
  title: html`📒 <b>Records</b>`,
  of: (username: string) => html`👤 <b>${username}</b>`,
  withSubUsers: html`👥 <b>You and your sub-users</b>`,
  period: (name: string, from: string, until: string) => html`${name}: ${from} – ${until} (UTC)`,
  allTime: html`All time`,
  sums: (income: string, expense: string) => html`Money in: <b>${income}</b> · money out: <b>${expense}</b>`,
  internal: (sum: string) => html`Moved between you and your sub-users: <b>${sum}</b>`,
  total: (total: number) => html`Entries: ${total}`,
  none: html`There are no entries in this period.`,
  entry: (entry: {
    time: string
    kind: string
    amount: string
    after: string
    username: string | undefined
    details: string
  }) =>
    lines(
      html`<b>${entry.amount}</b> · ${entry.kind}${entry.username === undefined ? '' : ` · ${entry.username}`}`,
      html`<i>${entry.time} · balance\u00a0${entry.after}</i>`,
      ...(entry.details === '' ? [] : [html`${entry.details}`]),
    ),
  kinds: {
    recharge: '💳 Top-up',
    consumption: '🛒 Purchase',
    refund: '↩️ Refund',
    adjust: '✏️ Adjustment',
    transfer_in: '⬇️ Transfer in',
    transfer_out: '⬆️ Transfer out',
    promotion: '🎟 Promotion code',
  },
  /** Keys are the core's names of the remarks. */
  remarks: {
    initial_balance: 'Initial balance',
    adjusted_by_agent: 'Adjusted by the agent',
    account_deleted: 'Account deleted',
    renewal: 'Renewal',
    earnings: 'Earnings',
  },
  /** Column names of a file. */
  columns: {
    createdAt: 'Time (UTC)',
    transactionNo: 'Number',
    username: 'User',
    kind: 'Type',
    orderType: 'Of',
    orderNo: 'Order',
    amount: 'Amount',
    before: 'Balance before',
    after: 'Balance after',
    currency: 'Currency',
    remark: 'Remark',
  },
  orderTypes: { static: 'Static proxies', dynamic: 'Dynamic traffic' },
  filters: { all: 'All', spending: 'Purchases', funding: 'Funding' },
  periods: {
    month: 'This month',
    lastMonth: 'Last month',
    days: '30 days',
    all: 'All time',
    dates: '📅 Dates',
  },
  buttons: {
    onlyMine: '👤 Only mine',
    withSubUsers: '👥 With sub-users',
    csv: '📄 As .csv file',
    chart: '📈 Chart',
  },
  askDates: html`📅 <b>Which days?</b>\n\nSend me the first and the last day (UTC), such as <code>2026-01-01 2026-01-31</code> or <code>1 Jan - 31 Jan</code>, or a single day, such as <code>yesterday</code>.`,
  notDates: (answer: string) =>
    `“${answer}” is not a period. Write days as 2026-01-31, the earlier one first.`,
  file: (count: number) => html`${count === 1 ? '1 entry' : `${count} entries, newest first`}`,
  fileCut: (count: number, total: number) =>
    html`The newest ${count} of ${total} entries. Choose a shorter period for the others.`,
  noneToSend: 'There are no entries in this period.',
  chart: {
    nothing: html`Nothing was spent in the last 30 days.`,
    spending: html`📈 <b>Spending per day, last 30 days</b>`,
    days: (total: string) => html`In total: <b>${total}</b>`,
    month: (month: string, lastMonth: string) => html`This month: <b>${month}</b> · last month: ${lastMonth}`,
    recharged: (month: string) => html`Topped up this month: ${month}`,
  },
  dashboard: {
    title: html`📊 <b>Dashboard</b>`,
    balance: (balance: string) => html`💰 Your balance: <b>${balance}</b>`,
    spending: (month: string, lastMonth: string) =>
      html`🛒 You spent this month: <b>${month}</b> · last month: ${lastMonth}`,
    subUsers: (total: number, disabled: number) =>
      disabled === 0
        ? html`👥 Sub-users: <b>${total}</b>`
        : html`👥 Sub-users: <b>${total}</b>, ${disabled} of them disabled`,
    theirBalance: (balance: string) => html`Their balances: <b>${balance}</b>`,
    theirSpending: (month: string, lastMonth: string) =>
      html`They spent this month: <b>${month}</b> · last month: ${lastMonth}`,
    expiring: (own: number, theirs: number) =>
      html`⏳ Expiring within 7 days: yours <b>${own}</b> · theirs <b>${theirs}</b>`,
    orders: (proxies: number, processing: number, traffic: number) =>
      processing === 0
        ? html`📦 Your orders: proxies ${proxies} · traffic ${traffic}`
        : html`📦 Your orders: proxies ${proxies} (${processing} in preparation) · traffic ${traffic}`,
    traffic: (left: string) => html`📶 Your traffic left: <b>${left}</b>`,
    /** The colours are those of the picture. */
    legend: html`📈 Spending per day, last 30 days: 🟦 you · 🟧 your sub-users`,
  },
}
