import { html, lines } from '../html.ts'
import type * as en from '../en/home.ts'
import { plural } from './plural.ts'

export const welcomeTitle: typeof en.welcomeTitle = html`<b>Прокси для вашего бизнеса</b>`

export const welcome: typeof en.welcome = lines(
  welcomeTitle,
  '',
  html`Статические прокси и динамический трафик: покупка, продление и баланс — всё в этом чате.`,
)

export const logInWith: typeof en.logInWith = html`Войдите с логином и паролем, которые вам выдали.`

export const home: typeof en.home = {
  title: html`<b>Главное меню</b>`,
  account: (username) => html`👤 ${username}`,
  balance: (balance) => html`💰 Баланс: <b>${balance}</b>`,
  proxies: (active) => html`📦 Активные прокси: <b>${active}</b>`,
  expiring: (count) => html`⏳ Истекают в ближайшие 7 дней: <b>${count}</b>`,
  traffic: (left, low) => html`📶 Осталось трафика: <b>${left}</b>${low ? ' ⚠️' : ''}`,
  subUsers: (count) => html`👥 Субпользователи: <b>${count}</b>`,
  earnings: (earned) => html`💵 Доход: <b>${earned}</b>`,
  noEarnings: html`💵 Дохода пока нет: задайте в «Ценах», сколько платят ваши субпользователи.`,
  buttons: {
    traffic: '📶 Трафик',
    topUp: '💳 Пополнить',
    records: '📒 История',
    subUsers: '👥 Субпользователи',
    dashboard: '📊 Сводка',
    earnings: '💵 Доход',
    prices: '🏷 Цены',
    settings: '⚙️ Настройки',
  },
  waiting: {
    topUp: '⏳ Пополнение ждёт оплаты',
    purchase: '🛒 Продолжить покупку',
    orders: (count) =>
      `⏳ ${count} ${plural(count, 'заказ готовится', 'заказа готовятся', 'заказов готовятся')}`,
    tickets: (count) =>
      `💬 ${count} ${plural(count, 'открытое обращение', 'открытых обращения', 'открытых обращений')}`,
  },
  next: {
    dead: (what) => html`${what}. Заменить их можно в «Мои прокси».`,
    renew: (count, date) =>
      count === 1
        ? html`💡 Один прокси истекает ${date}. Продлите его в «Мои прокси», пока он работает.`
        : html`💡 Скоро ${plural(count, 'истекает', 'истекают', 'истекают')} ${count} прокси, первый — ${date}. Продлите их в «Мои прокси», пока они работают.`,
    topUp: html`💡 На балансе пусто. Нажмите «Пополнить».`,
    firstSubUser: html`💡 Создайте первого клиента в разделе «Субпользователи».`,
    firstOrder: html`💡 Нажмите «Купить», чтобы получить первые прокси.`,
    traffic: html`💡 Трафик закончился. Докупите его в разделе «Трафик».`,
  },
  balanceScreen: (balance, recharged, spent) =>
    lines(
      html`<b>Баланс</b>`,
      '',
      html`💰 <b>${balance}</b>`,
      html`Всего пополнено: ${recharged}`,
      html`Всего потрачено: ${spent}`,
    ),
  help: lines(
    html`<b>Помощь</b>`,
    '',
    html`<b>Покупка:</b> /buy, дальше товар, локация, срок и количество. Деньги списываются только после кнопки с ✅. Если включено автопродление, оно оплачивается с баланса само.`,
    html`<b>Трафик:</b> /traffic — прокси с ротацией и с закреплённым IP, оплата за ГБ.`,
    html`<b>Прокси:</b> /proxies — посмотреть, продлить, выгрузить прокси или отказаться от них.`,
    html`<b>Подключение:</b> каждая строка — <code>ip:порт:логин:пароль</code> или другой формат из /settings, для HTTP и SOCKS5. Нажмите на строку, чтобы скопировать.`,
    html`<b>Деньги:</b> /balance, /topup, а все операции — в /records.`,
    html`<b>Заблудились?</b> /menu откроет главное меню, /cancel отменит текущее действие.`,
    html`<b>Остались вопросы?</b> Спросите того, кто выдал вам доступ.`,
  ),
}
