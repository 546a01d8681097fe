import { html, lines } from '../html.ts'
import type * as en from '../en/records.ts'
import { plural } from './plural.ts'

const entries = (count: number) => `${count} ${plural(count, 'операция', 'операции', 'операций')}`

export const records: typeof en.records = {
  title: html`📒 <b>История операций</b>`,
  of: (username) => html`👤 <b>${username}</b>`,
  withSubUsers: html`👥 <b>Вы и ваши субпользователи</b>`,
  period: (name, from, until) => html`${name}: ${from} – ${until} (UTC)`,
  allTime: html`За всё время`,
  sums: (income, expense) => html`Приход: <b>${income}</b> · расход: <b>${expense}</b>`,
  internal: (sum) => html`Переводы между вами и субпользователями: <b>${sum}</b>`,
  total: (total) => html`Операций: ${total}`,
  none: html`За этот период операций нет.`,
  entry: (entry) =>
    lines(
      html`<b>${entry.amount}</b> · ${entry.kind}${entry.username === undefined ? '' : ` · ${entry.username}`}`,
      html`<i>${entry.time} · баланс\u00a0${entry.after}</i>`,
      ...(entry.details === '' ? [] : [html`${entry.details}`]),
    ),
  kinds: {
    recharge: '💳 Пополнение',
    consumption: '🛒 Покупка',
    refund: '↩️ Возврат',
    adjust: '✏️ Корректировка',
    transfer_in: '⬇️ Входящий перевод',
    transfer_out: '⬆️ Исходящий перевод',
    promotion: '🎟 Промокод',
  },
  remarks: {
    initial_balance: 'Начальный баланс',
    adjusted_by_agent: 'Изменено агентом',
    account_deleted: 'Аккаунт удалён',
    renewal: 'Продление',
    earnings: 'Доход',
  },
  columns: {
    createdAt: 'Время (UTC)',
    transactionNo: 'Номер',
    username: 'Пользователь',
    kind: 'Вид',
    orderType: 'За что',
    orderNo: 'Заказ',
    amount: 'Сумма',
    before: 'Баланс до',
    after: 'Баланс после',
    currency: 'Валюта',
    remark: 'Примечание',
  },
  orderTypes: { static: 'Статические прокси', dynamic: 'Динамический трафик' },
  filters: { all: 'Все', spending: 'Покупки', funding: 'Пополнения' },
  periods: {
    month: 'Этот месяц',
    lastMonth: 'Прошлый месяц',
    days: '30 дней',
    all: 'Всё время',
    dates: '📅 Даты',
  },
  buttons: {
    onlyMine: '👤 Только мои',
    withSubUsers: '👥 С субпользователями',
    csv: '📄 Файлом .csv',
    chart: '📈 График',
  },
  askDates: html`📅 <b>За какие дни?</b>\n\nПришлите первый и последний день (UTC), например <code>2026-01-01 2026-01-31</code>, или только один день, например <code>2026-01-15</code>.`,
  notDates: (answer) => `«${answer}» — не период. Пишите дни как 2026-01-31, сначала более ранний.`,
  file: (count) => html`${count === 1 ? '1 операция' : `${entries(count)}, сначала новые`}`,
  fileCut: (count, total) =>
    html`Последние операции: ${count} из ${total}. Чтобы получить остальные, выберите период короче.`,
  noneToSend: 'За этот период операций нет.',
  chart: {
    nothing: html`За последние 30 дней ничего не потрачено.`,
    spending: html`📈 <b>Расходы по дням за 30 дней</b>`,
    days: (total) => html`Всего: <b>${total}</b>`,
    month: (month, lastMonth) => html`Этот месяц: <b>${month}</b> · прошлый: ${lastMonth}`,
    recharged: (month) => html`Пополнено в этом месяце: ${month}`,
  },
  dashboard: {
    title: html`📊 <b>Сводка</b>`,
    balance: (balance) => html`💰 Ваш баланс: <b>${balance}</b>`,
    spending: (month, lastMonth) =>
      html`🛒 Ваши расходы в этом месяце: <b>${month}</b> · в прошлом: ${lastMonth}`,
    subUsers: (total, disabled) =>
      disabled === 0
        ? html`👥 Субпользователи: <b>${total}</b>`
        : html`👥 Субпользователи: <b>${total}</b>, из них ${plural(disabled, 'отключён', 'отключены', 'отключены')} ${disabled}`,
    theirBalance: (balance) => html`На их балансах: <b>${balance}</b>`,
    theirSpending: (month, lastMonth) =>
      html`Их расходы в этом месяце: <b>${month}</b> · в прошлом: ${lastMonth}`,
    expiring: (own, theirs) => html`⏳ Истекают за 7 дней: у вас <b>${own}</b> · у них <b>${theirs}</b>`,
    orders: (proxies, processing, traffic) =>
      processing === 0
        ? html`📦 Ваши заказы: прокси ${proxies} · трафик ${traffic}`
        : html`📦 Ваши заказы: прокси ${proxies} (${plural(processing, 'готовится', 'готовятся', 'готовятся')} ${processing}) · трафик ${traffic}`,
    traffic: (left) => html`📶 Ваш остаток трафика: <b>${left}</b>`,
    legend: html`📈 Расходы по дням за 30 дней: 🟦 вы · 🟧 субпользователи`,
  },
}
