import { html } from '../html.ts'
import type * as en from '../en/orders.ts'
import { plural } from './plural.ts'

/** Orders of static proxies and the proxies in them, in Russian. */
export const orders: typeof en.orders = {
  title: (total) => html`<b>Мои заказы</b>\n\nЗаказов: ${total}`,
  titleOf: (username, total) => html`<b>Заказы ${username}</b>\n\nЗаказов: ${total}`,
  titleOfAll: (total) => html`<b>Заказы всех пользователей</b>\n\nЗаказов: ${total}`,
  emptyOfAll: html`<b>Заказы всех пользователей</b>\n\nПрокси пока никто не купил.`,
  empty: html`<b>Мои заказы</b>\n\nВы ещё не покупали прокси.`,
  noneHere: html`Таких заказов нет.`,
  emptyOf: (username) => html`<b>Заказы ${username}</b>\n\nУ ${username} пока нет прокси.`,
  filterTitle: html`<b>Какие заказы?</b>`,
  filters: {
    all: 'Все',
    processing: '⏳ Готовятся',
    active: '✅ Активные',
    dead: '🔴 Нерабочие',
    expiring: '⏰ Истекают',
    expired: '⌛ Истекли',
    failed: '❌ Не выданы',
    recycle: '🗑 Завершённые',
  },
  created: (date) => `· ${date}`,
  until: (date) => date,
  search: {
    button: '🔎 Поиск',
    question: html`<b>Поиск</b>\n\nПришлите прокси (<code>ip:порт:логин:пароль</code>), IP-адреса или номера заказов, по одному в строке. Достаточно и части.`,
    nothing: 'Ничего не нашлось. Попробуйте иначе.',
    tooManyLines: (max) => `Не больше ${max} ${plural(max, 'строки', 'строк', 'строк')} за раз.`,
    found: (total) => html`<b>Найдено заказов:</b> ${total}`,
    more: (shown) => html`Показаны только последние ${shown}.`,
  },
  number: (orderNo) => html`Заказ <code>${orderNo}</code>`,
  status: (status) => html`<b>${status}</b>`,
  user: (username) => html`👤 <b>${username}</b>`,
  project: (name) => html`Проект: <b>${name}</b>`,
  total: (total) => html`Сумма: <b>${total}</b>`,
  count: (delivered, ordered) =>
    delivered === ordered ? html`Прокси: <b>${ordered}</b>` : html`Прокси: <b>${delivered}</b> из ${ordered}`,
  renewed: (amount) => html`Оплачено за продление: <b>${amount}</b>`,
  refunded: (amount) => html`Возвращено: <b>${amount}</b>`,
  expires: (date) => html`Действует до: <b>${date}</b>`,
  expireFrom: (first, last) =>
    html`Действует до: <b>${first}</b> (самый ранний) – <b>${last}</b> (самый поздний)`,
  expired: (date) => html`Срок истёк: <b>${date}</b>`,
  states: (active, expired, released) =>
    html`В работе: <b>${active}</b> · истекли: ${expired} · возвращены: ${released}`,
  dead: (dead, of) => {
    if (dead < of)
      return `🔴 ${plural(dead, 'Не работает', 'Не работают', 'Не работают')} ${dead} из ${of} прокси`
    return of === 1 ? '🔴 Прокси не работает' : `🔴 Все ${of} прокси не работают`
  },
  renewing: (count) => html`🔄 Продлеваются: <b>${count}</b> прокси`,
  renewableUntil: (date) => html`Истёкшие прокси можно продлить до ${date}.`,
  autoRenew: (on, of) =>
    on === 0
      ? html`Автопродление: выключено`
      : html`Автопродление: <b>включено</b>${on < of ? ` для ${on} из ${of}` : ''}`,
  autoRenewSet: (on) => (on ? 'Автопродление включено.' : 'Автопродление выключено.'),
  accepted: html`✅ <b>Заказ принят и оплачен</b>`,
  delivery: html`Прокси придут сообщением, как только будут готовы; они будут и в самом заказе.`,
  preparing: html`Прокси готовятся. Скоро пришлю их сюда.`,
  showLines: '📋 Показать прокси',
  oneByOne: '🔎 Подробно',
  instances: (orderNo, total) =>
    html`<b>Прокси из заказа</b> <code>${orderNo}</code>\n\nКакой открыть? Всего их ${total}.`,
  export: {
    text: '📄 .txt',
    csv: '📊 .csv',
    allText: '📄 Активные в .txt',
    allCsv: '📊 Активные в .csv',
    lines: (count) => html`${count === 1 ? '1 прокси' : `${count} прокси, по одному в строке`}`,
    table: (count) => html`${count} прокси, первая строка — заголовок`,
    deadLast: (dead) => html`${dead}: в конце файла.`,
  },
  noneActive: 'Активных прокси нет.',
  instance: {
    health: {
      works: html`Последняя проверка: ✅ работает`,
      slow: html`Последняя проверка: 🐢 работает, но медленно`,
      failing: html`Последняя проверка: ⚠️ не пройдена. Через несколько минут проверю ещё раз.`,
      dead: html`Проверки: 🔴 не работает`,
      not_tested: html`Ещё не проверен`,
    },
    dead: '🔴 Не работает',
    status: { active: '✅ Активен', expired: '⌛ Истёк', released: '🗑 Возвращён' },
    address: (ip, port) => html`IP: <code>${ip}</code>\nПорт: <code>${port}</code>`,
    credentials: (username, password) =>
      html`Логин: <code>${username}</code>\nПароль: <code>${password}</code>`,
    protocols: html`Протоколы: HTTP, SOCKS5`,
    range: (range) => html`Диапазон IP: <code>${range}</code>`,
    opened: (date) => html`Выдан: ${date}`,
    released: (date) => html`Возвращён: ${date}`,
    number: (instanceNo) => html`Прокси <code>${instanceNo}</code>`,
    line: (line) => html`<code>${line}</code>`,
  },
  renew: {
    button: '🔁 Продлить',
    title: html`<b>Продление прокси</b>`,
    which: (chosen, of) => html`Какие продлить? Выбрано: <b>${chosen}</b> из ${of}.`,
    none: 'В этом заказе нечего продлевать.',
    confirm: (total) => `✅ Продлить · ${total}`,
    offer: (term, end, price) => html`🔁 Ещё ${term}, до ${end}: <b>${price}</b>`,
    now: (term, price) => `🔁 Продлить ${term} · ${price}`,
    otherTerm: '🗓 Другой срок',
    newEnd: (date) => html`Новый срок: до <b>${date}</b>`,
    newEnds: (first, last) =>
      html`Новый срок: до <b>${first}</b> (самый ранний) – <b>${last}</b> (самый поздний)`,
    done: (count) => html`✅ <b>Продлено и оплачено</b> (${count})`,
    accepted: (count) => html`✅ <b>Продление принято и оплачено</b> (${count})`,
    follows: html`Новый срок придёт сообщением, обычно через несколько минут. За то, что продлить не получится, вернём деньги.`,
    paid: (amount) => html`Оплачено: <b>${amount}</b>`,
    dead: {
      why: html`Продление стоит столько же, но не оживит прокси. При замене срок сохраняется: сначала замените, потом продлевайте.`,
      without: (left) => `🔁 Без нерабочих: ${left}`,
      anyway: (count) => (count === 1 ? '🔁 Всё равно продлить' : `🔁 Всё равно продлить все ${count}`),
      which: '🔎 Показать прокси',
    },
  },
  release: {
    button: '🗑 Отказаться',
    title: html`<b>Отказ от прокси</b>`,
    which: (chosen, of) => html`Какие больше не нужны? Выбрано: <b>${chosen}</b> из ${of}.`,
    none: 'В этом заказе не от чего отказываться.',
    confirm: (count) => (count === 1 ? '🗑 Отказаться от прокси' : `🗑 Отказаться от ${count} прокси`),
    offer: (refund, until) =>
      html`🗑 Если отказаться сейчас, вернётся <b>${refund}</b> (до ${until}). Прокси сразу перестанет работать.`,
    now: (refund) => `🗑 Отказаться · +${refund}`,
    final: html`После отказа прокси сразу перестают работать. Отменить это нельзя.`,
    refund: (amount, until) => html`Возврат: <b>${amount}</b> (возможен до ${until})`,
    keptBack: (amount, staying) =>
      html`Удержано: <b>${amount}</b>. ${plural(staying, 'Остаётся', 'Остаются', 'Остаётся')} ${staying} прокси, а при меньшем количестве цена за штуку выше.`,
    noRefund: (until) => html`Возврата нет: он был возможен до ${until}.`,
    neverRefund: html`Возврата нет: для этого товара он не предусмотрен.`,
    done: (count) => html`🗑 <b>Вы отказались от прокси</b> (${count})`,
  },
  reset: {
    button: '🔑 Новый пароль',
    confirm: '🔑 Сменить пароль',
    question: (address) =>
      html`<b>Новый пароль</b>\n\nУ прокси <code>${address}</code> будет другой пароль. Старый перестанет действовать. Менять можно раз в час.`,
    asked: 'Новый пароль придёт сообщением.',
    tooSoon: 'Пароль каждого прокси можно менять раз в час.',
  },
  check: {
    button: '🩺 Проверить',
    again: '🩺 Проверить ещё раз',
    testing: 'Проверяю… это займёт до 15 секунд.',
    alive: html`✅ <b>Прокси работает</b>`,
    dead: html`🔴 <b>Прокси не работает</b>`,
    failed: html`⚠️ <b>Проверка не пройдена</b>`,
    saysNothing: html`⚠️ <b>Проверить не получилось</b>`,
    times: (connect, firstByte) => html`Подключение за <b>${connect} мс</b>, ответ за <b>${firstByte} мс</b>`,
    exit: (address) => html`Выходной адрес: <code>${address}</code>`,
    reasons: {
      refused: html`Отклоняет подключения.`,
      unreachable: html`Недоступен.`,
      timeout: html`Не отвечает вовремя.`,
      closed: html`Обрывает соединение.`,
      not_a_proxy: html`По этому адресу отвечает не прокси.`,
      credentials_refused: html`Не принимает логин или пароль.`,
      target_refused: html`Принимает подключение, но дальше выйти не может.`,
      wrong_answer: html`Отвечает не то, что запрошено.`,
      control_failed: html`Наш адрес для проверок сейчас недоступен. Попробуйте через несколько минут.`,
    },
    notYet: html`Одна неудача ещё ничего не значит. Проверяю каждые 5 минут и сообщу, если прокси не работает.`,
  },
  test: {
    button: '🩺 Проверить',
    again: '🩺 Проверить все ещё раз',
    underWay: (progress) =>
      html`🩺 <b>Проверяю прокси</b>\n${progress}\n\nМожете заниматься другим; результат будет в этом заказе.`,
    over: (works, of) =>
      works === of
        ? html`✅ <b>${of === 1 ? 'Прокси работает' : `Все ${of} прокси работают`}</b>`
        : html`🩺 <b>${plural(works, 'Работает', 'Работают', 'Работают')} ${works} из ${of} прокси</b>`,
    unknown: (count) =>
      html`Без результата: ${count}, потому что наш адрес для проверок был недоступен. Попробуйте через несколько минут.`,
    replace: (number) => `♻️ Заменить ${number}`,
    tooSoon: 'Проверять можно раз в минуту.',
  },
  replace: {
    button: '♻️ Заменить',
    title: html`<b>Замена прокси</b>`,
    why: html`Что с ним не так?`,
    reasons: {
      dead: 'Не подключается',
      blocked: 'Сайт его блокирует',
      slow: 'Слишком медленный',
      place: 'Не та локация',
    },
    ownReason: '✍️ Другое',
    typeReason: html`Что не так с прокси? Опишите своими словами.`,
    reason: (reason) => html`Причина: ${reason}`,
    atOnce: (until) =>
      html`Сразу выдам другой прокси: тот же товар, та же локация, срок тоже до <b>${until}</b>. Этот перестанет работать.`,
    noneFree: (refund) =>
      html`Равноценного прокси сейчас нет. Вместо замены могу отключить этот и вернуть <b>${refund}</b> за оставшийся срок.`,
    ask: html`Решает магазин; сообщу, как только он ответит.`,
    askNoneFree: (refund) =>
      html`Равноценного прокси сейчас нет. Если он не появится, этот отключат и вернут <b>${refund}</b> за оставшийся срок.`,
    now: '♻️ Заменить сейчас',
    refundNow: (refund) => `↩️ Вернуть ${refund}`,
    askNow: '📨 Отправить магазину',
    done: html`✅ <b>Прокси заменён</b>`,
    refunded: (refund) => html`↩️ <b>Прокси отключён</b>\nНа баланс возвращено ${refund}.`,
    requested: html`📨 <b>Запрос отправлен магазину</b>\nСообщу, как только он решит.`,
    processing: html`⏳ <b>Готовим другой прокси</b>\nСообщу, когда он будет готов; до этого всё остаётся как есть.`,
    open: '🔎 Открыть прокси',
    history: {
      done: (date, before) => html`♻️ ${date}: замена, раньше был <code>${before}</code>`,
      refunded: (date, refund) => html`↩️ ${date}: равноценного нет, возвращено ${refund}`,
      requested: (date) => html`📨 ${date}: запрошена замена`,
      processing: (date) => html`⏳ ${date}: замена готовится`,
      declined: (date, note) => html`✖️ ${date}: в замене отказано${note === '' ? '' : `: ${note}`}`,
    },
  },
  choose: {
    all: '☑️ Все',
    none: '⬜️ Снять',
    goOn: (count) => `Дальше (${count}) ›`,
    nothing: 'Сначала выберите хотя бы один.',
  },
  order: (count, of) => html`Прокси: <b>${count}</b> из ${of}`,
}

