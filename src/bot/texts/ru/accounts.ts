import { html, lines } from '../html.ts'
import type * as en from '../en/accounts.ts'
import { plural } from './plural.ts'

export const accounts: typeof en.accounts = {
  list: (count) =>
    lines(
      html`<b>Аккаунты</b>`,
      '',
      count === 1
        ? html`Здесь можно войти сразу в несколько аккаунтов и переключаться одним нажатием.`
        : html`Вы вошли здесь в ${count} ${plural(count, 'аккаунт', 'аккаунта', 'аккаунтов')}. Нажмите на нужный, чтобы переключиться; уведомления приходят от всех.`,
    ),
  now: (username) => `Теперь вы ${username}.`,
  ofOther: (username) =>
    html`Эта кнопка — от вашего аккаунта <b>${username}</b>.\n\nПереключиться на него и продолжить?`,
  notLoggedIn: 'Эта кнопка — от аккаунта, в который здесь не вошли.',
  buttons: {
    settings: '👤 Аккаунты',
    add: '➕ Другой аккаунт',
    switch: (username) => `👤 ${username}`,
    goOn: (username) => `👤 Продолжить как ${username}`,
    all: '👤 Сменить аккаунт',
  },
  of: (username) => html`👤 <b>${username}</b>`,
  agentChanged: {
    title: (username, agent) =>
      lines(
        html`🔀 <b>У ${username} новый агент</b>`,
        agent === null
          ? html`Теперь вы покупаете у магазина напрямую.`
          : html`Теперь ваш агент — <b>${agent}</b>.`,
        '',
        html`Баланс, заказы и прокси остались как есть.`,
      ),
    ended: html`Всё, что мог знать или создал прежний агент, больше не действует. Настройте заново то, что вам нужно:`,
    kinds: {
      password: () => html`• Пароль: вы вышли из аккаунта. Попросите ссылку для входа и задайте свой пароль.`,
      gateway_password: () => html`• Трафик: пароли сменились. Получите данные для подключения заново.`,
      proxy_link: (count) => html`• Ссылки на прокси: ${count}`,
      extraction_link: (count) => html`• Ссылки на трафик: ${count}`,
      allowed_address: (count) => html`• Адреса в белом списке: ${count}`,
      api_key: (count) => html`• API-ключи: ${count}`,
      webhook: (count) => html`• Вебхуки: ${count}`,
    },
  },
}

export const devices: typeof en.devices = {
  title: html`<b>Устройства</b>\n\nВ ваш аккаунт вошли из этих аккаунтов Telegram:`,
  chat: (id) => `Чат ${id}`,
  device: (name, telegramName, isHere) =>
    html`📱 <b>${name}</b>${telegramName === null ? '' : ` @${telegramName}`}${isHere ? ' (этот чат)' : ''}`,
  times: (since, used) => html`     вход ${since}, активность ${used}`,
  more: (count) => html`… и ещё ${count}`,
  hint: html`Кого-то не узнаёте? Отключите его, затем смените пароль.`,
  buttons: {
    settings: '📱 Устройства',
    logOut: (name) => `✖️ ${name}`,
    others: '🚪 Отключить все остальные',
    othersConfirmed: 'Отключить все остальные',
  },
  askOthers: (username) =>
    html`Выйти из <b>${username}</b> везде, кроме этого чата?\n\nДругие чаты, токены программ и неиспользованные приглашения перестанут действовать сразу. API-ключи и пароль останутся.`,
  othersEnded: 'Во всех остальных местах вы вышли.',
  newLogIn: (username, person, at) =>
    lines(
      html`🔐 <b>Новый вход в ${username}</b>`,
      html`${person}, ${at}`,
      '',
      html`Это были не вы? Отключите его в разделе «Устройства» и смените пароль.`,
    ),
}
