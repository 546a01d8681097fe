import { html } from '../html.ts'
import type * as en from '../en/log-in.ts'

export const logIn: typeof en.logIn = {
  first: 'Сначала войдите.',
  username: html`<b>Вход</b>\n\nПришлите ваш <b>логин</b>.`,
  another: (current) =>
    html`<b>Вход в другой аккаунт</b>\n\nИз ${current} вы не выйдете.\n\nПришлите <b>логин</b> другого аккаунта.`,
  password: (username) =>
    html`<b>Вход</b>\n\nЛогин: <b>${username}</b>\nТеперь пришлите <b>пароль</b>. Сообщение с ним я сразу удалю.`,
  again: (username, problem) =>
    html`<b>Вход</b>\n\n⚠️ ${problem}\n\nЛогин: <b>${username}</b>\nПришлите <b>пароль</b> ещё раз.`,
  otherUsername: '👤 Другой логин',
}

export const logOut: typeof en.logOut = {
  ask: (username) => html`Выйти из <b>${username}</b> в этом чате?\n\nПрокси и баланс останутся как есть.`,
  all: (accounts) => `Выйти из всех аккаунтов: ${accounts}`,
  done: 'Вы вышли.',
}

export const sessionEnded: typeof en.sessionEnded = {
  account_disabled: 'Ваш аккаунт отключили. Обратитесь к тому, кто выдал вам доступ.',
  account_not_activated: 'Ваш аккаунт не активирован. Откройте ссылку из письма.',
  user_not_found: 'Вашего аккаунта больше нет.',
  token_invalid: 'Ваш пароль изменили. Войдите снова.',
}

export const window: typeof en.window = {
  invites: (agent) => html`Вас приглашает <b>${agent}</b>.`,
  product: (name, places) => html`<b>${name}</b> ${places}`,
  priced: (name, price, places) => html`<b>${name}</b>: ${price} ${places}`,
  everywhere: 'Весь мир',
  trial: (trial) => html`🎁 На старте у вас на балансе <b>${trial}</b>.`,
  closed: html`Новые клиенты сейчас зарегистрироваться не могут.`,
  register: html`Одно нажатие — и можно покупать: вход через Telegram, пароль не нужен.`,
  registerAs: (username) => `✅ Начать как ${username}`,
  registered: (username) => `Добро пожаловать, ${username}! Входить будете через Telegram.`,
  otherName: '✏️ Другой логин',
  logInTo: (username) => `➡️ Войти как ${username}`,
}

export const join: typeof en.join = {
  username: html`<b>Регистрация</b>\n\nПришлите <b>логин</b>, который хотите: от 3 до 50 символов без пробелов.`,
  loggedIn: (current, agent) =>
    html`Вы вошли как <b>${current}</b>. По этой ссылке регистрируют новый аккаунт у <b>${agent}</b>.`,
  keep: (username) => `Остаться ${username}`,
  register: '➕ Новый аккаунт',
  open: '📝 Регистрация',
}

export const prices: typeof en.prices = {
  button: '🏷 Цены',
  title: html`<b>Цены</b>`,
  nothing: html`<b>Цены</b>\n\nСейчас в продаже ничего нет. Загляните позже.`,
  product: (name, price) => html`<b>${name}</b>: ${price}`,
  from: (price) => `от ${price}`,
  places: (places) => html`${places}`,
  more: (count) => html`… и ещё ${count}`,
}

export const invite: typeof en.invite = {
  welcome: (username) =>
    html`<b>Добро пожаловать, ${username}!</b>\n\nВы вошли. Теперь пришлите <b>свой собственный пароль</b>: от 6 до 50 символов. Сообщение с ним я сразу удалю.`,
  otherAccount: (current, invited) =>
    html`Это приглашение для <b>${invited}</b>, а вы вошли как <b>${current}</b>.\n\nВойти и как ${invited}? Между аккаунтами можно переключаться.`,
  switch: 'Принять приглашение',
  used: 'Эту ссылку уже использовали. Если это были не вы, попросите у агента новую.',
  expired: 'Эта ссылка истекла. Попросите у агента новую.',
  unknown: 'Ссылка недействительна. Проверьте, что скопировали её целиком, или попросите у агента новую.',
}