export const proxies: typeof en.proxies = {
  title: html`<b>Мои прокси</b>`,
  titleOf: (username) => html`<b>Прокси ${username}</b>`,
  titleOfAll: html`<b>Прокси всех пользователей</b>`,
  nothingYet: html`Прокси пока нет.`,
  counts: (active, dead, expiring, expired) =>
    html`✅ В работе: <b>${active}</b>${dead > 0 ? ` · 🔴\u00a0не\u00a0работают:\u00a0${dead}` : ''}${expiring > 0 ? ` · ⏰\u00a0истекают:\u00a0${expiring}` : ''}${expired > 0 ? ` · ⌛\u00a0истекли:\u00a0${expired}` : ''}`,
  processing: (orders) =>
    html`⏳ ${plural(orders, 'Готовится', 'Готовятся', 'Готовятся')} ${orders} ${plural(orders, 'заказ', 'заказа', 'заказов')}`,
  chosen: (what) => html`🎛 ${what}`,
  noneHere: html`Таких нет.`,
  filters: {
    active: 'В работе',
    works: 'Рабочие',
    slow: 'Медленные',
    failing: 'Со сбоем',
    dead: 'Нерабочие',
    not_tested: 'Не проверены',
    expiring: 'Истекают',
    manual: 'Ручные',
    noted: 'С заметкой',
    expired: 'Истекли',
    released: 'Возвращены',
  },
  filterTitle: html`<b>Какие прокси?</b>\n\n⏰ истекают за 7 дней, ✋ без автопродления.`,
  counted: (name, count) => `${name} ${count}`,
  mine: 'Мои',
  everybody: '👥 Всех',
  ends: {
    active: (date) => `до ${date}`,
    expired: (date) => `истёк ${date}`,
    released: (date) => `возвращён ${date}`,
  },
  button: (sign, ip, note, date) => `${sign} ${ip} ${note === '' ? `→ ${date}` : note}`,
  found: (total) => html`<b>Найдено прокси:</b> ${total}`,
  foundMore: (shown) => html`Показаны только последние ${shown}.`,
  whatToFind: html`<b>Поиск</b>\n\nПришлите IP-адрес, прокси, заметку, логин или номер заказа, по одному в строке. Достаточно и части. Так можно искать с любого экрана.`,
  exportText: html`В файлах то, что сейчас в работе.`,
  noteLine: (note) => html`📝 <b>${note}</b>`,
  noteSet: 'Сохранено.',
  noteTooLong: (max) => `Не больше ${max} ${plural(max, 'символа', 'символов', 'символов')}.`,
  whatNote: (address, note) =>
    html`<b>Заметка</b>\n\nЧто записать о <code>${address}</code>? Заметку видите только вы и ваш агент.${note === '' ? '' : `\n\nСейчас: ${note}`}`,
  formatsTitle: (address) => html`<b>Скопировать</b> <code>${address}</code>`,
  buttons: {
    filter: '🎛 Фильтр',
    noFilter: '✖️ Без фильтра',
    export: '📤 Экспорт',
    orders: '🧾 Заказы',
    formats: '🔤 Форматы',
    note: '📝 Заметка',
    noNote: '✖️ Удалить заметку',
    again: '🛒 Купить ещё',
  },
}

