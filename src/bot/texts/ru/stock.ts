import { html, lines } from '../html.ts'
import type * as en from '../en/stock.ts'
import { plural } from './plural.ts'

export const stock: typeof en.stock = {
  buttons: {
    stock: '📥 Склад',
    resting: (count) => `🛌 Ждут смены пароля (${count})`,
    uses: {
      import: '➕ Добавить на склад',
      update: '🔑 Сменить логины и пароли',
      off: '⏸ Снять с продажи',
      on: '▶️ Вернуть в продажу',
      release: '♻️ Продавать ждущие как есть',
    },
    carryOut: {
      import: (count) => `✅ Добавить ${count}`,
      update: (count) => `✅ Сменить у ${count}`,
      off: (count) => `✅ Снять с продажи ${count}`,
      on: (count) => `✅ Вернуть в продажу ${count}`,
      release: (count) => `✅ Продавать как есть ${count}`,
    },
    otherUse: 'Другое',
  },
  title: html`<b>Склад</b>`,
  howTo: lines(
    html`Пришлите прокси файлом CSV или текстом либо вставьте их сюда. Пока вы не подтвердите, ничего не изменится.`,
    '',
    html`• с заголовком: <code>product_no,ip,port,username,password,country_code,state,city_code,cidr</code>, при желании ещё <code>cost</code>: во сколько вам обходится один в месяц`,
    html`• или просто строки вида <code>ip:port:username:password</code>; о товаре и месте я тогда спрошу`,
    html`• или только адреса, чтобы снять их с продажи или вернуть в неё`,
  ),
  inGroups: html`<i>В группе пришлите файл; вставлять можно в личном чате.</i>`,
  totals: (free, held, resting, disabled) =>
    html`В продаже: <b>${free}</b> · занято: ${held} · ждут смены пароля: ${resting} · сняты с продажи: ${disabled}`,
  empty: 'Прокси в нём нет.',
  notAList: 'Это не список прокси: кавычка не на своём месте.',
  gone: 'Этого списка уже нет под рукой. Пришлите его ещё раз.',
  sent: (count) => html`📄 В вашем списке <b>${count} прокси</b>.`,
  whatFor: html`Что с ними сделать?`,
  whichProduct: html`Какой это товар?`,
  noProducts: html`Товаров со своего склада ещё нет. Сначала добавьте товар.`,
  whichPlace: html`Где они? Нажмите место или пришлите код страны, например <code>US</code>, а если продаёте по штатам и городам, то и их: <code>US NY USNYC</code>. Дефис — пропуск: <code>JP - JPTYO</code>.`,
  notAPlace: 'Пришлите код страны из двух букв и, если нужно, код штата и код города.',
  plan: {
    import: (fresh, known) =>
      html`➕ Новых: <b>${fresh}</b>${known > 0 ? ` · уже на складе, останутся как есть: ${known}` : ''}`,
    update: (count) =>
      html`🔑 <b>${count} прокси</b> ${plural(count, 'получит', 'получат', 'получат')} логин и пароль из этого списка и ${plural(count, 'поступит', 'поступят', 'поступят')} в продажу.`,
    off: (count) => html`⏸ Будет снято с продажи: <b>${count}</b>. У клиентов всё останется.`,
    on: (count) => html`▶️ Вернётся в продажу: <b>${count}</b>.`,
    release: (count) =>
      html`♻️ Будет продаваться с нынешними логином и паролем, которые знают прежние клиенты: <b>${count}</b>.`,
  },
  product: (name) => html`Товар: ${name}`,
  place: (place) => html`Место: ${place}`,
  namelessCities: (codes) => html`⚠️ Города без названия, будут показаны кодом: ${codes}`,
  severalPorts: (count) => html`ℹ️ Адреса с несколькими портами, каждый продаётся отдельно: ${count}`,
  cost: (sum, unknown) =>
    sum === undefined
      ? html`Себестоимость: неизвестна`
      : html`Себестоимость: <b>${sum}</b> в месяц за все${unknown > 0 ? `, неизвестна у ${unknown}` : ''}`,
  askCost: html`<i>Чтобы считать прибыль, пришлите, во сколько вам обходится один прокси в месяц, например <code>1.20</code>.</i>`,
  notACost: 'Пришлите сумму, например 1.20, или нажмите кнопку.',
  refused: (count) =>
    html`❌ <b>Принять нельзя: ${count} ${plural(count, 'строка', 'строки', 'строк')} с ошибкой.</b> Исправьте список и пришлите ещё раз.`,
  line: (line, reason) => html`• строка ${line}: ${reason}`,
  named: (address, reason) => html`• <code>${address}</code>: ${reason}`,
  done: {
    import: (count) => html`✅ <b>Добавлено прокси: ${count}.</b>`,
    update: (count) => html`✅ <b>Доступ сменён у ${count} прокси.</b>`,
    off: (count) => html`✅ <b>Снято с продажи прокси: ${count}.</b>`,
    on: (count) => html`✅ <b>Возвращено в продажу прокси: ${count}.</b>`,
    release: (count) => html`✅ <b>Продаются как есть: ${count} прокси.</b>`,
  },
  held: (count) => html`Из них ${count} — когда их освободит нынешний заказ.`,
  resting: (count) => html`Из них ${count} — когда появятся новые логин и пароль.`,
  noneResting: 'Смены пароля не ждёт ни один прокси.',
  restingFile: (count) =>
    html`${count} прокси с логином и паролем, которые были у клиентов. Впишите новые и пришлите файл обратно; или пришлите его как есть, чтобы продавать без смены.`,
  reasons: {
    bad_product_no: 'не указан товар',
    bad_ip: 'это не IP, до которого дотянутся клиенты',
    bad_port: 'порт должен быть 1–65535',
    bad_username: 'нет логина или в нём пробелы либо двоеточия',
    bad_password: 'нет пароля или в нём пробелы либо двоеточия',
    bad_country_code: 'это не код страны из двух букв',
    bad_state: 'это не код штата',
    bad_city_code: 'это не код города',
    bad_cost: 'себестоимость — это сумма, например 1.20',
    bad_cidr: 'IP не входит в этот диапазон',
    no_product: 'такого товара нет',
    by_traffic: 'этот товар продаётся по трафику',
    supplied: 'этот товар идёт от поставщика',
    both_kinds: 'на этом IP есть и общие, и индивидуальные прокси',
    twice: 'повторяется',
    delivered: 'этот логин и пароль уже были у клиента',
    in_stock: 'уже на складе',
    not_in_stock: 'нет на складе',
    several: 'на этом IP несколько прокси: укажите порт одного из них',
    in_use: 'сейчас у клиента',
    empty: 'прокси нет',
    not_an_ip_address: 'это не IP-адрес',
    not_in_the_stock: 'нет на складе',
    not_resting: 'не ждёт смены пароля',
  },
}
