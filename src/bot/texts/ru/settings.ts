import { html, lines } from '../html.ts'
import type * as en from '../en/settings.ts'

export const language: typeof en.language = html`<b>Язык</b>`

/** What each chat decides for itself, in Russian. */
export const settings: typeof en.settings = {
  title: html`<b>Настройки</b>`,
  of: (username) =>
    lines(
      html`👤 ${username}`,
      html`Язык, часовой пояс, формат прокси и уведомления — только для этого чата.`,
    ),
  buttons: {
    language: (name) => `🌐 Язык: ${name}`,
    zones: '🕘 Часовой пояс',
    zone: (name) => `🕘 Часовой пояс: ${name}`,
    format: (name) => `📋 ${name}`,
    notices: (off) => (off === 0 ? '🔔 Уведомления: все' : `🔔 Уведомления: выкл. ${off}`),
    password: (isSet) => (isSet ? '🔑 Сменить пароль' : '🔑 Задать пароль'),
  },
  zone: {
    question: (now) =>
      html`<b>Часовой пояс</b>\n\nЗдесь сейчас <b>${now}</b>. Если у вас другое время, нажмите свой пояс или пришлите город, страну либо разницу с UTC: <code>Екатеринбург</code>, <code>Вьетнам</code>, <code>+5:30</code>.`,
    unknown: (text) => `Не знаю часового пояса «${text}». Попробуйте крупный город рядом или +3.`,
  },
  format: html`<b>Формат прокси</b>\n\nВ каком формате копировать и выгружать прокси?`,
  formats: {
    colon: 'ip:port:user:pass',
    at: 'user:pass@ip:port',
    http: 'http://user:pass@ip:port',
    socks5: 'socks5://user:pass@ip:port',
    csv: 'ip,port,user,pass',
  },
  notices: html`<b>Уведомления</b>\n\nО чём сообщать в этом чате? Нажмите, чтобы включить или выключить.`,
  kinds: {
    order_ready: 'Заказ готов',
    order_partial: 'Выдан частично',
    order_failed: 'Заказ не выдан',
    order_delayed: 'Заказ задержан',
    renewal_done: 'Автопродление',
    renewal_failed: 'Не продлено',
    credentials_changed: 'Новый пароль',
    expiring_72h: 'Осталось 3 дня',
    expiring_24h: 'Осталось 24 ч',
    expired: 'Срок истёк',
    proxy_dead: 'Прокси не работает',
    replacement_ended: 'Решение о замене',
    traffic_80: 'Трафик 80%',
    traffic_100: 'Трафик исчерпан',
    low_balance: 'Низкий баланс',
    address_freed: 'Белый список',
    money_wanted: 'Просьбы пополнить',
    sub_user_joined: 'Новые субпользователи',
    top_up_paid: 'Деньги зачислены',
    top_up_expired: 'Пополнение истекло',
    top_up_late: 'Поздний платёж',
    new_log_in: 'Новые входы',
    broadcast: 'Новости',
    sub_users: 'Мои субпользователи',
  },
}

export const password: typeof en.password = {
  askFirst: html`<b>Пароль</b>\n\nС паролем можно войти откуда угодно, в том числе через API. После выхода он понадобится и здесь.\n\nПришлите <b>пароль</b>: от 6 до 50 символов. Сообщение с ним я сразу удалю.`,
  askOld: html`<b>Новый пароль</b>\n\nСначала пришлите <b>текущий пароль</b>. Сообщение с ним я сразу удалю.`,
  askNew: html`<b>Новый пароль</b>\n\nТеперь пришлите <b>новый пароль</b>: от 6 до 50 символов. Сообщение с ним я сразу удалю.`,
  wrong: 'Неверный пароль.',
  done: html`✅ Новый пароль действует. Здесь вы остались, во всех остальных местах — вышли.`,
}
