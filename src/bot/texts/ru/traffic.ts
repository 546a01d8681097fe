import { html, lines } from '../html.ts'
import type * as en from '../en/traffic.ts'
import { plural } from './plural.ts'

/** Dynamic traffic, in Russian: what there is, and buying more. */
export const traffic: typeof en.traffic = {
  title: html`📶 <b>Динамический трафик</b>`,
  nothing: html`📶 <b>Динамический трафик</b>\n\nСейчас динамический трафик не продаётся. Загляните позже.`,
  name: (name) => html`<b>${name}</b>`,
  bar: (bar) => html`${bar} израсходовано или выделено`,
  left: (remaining, total) => html`Осталось: <b>${remaining}</b> из ${total}`,
  used: (used) => html`Израсходовано: ${used}`,
  allocated: (allocated) => html`У субаккаунтов: ${allocated}`,
  notBought: html`Ещё не куплен`,
  price: (price) => html`Цена: ${price} за ГБ`,
  notSold: html`Этот товар больше не продаётся; что куплено, остаётся вам.`,
  exhausted: html`Трафик закончился: купите ещё или заберите у субаккаунта.`,
  start: html`Здесь у вас ещё нет трафика. Купите его, и прокси сразу заработают.`,
  productButton: (name, left) => `${name} · ${left}`,
  buttons: {
    buy: '🛒 Купить трафик',
    extract: '🔌 Получить прокси',
    orders: '🧾 Заказы трафика',
    subAccounts: '🔑 Субаккаунты',
    open: '📶 К трафику',
    again: '🔁 Купить ещё',
  },
  buy: {
    title: html`<b>Купить трафик</b>`,
    product: html`Какой товар?`,
    orType: html`<i>Или напишите, сколько ГБ, например 2.5.</i>`,
    amountButton: (gigabytes, total) => `${gigabytes} ГБ · ${total}`,
    notAnAmount: (answer, most) =>
      `«${answer}» — не количество трафика: пришлите число больше 0 и не больше ${most}, например 2.5, не больше трёх знаков после точки.`,
    traffic: (gigabytes) => html`Трафик: <b>${gigabytes} ГБ</b>`,
    nextTier: (more, price) => html`💡 Ещё ${more} ГБ, и каждый ГБ будет стоить ${price}.`,
    takeTier: (gigabytes, total) => `💡 ${gigabytes} ГБ за ${total}`,
    openUser: (username) => `👤 ${username}`,
    done: (gigabytes) => html`✅ <b>Куплено: ${gigabytes}</b>`,
  },
  orders: {
    title: (total) => html`🧾 <b>Заказы трафика</b>\n\nЗаказов: ${total}`,
    empty: html`🧾 <b>Заказы трафика</b>\n\nПока ни одного.`,
    bar: (bar) => html`${bar} израсходовано`,
    number: (orderNo) => html`Заказ <code>${orderNo}</code>`,
    date: (date) => html`Куплен: ${date}`,
    status: {
      processing: '⏳ Готовится',
      active: '✅ Активен',
      exhausted: '⌛ Израсходован',
      cancelled: '🚫 Отменён',
      failed: '❌ Не выдан',
    },
  },
}

