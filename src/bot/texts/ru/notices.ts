import { html, lines } from '../html.ts'
import type * as en from '../en/notices.ts'
import { plural } from './plural.ts'

/** What people are told without having asked, in Russian. */
export const notices: typeof en.notices = {
  buttons: {
    keep: '👌 Понятно',
    close: '✖️ Закрыть',
    topUp: '💳 Пополнить',
    topUpDetails: '🧾 Открыть пополнение',
    buyTraffic: '📶 Купить ещё трафик',
    users: '👥 Субпользователи',
    user: (username) => `👤 ${username}`,
  },
  order_ready: (count) => html`✅ <b>Ваши прокси готовы</b> (${count})`,
  order_partial: (delivered, ordered, refund) =>
    html`⚠️ <b>${plural(delivered, 'Готов', 'Готовы', 'Готовы')} ${delivered} из ${ordered} прокси</b>\nОстальные выдать не удалось; на баланс возвращено ${refund}.`,
  order_failed: (refund) =>
    html`❌ <b>Заказ выдать не удалось</b>\nНа баланс возвращено ${refund}. Выберите другую локацию или попробуйте позже.`,
  notWorking: (count) =>
    html`Проверку перед выдачей не ${plural(count, 'прошёл', 'прошли', 'прошли')} ${count} прокси.`,
  order_delayed: (count) =>
    html`⏱ <b>Заказ готовится дольше обычного</b> (${count} прокси)\nПоставщик ещё не ответил. Сообщу, как только всё будет готово; за то, что выдать не получится, вернём деньги.`,
  forUser: (username) => html`Для <b>${username}</b>`,
  renewal_done: (count, paid, balance, automatic) =>
    lines(
      html`🔄 <b>${automatic ? 'Продлено автоматически' : 'Продлено'}: ${count} прокси</b>`,
      html`Оплачено: ${paid} · баланс: ${balance}`,
    ),
  renewal_refused: (count, refund, automatic) =>
    lines(
      html`⚠️ <b>Не удалось продлить ${count} прокси</b>`,
      html`Поставщик отказал; на баланс возвращено <b>${refund}</b>.${automatic ? ' Буду пробовать снова, пока срок не истёк.' : ''}`,
    ),
  proxies_ended: (count) =>
    html`⏹ <b>Магазин отключил ${count} прокси</b>\n${count === 1 ? 'Он больше не работает' : 'Они больше не работают'}. Деньги не возвращены.`,
  reason: (reason) => html`Причина: ${reason}`,
  credentials: (changed) =>
    changed
      ? html`🔑 <b>У прокси новый пароль</b>\nСтарый больше не действует.`
      : html`⚠️ <b>Сменить пароль не удалось</b>\nПоставщик отказал; старый пароль действует.`,
  renewal_failed: (count, reason) =>
    lines(
      html`⚠️ <b>Автопродление не удалось: ${count} прокси</b>`,
      html`${reason} Буду пробовать каждые несколько минут, пока срок не истёк.`,
    ),
  short: (missing) => `На балансе не хватает ${missing}.`,
  expiring_72h: (count) =>
    html`⏳ <b>Через 3 дня ${plural(count, 'истекает', 'истекают', 'истекают')} ${count} прокси</b>`,
  expiring_24h: (count) =>
    html`⏳ <b>В ближайшие 24 часа ${plural(count, 'истекает', 'истекают', 'истекают')} ${count} прокси</b>`,
  wouldRenew: (missing) => html`Автопродление включено, но на балансе не хватает <b>${missing}</b>.`,
  expired: (count, until) =>
    lines(
      html`⌛ <b>${plural(count, 'Истёк', 'Истекли', 'Истекли')} ${count} прокси</b>`,
      html`Продлить ещё можно до ${until}.`,
    ),
  proxy_dead: (address, since) =>
    html`🔴 <b>Прокси не работает</b>\n<code>${address}</code> не проходит ни одной проверки с ${since}.`,
  deadRenews: (end) =>
    html`У него включено автопродление: он всё равно продлится незадолго до ${end}. Замените его или выключите автопродление.`,
  replacement_done: (before, now) =>
    html`✅ <b>Прокси заменён</b>\nВместо <code>${before}</code> теперь <code>${now}</code>. Логин и пароль — в самом прокси.`,
  replacement_refunded: (before, refund) =>
    html`↩️ <b>Прокси отключён</b>\nРавноценного вместо <code>${before}</code> не нашлось; на баланс возвращено ${refund}.`,
  replacement_declined: (before) =>
    html`✖️ <b>Прокси не заменён</b>\nМагазин отказал в замене <code>${before}</code>.`,
  note: (note) => html`Магазин пишет: ${note}`,
  traffic_80: html`📶 <b>Израсходовано 80% трафика</b>`,
  traffic_100: html`🚫 <b>Трафик закончился</b>`,
  traffic: (used, total) => html`Израсходовано: <b>${used}</b> из ${total}`,
  low_balance: (balance, needed, until) =>
    lines(
      html`💰 <b>Баланс скоро закончится</b>`,
      html`Баланс: <b>${balance}</b>. Автопродление за 7 дней стоит <b>${needed}</b>; денег хватит до ${until}.`,
    ),
  addressFreed: (cidr, product) =>
    html`🛡 <b>${cidr} больше нет в вашем белом списке</b> (${product})\nАдрес убрал магазин. Теперь с него нужны логин и пароль; его можно добавить снова.`,
  adjusted: {
    agent: (username) => (username === '' ? 'Ваш агент' : `Ваш агент ${username}`),
    shop: 'Магазин',
    added: (who, sum) => html`💰 <b>${who} пополнил ваш баланс на ${sum}</b>`,
    taken: (who, sum) => html`💰 <b>${who} списал с вашего баланса ${sum}</b>`,
    cause: {
      traffic: (orderNo) => html`Покупка трафика для вас: заказ <code>${orderNo}</code>`,
      renewal: (orderNo) => html`Продление ваших прокси: заказ <code>${orderNo}</code>`,
      release: (orderNo) => html`Отказ от ваших прокси: заказ <code>${orderNo}</code>`,
    },
  },
  returned: (username, sum) =>
    html`💰 <b>На ваш баланс вернулось ${sum}: субпользователь ${username} удалён</b>`,
  moneyDeclined: (agent, sum) =>
    html`✖️ <b>${agent === null ? 'Магазин' : `Ваш агент ${agent}`} отказал в просьбе о ${sum}</b>`,
  moneyWanted: (username, missing) =>
    html`🙋 <b>${username} просит пополнить баланс</b>\nНе хватает <b>${missing}</b>.`,
  payout: {
    paid: (sum) => html`💸 <b>Ваша выплата ${sum} отправлена</b>`,
    refused: (sum) => html`⚠️ <b>В выплате ${sum} отказано</b>\nСумма снова доступна.`,
    number: (payoutNo) => html`Выплата <code>${payoutNo}</code>`,
    sent: (usdt, address, txid) =>
      html`<b>${usdt} USDT</b> на <code>${address}</code>\nТранзакция: <code>${txid}</code>`,
    reason: (reason) => html`Причина: ${reason}`,
  },
  top_up_paid: html`✅ <b>Ваше пополнение зачислено</b>`,
  top_up_late: html`✅ <b>Ваш поздний платёж пришёл и зачислен</b>`,
  assigned: html`Мы вручную отнесли его к этому пополнению.`,
  received: (usdt, credited) => html`Получено: <b>${usdt} USDT</b> · зачислено: <b>${credited}</b>`,
  balance: (balance) => html`Ваш баланс: <b>${balance}</b>`,
  top_up_expired: html`⌛ <b>Ваше пополнение истекло</b>\nБольше его не оплачивайте. Если точная сумма уже отправлена, она всё равно зачислится, когда придёт.`,
  topUpNo: (orderNo) => html`Пополнение <code>${orderNo}</code>`,
  digest: {
    title: {
      order_ready: 'Заказы субпользователей готовы',
      order_partial: 'Заказы субпользователей выданы частично',
      order_failed: 'Заказы субпользователей выдать не удалось',
      renewal_done: 'Продлено у субпользователей',
      renewal_failed: 'Не удалось продлить у субпользователей',
      credentials_changed: 'Новые пароли прокси у субпользователей',
      expiring_72h: 'Прокси субпользователей истекают через 3 дня',
      expiring_24h: 'Прокси субпользователей истекают в ближайшие 24 часа',
      expired: 'Прокси субпользователей истекли',
      proxy_dead: 'Прокси субпользователей не работают',
      replacement_ended: 'Замены у субпользователей',
      traffic_80: 'Субпользователи израсходовали 80% трафика',
      traffic_100: 'У субпользователей закончился трафик',
      balance_adjusted: 'Магазин изменил балансы субпользователей',
      low_balance: 'У субпользователей скоро закончится баланс',
      sub_user_joined: 'Новые субпользователи по вашим ссылкам',
      top_up_paid: 'Субпользователи пополнили баланс',
      top_up_late: 'Поздние платежи субпользователей пришли',
      top_up_expired: 'Пополнения субпользователей истекли',
    },
    heading: (title, count) => html`👥 <b>${title}</b>${count > 1 ? ` (${count})` : ''}`,
    line: (username, detail) => html`• <b>${username}</b>: ${detail}`,
    more: (count) => html`… и ещё ${count}`,
    topUp: (orderNo) => `пополнение ${orderNo}`,
    proxies: (count, orderNo) => `${count} прокси, заказ ${orderNo}`,
    partly: (delivered, ordered, orderNo) => `${delivered} из ${ordered} прокси, заказ ${orderNo}`,
    proxy: (address, orderNo) => `${address}, заказ ${orderNo}`,
    refunded: (refund, orderNo) => `возврат ${refund}, заказ ${orderNo}`,
    shortBy: (missing) => `не хватает ${missing}`,
    adjusted: (change, balance) => `${change}, баланс ${balance}`,
    joined: (trial, missing) =>
      missing
        ? `регистрация без стартового баланса ${missing}: на вашем балансе не хватило денег`
        : trial
          ? `регистрация, стартовый баланс ${trial}`
          : 'регистрация',
    traffic: (product, used, total) => `${product}, ${used} / ${total}`,
    needs: (balance, needed) => `${balance}, продления стоят ${needed}`,
  },
}