export const selection: typeof en.selection = {
  title: html`<b>Продление прокси</b>`,
  chosen: (count, of) => html`Выбрано: <b>${count}</b> из ${of}`,
  more: (most) => html`Показаны ${most} прокси с самым близким сроком.`,
  nothing: html`Выберите прокси, и здесь появится цена.`,
  none: 'Продлевать нечего.',
  line: (product, count, price, periods) =>
    html`${product} × ${count}: ${price}${periods > 1 ? ` × ${periods}` : ''}`,
  refused: (count, why) => html`⚠️ Так продлить нельзя (${count} шт.): ${why}`,
  asBought: 'Как куплено',
  term: (term) => html`Срок: <b>${term}</b>`,
  orType: html`<i>Или напишите: срок, IP-адреса, заметку.</i>`,
  notFound: (text) => `«${text}» здесь не нашлось, и это не срок, который подходит всем выбранным.`,
  confirm: (count, total) => `✅ Продлить ${count} · ${total}`,
  done: (count) => html`✅ <b>Продлено и оплачено: ${count} прокси</b>`,
  waiting: (count) =>
    html`⏳ Ждут поставщика: ${count}; обычно сообщение приходит через несколько минут. За то, что продлить не получится, вернём деньги.`,
  failed: (count, refund) => html`⚠️ Не удалось продлить: ${count}. <b>${refund}</b> вернулось на баланс.`,
  autoSet: (on, count) =>
    on ? `Автопродление включено: ${count} прокси.` : `Автопродление выключено: ${count} прокси.`,
  autoNone: 'Автопродление бывает только у прокси в работе.',
  noteQuestion: (count) =>
    html`<b>Заметка</b>\n\nЧто записать? Выбрано прокси: <b>${count}</b>. Новая заметка заменит прежние. Чтобы потом найти эти прокси, просто пришлите её.`,
  buttons: {
    soon: (count) => `⏰ Скоро ${count}`,
    all: '☑️ Все',
    none: '⬜️ Снять',
    autoOn: '🔁 Авто вкл.',
    autoOff: '✋ Авто выкл.',
    note: '📝 Заметка',
  },
}

