import { html } from '../html.ts'
import type * as en from '../en/buy.ts'
import { plural } from './plural.ts'

/** Buying static proxies, in Russian. */
export const buy: typeof en.buy = {
  title: html`<b>Купить статические прокси</b>`,
  empty: html`<b>Купить статические прокси</b>\n\nСейчас ничего нет в наличии. Загляните позже.`,
  gone: html`⚠️ То, что вы выбрали, уже недоступно. Выберите заново.`,
  placeGone: (place) => html`⚠️ ${place}: только что раскупили. Выберите другую локацию.`,
  pricedProducts: (unit, names) =>
    html`<i>${names === '' ? 'Цены' : `${names}: цены`} за штуку, ${unit}.</i>`,
  pricedPlaces: (unit) => html`Рядом с локацией: сколько в наличии и цена за штуку, ${unit}.`,
  steps: {
    product: html`Какой товар?`,
    project: html`Для какого проекта?`,
    country: html`Какая страна?`,
    city: html`Какой город?`,
    term: html`На какой срок?`,
  },
  typeProject: html`Для какого проекта? Пришлите название или код.`,
  projectTooLong: 'В названии проекта не больше 64 символов.',
  available: (stock, unitPrice) => html`В наличии ${stock}, цена ${unitPrice} за штуку.`,
  orType: (addresses) =>
    html`<i>Или напишите: количество, страну или город, срок${addresses ? ', IP-адреса' : ''}.</i>`,
  notUnderstood: (text) =>
    `Не понимаю «${text}». Напишите количество, страну, город или срок из тех, что в продаже, или нажмите кнопку.`,
  form: {
    term: (term) => `🗓 ${term}`,
    autoRenew: '🔁 Автопродление',
    project: (project) => `📁 ${project}`,
    product: (product) => `🏷 ${product}`,
  },
  onlyLeft: (max, limit) =>
    max === 1
      ? 'Здесь остался только 1 прокси.'
      : max < limit
        ? `Здесь осталось только ${max}. Пришлите число от 1 до ${max}.`
        : `Не больше ${limit} за раз. Пришлите число от 1 до ${limit}.`,
  soldElsewhere: (place) => html`<b>${place}</b>: в этом товаре нет, но есть в других:`,
  chosen: {
    user: (username) => html`👤 Для <b>${username}</b>`,
    product: (name) => html`Товар: <b>${name}</b>`,
    project: (name) => html`Проект: <b>${name}</b>`,
    place: (place) => html`Локация: <b>${place}</b>`,
    term: (term) => html`Срок: <b>${term}</b>`,
  },
  sharedWord: 'общи',
  shared: (product) => `${product} · общие`,
  atLeast: (price) => `от ${price}`,
  from: (price) => `от ${price}`,
  onePlace: (max) => html`Все прокси одного заказа — из одной локации: не больше ${max}.`,
  anyCity: '🌍 Любой город',
  ranges: {
    button: '🧩 Диапазоны IP',
    question: (picked, max) =>
      html`Какие диапазоны IP? Пока выбрано <b>${picked}</b>, можно не больше ${max}.`,
    range: (range, free) => `${range} · ${free}`,
    picked: (range, count, free) => `${range} · ${count} из ${free}`,
    howMany: (range, free) => html`<code>${range}</code>: свободно ${free}. Сколько взять?`,
    all: (count) => `Все ${count}`,
    none: '✖️ Без этого диапазона',
    goOn: (count) => `Дальше: ${count} шт. ›`,
    noneFree: html`⚠️ Свободных IP больше нет ни в одном диапазоне.`,
  },
  addresses: {
    button: '📌 Точные IP',
    browse: (ticked, free, max) =>
      html`Какие именно IP? Отметьте их или пришлите список адресов. Вы получите их, а не другие.\n\nВыбрано <b>${ticked}</b>, можно не больше ${max}. Свободно здесь: ${free}.`,
    notHere: 'Для этого товара адреса выбрать нельзя.',
    tooMany: (count, max) => `Адресов ${count}, а в одном заказе не больше ${max}.`,
    noAddress: (count, list) => `Не IP-адреса (${count}): ${list}.`,
    notFree: (count, list) => `Недоступны в этом товаре и локации (${count}): ${list}.`,
    gone: (list) => html`⚠️ Уже недоступны: ${list}. Выберите заново.`,
  },
  more: (count) => `… и ещё ${count}`,
  count: (count) => html`Количество: <b>${count}</b>`,
  listed: (address, count) =>
    count === undefined ? html`• <code>${address}</code>` : html`• <code>${address}</code> × ${count}`,
  price: (unitPrice, periods) => html`Цена за штуку: ${unitPrice}${periods > 1 ? ` × ${periods}` : ''}`,
  promo: {
    line: (code, discount) => html`🎟 <code>${code}</code>: −${discount}`,
    add: '🎟 Промокод',
    remove: '✖️ Без промокода',
    question: html`Какой промокод? Пришлите его.`,
  },
  total: (total) => html`Итого: <b>${total}</b>`,
  balance: (balance) => html`Ваш баланс: ${balance}`,
  balanceOf: (username, balance) => html`Баланс ${username}: ${balance}`,
  balanceAfter: (balance) => html`Останется: ${balance}`,
  nextTier: (from, price) => html`💡 От ${from} шт. — по ${price}.`,
  refund: (hours) =>
    hours > 0
      ? html`↩️ Возврат, если отказаться в течение ${hours} ${plural(hours, 'часа', 'часов', 'часов')}: за весь заказ — полностью; за часть — с пересчётом остального по цене меньшего количества.`
      : html`↩️ Возврата по этому товару нет.`,
  autoRenew: (on, term) =>
    on
      ? html`🔁 Автопродление: <b>включено</b>. За час до конца продлим на ${term} по цене на тот момент.`
      : html`🔁 Автопродление: выключено`,
  autoRenewButton: (on) => (on ? '🔁 Выключить автопродление' : '🔁 Включить автопродление'),
  short: (missing) =>
    html`⚠️ На балансе не хватает <b>${missing}</b>. Пополните его и продолжите с этого же места.`,
  shortAsk: {
    agent: (missing) =>
      html`⚠️ На балансе не хватает <b>${missing}</b>. Попросите агента пополнить и продолжите с этого же места.`,
    operator: (missing) =>
      html`⚠️ На балансе не хватает <b>${missing}</b>. Попросите магазин пополнить и продолжите с этого же места.`,
  },
  ask: { agent: '🙋 Попросить агента', operator: '🙋 Попросить магазин' },
  shortOf: (username, missing) => html`⚠️ На балансе ${username} не хватает <b>${missing}</b>.`,
  topUp: (missing) => `💳 Пополнить на ${missing}`,
  giveBalance: (username) => `💰 Пополнить ${username}`,
  disabled: (username) => `Аккаунт ${username} отключён и покупать не может.`,
  forUser: (username) => `🛒 Купить для ${username}`,
}