export const extraction: typeof en.extraction = {
  title: html`🔌 <b>Получить прокси</b>`,
  product: (name) => html`Товар: <b>${name}</b>`,
  left: (left) => html`Осталось трафика: <b>${left}</b>`,
  country: (country) => html`Страна: <b>${country}</b>`,
  anyCountry: '🌍 Любая страна',
  exit: {
    rotating: html`IP: <b>новый при каждом запросе</b>`,
    sticky: (minutes) =>
      html`IP: <b>у каждого прокси свой, на ${minutes} ${plural(minutes, 'минуту', 'минуты', 'минут')}</b>`,
  },
  quantity: (quantity) => html`Количество: <b>${quantity}</b>`,
  identical: html`<i>С ротацией все строки одинаковы; почти любой программе хватит одной.</i>`,
  protocol: (protocol) => html`Протокол: <b>${protocol}</b>`,
  format: (format) => html`Формат: <code>${format}</code>`,
  protocols: { http: 'HTTP', socks5: 'SOCKS5' },
  formats: {
    c: 'host:port:user:pass',
    a: 'user:pass@host:port',
    u: 'URL',
    v: 'CSV',
  },
  buttons: {
    country: '🌍 Страна',
    quantity: (quantity) => `🔢 Штук: ${quantity}`,
    rotating: '🔄 С ротацией',
    sticky: '📌 Липкий IP',
    minutes: (minutes) => `📌 ${minutes} мин`,
    format: (name) => `📋 ${name}`,
    show: (quantity) => (quantity === 1 ? '✅ Получить' : `✅ Получить ${quantity}`),
    file: '📄 Файл .txt',
    link: '🔗 Ссылкой',
    links: '🔗 Мои ссылки',
    asBefore: (quantity, place, exit) => `⚡ ${quantity} · ${place} · ${exit}`,
    again: '🔁 Ещё раз',
    change: '⚙️ Изменить',
    revokeNow: '🗑 Отозвать ссылку',
    copyLink: '📋 Копировать ссылку',
    copyLines: (first, last) => (first === last ? `📋 ${first}` : `📋 ${first}–${last}`),
  },
  askCountry: html`Какая страна? Нажмите или напишите.`,
  orType: html`<i>Или напишите: количество, страну или время, например 30 min.</i>`,
  unknownCountry: (answer) => `Страны «${answer}» нет.`,
  tooManyCountries: (answer) => `Под «${answer}» подходит слишком много стран. Напишите название полнее.`,
  severalCountries: (answer) => html`Какую страну вы имеете в виду под «${answer}»?`,
  askMinutes: html`Сколько минут прокси держит свой IP? Нажмите или напишите.`,
  askQuantity: html`Сколько прокси? Нажмите или напишите.`,
  askFormat: html`В каком формате строки?`,
  possible: {
    minutes: (most) => `IP можно держать от 1 до ${most} минут. Пришлите целое число.`,
    quantity: (most) => `За раз можно получить от 1 до ${most} прокси. Пришлите целое число.`,
  },
  done: (count) => html`✅ <b>${count === 1 ? 'Ваш прокси' : `Ваши ${count} прокси`}</b>`,
  validUntil: (time) => html`IP не меняются до <b>${time}</b>.`,
  gateway: (address, protocol) => html`Шлюз: <code>${address}</code> (${protocol})`,
  tryIt: html`Проверьте в терминале:`,
  fileCaption: (count, name) =>
    html`<b>${name}</b>: ${count === 1 ? '1 прокси' : `${count} прокси, по одному в строке`}`,
  link: {
    title: html`🔗 <b>Ваша ссылка</b>`,
    what: html`Любой, кто её откроет, получит свежие прокси текстом и потратит ваш трафик. Не показывайте её посторонним.`,
    list: (count) =>
      count === 0
        ? html`🔗 <b>Мои ссылки</b>\n\nДействующих ссылок нет. Создайте её кнопкой «Ссылкой» в «Получить прокси».`
        : html`🔗 <b>Мои ссылки</b>\n\nДействующих ссылок: ${count}. Нажмите на ссылку, чтобы посмотреть её или отозвать.`,
    button: (quantity, place, date) => `🔗 ${quantity} × ${place} · ${date}`,
    facts: (facts) =>
      lines(
        html`🔗 <b>Ссылка на трафик</b>`,
        '',
        html`Товар: <b>${facts.product}</b>`,
        html`Отдаёт: ${facts.quantity} × ${facts.place}`,
        html`Создана: ${facts.date}`,
        '',
        facts.url,
        '',
        html`После отзыва программы ничего по ней не получат. Отменить это нельзя.`,
      ),
    ended: 'Ссылка отозвана.',
    unreachable: 'В этом магазине ссылок нет. Получите прокси файлом.',
    gone: 'Эта ссылка больше не действует.',
  },
}