export const proxyLinks: typeof en.proxyLinks = {
  newLink: '🔗 Ссылкой',
  title: html`🔗 <b>Ссылка на прокси</b>`,
  all: html`Все прокси в работе`,
  what: html`Ссылка отдаёт то, что в работе в момент открытия: после продления, замены или отказа новая не нужна.`,
  ask: html`Что отдавать? Текст — в том формате, в котором вы копируете прокси.`,
  keep: html`Любой, кто её откроет, получит эти прокси с паролями. Не показывайте её посторонним.`,
  contents: { txt: '📄 Текст', csv: '📊 CSV', json: '🧩 JSON' },
  list: (count) =>
    count === 0
      ? html`🔗 <b>Ссылки на прокси</b>\n\nДействующих ссылок нет.`
      : html`🔗 <b>Ссылки на прокси</b>\n\nДействующих ссылок: ${count}. Нажмите на ссылку, чтобы посмотреть её или отозвать.`,
  button: (content, date, order) => `🔗 ${content} ${date} ${order === undefined ? 'все' : `…${order}`}`,
  unknown: html`Эту ссылку создала прежняя версия бота, и она не сохранилась. Чтобы видеть ссылку, создайте новую.`,
  facts: (content, date) => html`Отдаёт: ${content}\nСоздана: ${date}`,
  revokeWarning: html`После отзыва программы ничего по ней не получат. Отменить это нельзя.`,
}