export const subAccounts: typeof en.subAccounts = {
  title: (product, total, left) =>
    lines(
      html`🔑 <b>Субаккаунты</b>`,
      '',
      html`Товар: <b>${product}</b>`,
      html`На основном аккаунте: <b>${left}</b>`,
      html`Субаккаунтов: <b>${total}</b>`,
    ),
  empty: html`Субаккаунт — это отдельный логин с частью вашего трафика: для программы, коллеги или клиента.`,
  button: (icon, name, left) => `${icon} ${name} · ${left}`,
  icons: { active: '🟢', disabled: '⏸' },
  status: { active: '🟢 Активен', disabled: '⏸ Отключён' },
  buttons: {
    create: '➕ Новый субаккаунт',
    anyName: '🎲 Случайный логин',
    give: '➕ Дать трафик',
    take: '➖ Забрать',
    disable: '⏸ Отключить',
    enable: '▶️ Включить',
    password: '🔁 Новый пароль',
    remove: '🗑 Удалить',
    removeNow: (name) => `🗑 Удалить ${name}`,
    setPassword: '🔁 Сменить пароль',
    amount: (gigabytes) => `${gigabytes} ГБ`,
    all: (left) => `Всё: ${left}`,
    other: '✏️ Другое количество',
    confirm: '✅ Подтвердить',
    open: '🔑 Открыть субаккаунт',
    copy: '📋 Копировать строку',
  },
  name: (name) => html`Логин: <code>${name}</code>`,
  gateway: (host, port) => html`Шлюз: <code>${host}:${port}</code>`,
  bar: (bar) => html`${bar} израсходовано`,
  left: (left, limit) => html`Осталось: <b>${left}</b> из ${limit}`,
  remark: (remark) => html`Примечание: ${remark}`,
  created: (date) => html`Создан: ${date}`,
  askName: (amount) =>
    lines(
      html`➕ <b>Новый субаккаунт</b>`,
      '',
      html`Трафик: <b>${amount}</b>`,
      html`Какой логин? Пришлите от 3 до 32 латинских букв, цифр или _ либо возьмите случайный.`,
    ),
  badName: (answer) =>
    `«${answer}» не подходит: от 3 до 32 латинских букв, цифр или _, и не как у случайных логинов.`,
  askFirstTraffic: (left) =>
    lines(
      html`➕ <b>Новый субаккаунт</b>`,
      '',
      html`Сколько ГБ дать для начала? У вас <b>${left}</b>. Нажмите кнопку или пришлите число, например <code>0.5</code>.`,
    ),
  askAmount: {
    give: (name, left) => html`➕ Сколько ГБ дать <b>${name}</b>?\n\nНа основном аккаунте: <b>${left}</b>`,
    take: (name, left) => html`➖ Сколько ГБ забрать у <b>${name}</b>?\n\nТам сейчас <b>${left}</b>.`,
  },
  typeAmount: {
    give: (name) => html`➕ Сколько ГБ дать <b>${name}</b>? Пришлите число, например <code>0.5</code>.`,
    take: (name) => html`➖ Сколько ГБ забрать у <b>${name}</b>? Пришлите число, например <code>0.5</code>.`,
  },
  onlyLeft: (most) => `Осталось только ${most} ГБ. Пришлите число не больше этого.`,
  notAnAmount: (answer, most) =>
    `«${answer}» — не количество трафика: пришлите число до ${most}, не больше трёх знаков после точки.`,
  move: {
    give: (name, amount) => html`➕ Дать <b>${amount}</b> субаккаунту <b>${name}</b>?`,
    take: (name, amount) => html`➖ Забрать <b>${amount}</b> у субаккаунта <b>${name}</b>?`,
    main: (before, after) => html`Основной аккаунт: ${before} → <b>${after}</b>`,
    sub: (before, after) => html`Субаккаунт: ${before} → <b>${after}</b>`,
    tooMuch: (left) => html`⚠️ Доступно только <b>${left}</b>.`,
    done: '✅ Готово.',
  },
  secret: {
    created: html`✅ <b>Субаккаунт создан</b>`,
    changed: html`✅ <b>Новый пароль задан</b>\n\nСтарый больше не действует.`,
    line: html`Скопируйте сейчас: пароль показан только один раз.`,
  },
  askPassword: (name) =>
    html`🔁 <b>Сменить пароль ${name}?</b>\n\nТекущий сразу перестанет действовать у всех, кто им пользуется.`,
  askDelete: (name, left) =>
    html`🗑 <b>Удалить ${name}?</b>\n\nЛогин сразу и навсегда перестанет действовать. На основной аккаунт вернётся <b>${left}</b>.`,
  deleted: (name, returned) => `Субаккаунт ${name} удалён, на основной вернулось ${returned}.`,
}

export const usage: typeof en.usage = {
  title: html`📊 <b>Расход трафика</b>`,
  noTraffic: html`Трафика пока нет.`,
  today: (used) => html`Сегодня: <b>${used}</b>`,
  lastDays: (days) => html`<b>За ${days} ${plural(days, 'день', 'дня', 'дней')}</b> (UTC)`,
  perDay: html`📈 <b>Расход трафика по дням</b>`,
  nothing: (days) => html`За ${days} ${plural(days, 'день', 'дня', 'дней')} ничего не израсходовано.`,
  day: (day, bar, used) => html`<code>${day}</code> ${bar} ${used}`,
  asOf: (time) => html`<i>Данные на ${time}</i>`,
  hosts: html`🎯 <b>Куда уходит трафик</b>`,
  range: (from, to) =>
    from === to ? html`День: <b>${from}</b> (UTC)` : html`Дни: <b>${from} – ${to}</b> (UTC)`,
  total: (used) => html`Израсходовано: <b>${used}</b>`,
  host: (place, host, used) => html`${place}. ${host}: <b>${used}</b>`,
  others: (used) => html`Остальные: ${used}`,
  noHosts: html`Ничего не израсходовано.`,
  kept: (days) =>
    html`<i>Записываются только имена хостов, хранятся ${days} ${plural(days, 'день', 'дня', 'дней')}.</i>`,
  notKept: html`Хосты не записываются. Включите запись, чтобы с этого момента видеть, куда уходит трафик.`,
  askForget: html`🙈 <b>Больше не записывать хосты?</b>\n\nЗаписанные сразу удалятся. Расход по дням считается и дальше.`,
  switched: { on: 'Теперь хосты записываются.', off: 'Хосты больше не записываются.' },
  buttons: {
    open: '📊 Расход',
    hosts: '🎯 Хосты',
    chart: '📈 График',
    today: 'Сегодня',
    week: '7 дней',
    forget: '🙈 Не записывать хосты',
    forgetNow: '🙈 Удалить и не записывать',
    keep: '👁 Записывать хосты',
  },
}

export const allowed: typeof en.allowed = {
  title: html`🛡 <b>Белый список IP</b>`,
  what: html`С этих адресов трафик доступен без логина и пароля.`,
  none: html`Список пуст. Пришлите адреса, чтобы добавить их.`,
  count: (count, most) => html`Адресов: <b>${count}</b> из ${most}`,
  address: (place, address) => html`${place}. <code>${address}</code>`,
  country: (country) => html`Страна выхода их трафика: <b>${country}</b>`,
  anywhere: html`Страна выхода их трафика: любая`,
  ask: html`Пришлите адреса или диапазоны, можно сразу несколько: <code>203.0.113.7 198.51.100.0/24</code>\n\nСтрана после них, например <code>US</code>, — страна выхода для всех адресов списка.`,
  removed: (address) => `Адрес ${address} удалён.`,
  problems: {
    none: 'Пришлите хотя бы один адрес, например 203.0.113.7.',
    tooMany: (most) =>
      `Можно не больше ${most} ${plural(most, 'адреса', 'адресов', 'адресов')}. Удалите лишние или укажите диапазон.`,
    rules: {
      not_an_address_range: (address) =>
        `«${address}» — не адрес вроде 203.0.113.7 и не диапазон вроде 198.51.100.0/24.`,
      address_range_too_wide: (address) =>
        `${address} — слишком широкий диапазон: можно до /24, для IPv6 до /48.`,
      not_of_a_client: (address) =>
        `${address} — внутренний адрес. Пришлите внешний: его показывает, например, ipinfo.io.`,
      named_twice: (address) => `${address} уже есть в списке или пересекается с диапазоном из него.`,
      address_of_another_account: (address) =>
        `${address} уже занят другим трафиком. Адрес может относиться только к одному товару одного аккаунта.`,
    },
  },
  buttons: {
    open: '🛡 Белый список IP',
    add: '➕ Добавить адреса',
    remove: (address) => `🗑 ${address}`,
    anywhere: '🌍 Выход в любой стране',
  },
}
