import { html, lines } from '../html.ts'
import type * as en from '../en/operator.ts'
import { plural } from './plural.ts'
import { reasonInRussian } from './reasons.ts'

/** Names a network where there are several. */
const of = (network: string | undefined) => (network === undefined ? '' : ` (${network})`)
const daysOf = (count: number) => `${count} ${plural(count, 'день', 'дня', 'дней')}`
const products = (count: number) => `${count} ${plural(count, 'товар', 'товара', 'товаров')}`
const sales = (count: number) => `${count} ${plural(count, 'продажа', 'продажи', 'продаж')}`

/** What the operator's chats show, in Russian. */
export const operator: typeof en.operator = {
  setUp: html`<b>Настройка</b>\n\nКто управляет магазином, на чём он держится и о чём сообщают в этот чат.`,
  buttons: {
    setUp: '⚙️ Настройка',
    payments: (count) => `💸 Неопознанные платежи${count > 0 ? ` (${count})` : ''}`,
    decide: (count) => `🛎 Ждут решения${count > 0 ? ` (${count})` : ''}`,
    broadcast: '📣 Рассылка',
    figures: '📊 Сегодня',
    operator: '🛠 Управление',
    assign: '✅ Отнести к пополнению',
    assignNow: (credit) => `✅ Зачислить ${credit}`,
    ignore: 'Игнорировать',
    ignoreNow: 'Игнорировать платёж',
    reopen: '↩️ Вернуть в список',
    refund: 'Возврат сделан',
    replacements: (count) => `♻️ Замены${count > 0 ? ` (${count})` : ''}`,
    payouts: (count) => `🏦 Выплаты${count > 0 ? ` (${count})` : ''}`,
    payoutPaid: '✅ Выплачено',
    refusePayout: '✖️ Отклонить',
    copyAddress: '📋 Адрес',
    copyAmount: '📋 Сумма',
    allow: '✅ Разрешить',
    decline: '✖️ Отклонить',
    withoutReason: 'Без объяснений',
    refundRest: '↩️ Вернуть остаток',
    send: (chats) => `📣 Отправить в ${chats} ${plural(chats, 'чат', 'чата', 'чатов')}`,
    stop: 'Остановить',
    doNotSend: '✖️ Не отправлять',
    inAnHour: '🕘 Через час',
    tomorrow: '🕘 Завтра 9:00',
    otherTime: '🕘 В другое время',
    broadcasts: '🗂 Прошлые и отложенные',
    newBroadcast: '📣 Новая рассылка',
    suppliers: '🏭 Поставщики',
    profit: '💹 Прибыль',
    exits: '🚪 Узлы',
    gateway: '📡 Шлюз',
    backups: '💾 Копии',
    backUp: '💾 Сделать копию сейчас',
    addSupplier: '➕ Добавить поставщика',
    editSupplier: '✏️ Изменить',
    removeSupplier: '🗑 Удалить',
    removeSupplierNow: '🗑 Удалить навсегда',
    editExit: '✏️ Изменить',
    whiteLists: '🛡 Списки IP',
    usageFile: '📄 Файл учёта',
    addExit: '➕ Добавить узел',
    removeExit: '🗑 Удалить',
    removeExitNow: (id) => `🗑 Удалить узел ${id}`,
    openSupplier: '🏭 Поставщик',
    openCall: '🔎 Запрос',
    offers: '📦 Предложения',
    doubtful: (count) => `⚠️ Неясные запросы (${count})`,
    sync: '🔄 Обновить',
    reconcile: '⚖️ Сверить',
    callback: '🔗 Колбэк',
    test: '🩺 Проверить',
    pause: '⏸ Пауза',
    resume: '▶️ Возобновить',
    pauseOffer: '⏸ Снять с продажи',
    resumeOffer: '▶️ Вернуть в продажу',
    found: '✅ Найден',
    absent: '❌ Не найден',
    absentNow: '❌ Отказ и возврат денег',
    periods: { today: 'Сегодня', week: '7 дней', month: 'Месяц' },
  },
  decide: html`<b>Ждут решения</b>`,
  nothingToDecide: html`Решать пока нечего.`,
  home: lines(
    html`<b>Управление магазином</b>`,
    '',
    html`Сюда приходят неопознанные платежи, сбои блокчейна и учёта, сообщения о том, что товар кончается, и итоги каждого дня.`,
  ),
  chatId: (id, known) =>
    known
      ? html`Это операторский чат, его ID: <code>${id}</code>`
      : html`ID этого чата: <code>${id}</code>\nЧтобы сделать его операторским, добавьте ID в <code>OPERATOR_CHAT_IDS</code> и перезапустите сервис.`,
  notNamed:
    'Вас нет среди сотрудников этого магазина. Добавить вас может владелец; ваш ID покажет команда /chatid в личном чате со мной.',
  inGroups: html`<i>В группе отправьте это ответом на моё сообщение.</i>`,
  figures: {
    ofDay: (day) => html`📊 <b>${day}</b> (UTC)`,
    orders: ({ staticOrders, dynamicOrders }) =>
      html`Заказы: <b>${staticOrders + dynamicOrders}</b> (статические ${staticOrders}, трафик ${dynamicOrders})`,
    money: (revenue, refunds) => html`Выручка: <b>${revenue}</b> · возвраты: ${refunds}`,
    agents: (part) => html`Сверх того заработали агенты: ${part}`,
    margin: (cost, margin) => html`Закупка у поставщиков: ${cost} · маржа на ней: <b>${margin}</b>`,
    topUps: (count, sum) => html`Пополнения в USDT: <b>${count}</b> (${sum})`,
    traffic: (used) => html`Израсходовано трафика: <b>${used}</b>`,
    gateway: (works, healthy, exits) =>
      html`${works ? '' : '⚠️ '}Шлюз: ${works ? 'работает' : 'не работает'} · исправных узлов сейчас: <b>${healthy} из ${exits}</b>`,
    exit: (id, bytes, errors) =>
      html`• Узел ${id}: ${bytes}, ${errors} ${plural(errors, 'ошибка', 'ошибки', 'ошибок')}`,
    users: (count) => html`Новые пользователи: <b>${count}</b>`,
    jobs: (count) => html`⚠️ Фоновые задачи, которые не удаётся выполнить: <b>${count}</b>`,
    job: (id, kind, reason) => html`• ${kind} (${id}): ${reason}`,
    stock: html`На складе:`,
    product: (name, free, resting) =>
      resting > 0
        ? html`• ${name}: <b>${free}</b> (и ещё ${resting} ждут смены пароля)`
        : html`• ${name}: <b>${free}</b>`,
    resting: (name, resting) => html`• ${name}: <b>${resting}</b>`,
    more: (count) => html`… и ещё ${products(count)}`,
  },
  notices: {
    account_credited_anyway: (username, credited, orderNo) =>
      html`ℹ️ <b>Пополнен отключённый аккаунт</b>\n${username}: зачислено ${credited} за пополнение <code>${orderNo}</code>, ведь это деньги клиента.`,
    money_wanted: (username, missing) =>
      html`🙋 <b>${username} просит пополнить баланс</b>\nНе хватает <b>${missing}</b>.`,
    chain_stale: (network, since, reason) =>
      html`🔴 <b>Блокчейн${of(network)} не читается</b>\n${since === undefined ? 'Прочитать его ещё ни разу не удалось.' : `Последнее чтение: ${since}.`} Платежи будут зачислены, как только чтение восстановится.\n${reasonInRussian(reason)}`,
    chain_back: (network, since) =>
      html`🟢 <b>Блокчейн${of(network)} снова читается</b>\nОн не читался с ${since}. Платежи за это время сейчас зачисляются.`,
    chain_bad_key: (setting) =>
      html`🔴 <b>Провайдер блокчейна не принимает API-ключ</b>\nПроверьте <code>${setting}</code>.`,
    top_up_slots_low: (amount, free) =>
      free > 0
        ? html`⚠️ <b>Заканчиваются свободные суммы около ${amount} USDT</b>\nТам можно открыть ещё пополнений: ${free}. Потом клиентам придётся выбирать другую сумму, пока часть пополнений не оплатят или они не истекут.`
        : html`🔴 <b>Свободных сумм около ${amount} USDT не осталось</b>\nКлиентам приходится выбирать другую сумму, пока часть пополнений не оплатят или они не истекут.`,
    reconciliation_mismatch: (network, chain, books, since) =>
      html`🔴 <b>Остаток кошелька${of(network)} не сходится с учётом</b>\nВ блокчейне: ${chain} USDT\nВ учёте: ${books} USDT\nВ последний раз сходились: ${since}.`,
    books_wrong: (count) =>
      html`🔴 <b>Ошибка в учёте</b>: ${count} ${plural(count, 'расхождение', 'расхождения', 'расхождений')}`,
    example: (text) => html`• ${text}`,
    stock_resting: html`⚠️ <b>Прокси ждут смены пароля</b>\nПрежние клиенты знают их логин и пароль, поэтому эти прокси не продаются. Смените доступ там, где покупаете прокси, а затем здесь.`,
    stock_low: (name, free) =>
      free === 0
        ? html`🔴 <b>${name}: всё распродано</b>`
        : html`⚠️ <b>${name} заканчивается</b>: осталось ${free}`,
    supplier_incident: (supplier, failing, checked) =>
      html`🔴 <b>У ${supplier} разом отказало много прокси</b>: ${failing} из ${checked}\nПока это не кончится, ни один из них не считается неработающим.`,
    call: (callNo, orderNo) =>
      callNo === orderNo
        ? html`Заказ <code>${orderNo}</code>`
        : html`Запрос <code>${callNo}</code> по заказу <code>${orderNo}</code>`,
    supplier_in_doubt: (supplier, count, cost) =>
      html`🔴 <b>Неизвестно, выполнил ли ${supplier} запрос</b>\n${count} прокси, около ${cost}. Посмотрите у поставщика и отметьте здесь, что нашли.`,
    supplier_slow: (supplier, count, since) =>
      html`⏱ <b>${supplier} никак не завершит запрос</b>\n${count} прокси: запрос принят, но не выполнен с ${since}. Ничего не потеряно, я продолжаю спрашивать. Спросите поставщика и вы.`,
    supplier_price_changed: (supplier, expected, charged) =>
      html`⚠️ <b>${supplier} списал больше заявленного</b>\n${charged} вместо ${expected}. Предложение на паузе, пока вы его не возобновите.`,
    supplier_extra: (supplier, ordered, extra) =>
      html`⚠️ <b>${supplier} выдал прокси, которые никому не достанутся</b>\n${extra} прокси лишние или уже заняты; заказано: ${ordered}`,
    supplier_short_term: (supplier, until, bought) =>
      html`⚠️ <b>Прокси от ${supplier} истекают слишком рано</b>\n${until} вместо ${bought}`,
    disk_low: (full, megabytes, percent) =>
      full
        ? html`🔴 <b>Диск сервера заполнен</b> (осталось ${megabytes} МБ)\nПока нет места, нельзя ничего купить, зачислить и изменить. Всё принятое в сохранности.`
        : html`⚠️ <b>Диск сервера почти заполнен</b>: осталось ${megabytes} МБ (${percent} %)\nКогда место кончится, нельзя будет ничего купить, зачислить и изменить. Освободите место.`,
    chat_gone: (who, ofPerson) =>
      ofPerson
        ? html`🔴 <b>Не могу написать: ${who}</b>\nБот там заблокирован или ни разу не запущен. Сообщения для ${who} подождут, пока бота не запустят снова.`
        : html`🔴 <b>Не могу написать в чат <code>${who}</code></b>\nБота удалили оттуда или ему нельзя писать. Сообщения для этого чата подождут, пока боту снова не разрешат писать. Если чат больше не нужен, уберите его из <code>OPERATOR_CHAT_IDS</code>.`,
    chat_back: (who) => html`🟢 <b>Снова могу писать: ${who}</b>\nВсё, что ждало, отправлено.`,
    agent_bot_stopped: (agent, username) => html`🤖 <b>Бот агента ${agent} остановился</b> · @${username}`,
    message_refused: (reason, chat, kind, subject) =>
      html`🔴 <b>Telegram не принял сообщение</b>\nПовторных попыток не будет. Ответ Telegram: <i>${reason}</i>\nЧат <code>${chat}</code>, сообщение <code>${kind} ${subject}</code>`,
    backup_failed: (problem, detail) =>
      html`🔴 <b>Резервная копия не удалась: ${problem}</b>\n${reasonInRussian(detail)}`,
    backup_stands: (places) => html`Хранится: ${places}`,
    person_joined: (name, role, telegram) =>
      html`👥 <b>Новый сотрудник: ${name}</b> · ${role}\nСсылку открыл пользователь Telegram <code>${telegram}</code>. Если это не тот человек, удалите сотрудника.`,
    backup_works: (size, places) =>
      html`🟢 <b>Резервные копии в порядке</b>\nПоследняя восстановлена на пробу, всё сошлось: ${size}. Хранится: ${places}.`,
    backup_old: (since) =>
      since === undefined
        ? html`🔴 <b>Исправной резервной копии ещё нет</b>\nЕсли диск откажет сейчас, пропадёт всё.`
        : html`🔴 <b>Последняя исправная резервная копия устарела</b>\nОна сделана ${since}. Если диск откажет сейчас, пропадёт всё, что было после.`,
    version_newer: (newest, running) =>
      html`🆕 <b>Вышла версия ${newest}</b>\nСейчас работает ${running}. Перед обновлением прочтите раздел <i>Upgrading</i> в CHANGELOG.`,
    stock_low_in: (name, place, free) =>
      free === 0
        ? html`🔴 <b>${name}: всё распродано (${place})</b>`
        : html`⚠️ <b>${name} заканчивается (${place})</b>: осталось ${free}`,
    supplier_balance_expires: (connection, day, over, balance) =>
      over
        ? html`🔴 <b>Баланс у ${connection} сгорел</b>\nПоследний день был ${day}. Пополните баланс там и введите новую дату, иначе заказы его товаров будут срываться с возвратом денег.`
        : html`💰 <b>Баланс у ${connection} скоро сгорит</b>\nПоследний день: ${day}${balance === undefined ? '' : `; осталось ${balance}`}. Пополните баланс заранее и введите новую дату.`,
    supplier_balance_short: (connection) =>
      html`🔴 <b>${connection} отклоняет заказы: на балансе там не хватает денег</b>\nКлиентам возвращается то, что они заплатили. По последним данным баланса хватало: возможно, он сгорел. Напоминаю раз в день.`,
    supplier_balance_low: (connection, balance, days) =>
      html`⚠️ <b>На балансе у ${connection} мало денег</b>: ${balance}${days === undefined ? '' : `\nПри расходе последних 7 дней хватит на ${daysOf(days)}.`}\nКогда деньги кончатся, товары этого поставщика продаваться не будут.`,
    gateway_silent: (since) =>
      html`🔴 <b>Шлюз молчит с ${since}</b>\nКлиенты не могут пользоваться трафиком.`,
    gateway_back: (since) => html`🟢 <b>Шлюз снова на связи</b>\nОн молчал с ${since}.`,
    pool_without_exit: (pool) =>
      html`🔴 <b>В пуле ${pool} не работает ни один узел</b>\nКлиенты не могут пользоваться этим пулом.`,
    pool_with_exit: (pool, since) =>
      html`🟢 <b>В пуле ${pool} снова есть рабочий узел</b>\nЕго не было с ${since}.`,
    webhooks_late: (since, webhooks) =>
      html`🔴 <b>Доставка на вебхуки задерживается с ${since}</b>\nВебхуков в ожидании: ${webhooks}. Либо доставка стоит, либо сообщений больше, чем вебхуки успевают принять.`,
    webhooks_back: (since) =>
      html`🟢 <b>Доставка на вебхуки снова без задержек</b>\nЧасть сообщений задерживалась с ${since}.`,
    supplier_differences: (connection) => html`🔴 <b>Учёт ${connection} и наш расходятся</b>`,
  },
  suppliers: {
    title: html`<b>Поставщики</b>`,
    none: html`<b>Поставщики</b>\n\nПока нет ни одного.`,
    line: (icon, name, balance, days) =>
      html`${icon} <b>${name}</b>: ${balance}${days === undefined ? '' : ` · ${daysOf(days)}`}`,
    unknownBalance: 'баланс неизвестен',
    doubtful: (count) => html`⚠️ Запросы к поставщикам с неясным исходом: <b>${count}</b>`,
    name: (name, driver) => html`🏭 <b>${name}</b> (${driver})`,
    states: { active: html`🟢 Работает`, paused: html`⏸ На паузе: ничего не продаём и не закупаем` },
    failing: (faults, until) =>
      html`🔴 Неудачных запросов подряд: ${faults}${until === undefined ? '' : `; до ${until} ничего не отправляем`}`,
    lastError: (reason) => html`Последняя ошибка: ${reasonInRussian(reason)}`,
    balance: (balance, at) => html`Баланс: <b>${balance}</b> (${at})`,
    noBalance: html`Баланс: пока неизвестен`,
    expires: (day, over) =>
      over ? html`🔴 Сгорел: последний день был <b>${day}</b>` : html`Можно потратить до <b>${day}</b>`,
    forecast: (days) => html`При расходе последних 7 дней хватит примерно на <b>${daysOf(days)}</b>`,
    mirror: (offers, at) => html`Предложения: <b>${offers}</b>, прочитаны ${at}`,
    noMirror: html`Предложения: ещё не прочитаны`,
    products: (count) => html`Товары: <b>${count}</b>`,
    calls: (open, doubtful) => html`Запросы в работе: <b>${open}</b> · неясные: <b>${doubtful}</b>`,
    reconciled: (at) => html`Сверено с нашим учётом ${at}`,
    refused: (reason) => `Поставщик ответил не так, как должен: ${reasonInRussian(reason)}`,
    gone: 'Этого больше нет.',
    failed: (reason) => html`🔴 <b>Поставщик ответил не так, как должен</b>\n${reasonInRussian(reason)}`,
    working: html`⏳ Спрашиваю поставщика…`,
    synced: (offers, gone) =>
      html`✅ Прочитано предложений: <b>${offers}</b>${gone > 0 ? `, больше нет в списке: ${gone}` : ''}`,
    tested: (balance, offers) =>
      html`✅ Отвечает. Баланс: <b>${balance}</b>, предложений: <b>${offers}</b>. Ничего не куплено.`,
    offers: (supplier, count) => html`📦 <b>Предложения ${supplier}</b>: ${count}`,
    noOffers: (supplier) => html`📦 <b>Предложения ${supplier}</b>\n\nЕщё не прочитаны.`,
    offerLine: (icon, place, type, cost, stock) =>
      html`${icon} ${place}, тип ${type}: ${cost}, в наличии ${stock}`,
    offer: (name, offerNo) => html`📦 <b>${name}</b> <code>${offerNo}</code>`,
    place: (place) => html`Место: ${place}`,
    cost: (cost) => html`Закупка: <b>${cost}</b>`,
    stock: (stock, most) => html`В наличии: <b>${stock}</b> · в одном заказе до ${most}`,
    seen: (at) => html`Последний раз в списке: ${at}`,
    soldAs: (products) => html`Продаётся как: ${products}`,
    notSold: html`Ни в одном товаре не продаётся.`,
    byOperator: 'решение оператора',
    foundAbsent: 'оператор выяснил, что у поставщика этого нет',
    offerPaused: (reason) => html`⏸ Снято с продажи: ${reasonInRussian(reason)}`,
    doubtfulTitle: (count) => html`⚠️ <b>Запросы с неясным исходом</b>: ${count}`,
    noneDoubtful: html`<b>Запросы с неясным исходом</b>\n\nТаких нет.`,
    call: (kind, callNo) => html`<b>${kind}</b> <code>${callNo}</code>`,
    kinds: { open: 'Заказ', renew: 'Продление', release: 'Отказ от прокси', reset: 'Смена пароля' },
    callStates: {
      intended: html`⏳ Ещё не отправлен`,
      sent: html`⏳ Отправлен, ответа пока нет`,
      accepted: html`⏳ Принят, выполняется`,
      settled: html`✅ Выполнен`,
      refused: html`❌ Отклонён`,
      in_doubt: html`⚠️ Исход неясен: неизвестно, выполнил ли его поставщик. Посмотрите в своём кабинете у поставщика.`,
    },
    callFor: (supplier, orderNo, username) =>
      html`Поставщик: ${supplier}\nЗаказ: <code>${orderNo}</code>, клиент ${username}`,
    callCount: (count, cost) => html`Прокси: <b>${count}</b>, ожидаемая закупка ${cost}`,
    callCost: (cost) => html`Списано: ${cost}`,
    callSince: (at, attempts) => html`С ${at} · попыток: ${attempts}`,
    providerNumber: (number) => html`Номер у поставщика: <code>${number}</code>`,
    reason: (reason) => html`Причина: ${reasonInRussian(reason)}`,
    typeNumber: html`Пришлите номер этого заказа у поставщика. Я проверю его там и выдам клиенту то, что по нему пришло.`,
    confirmAbsent: html`<b>Поставщик точно этого не выполнил?</b>\n\nЗапрос будет считаться отклонённым, а клиент получит деньги обратно. Если поставщик его всё-таки выполнил, вы заплатите за прокси, которыми никто не пользуется.`,
    callback: (url) =>
      html`🔗 <b>Адрес для колбэков</b>\nУкажите его в своём кабинете у поставщика:\n<code>${url}</code>`,
    callbackPath: (path, local) =>
      lines(
        html`🔗 <b>Адрес для колбэков</b>`,
        local === undefined
          ? html`<code>PUBLIC_URL</code> не задан: снаружи никто не знает, где этот сервер.`
          : html`<code>PUBLIC_URL</code> сейчас ${local}, он открывается только на этой машине: укажите адрес, доступный снаружи.`,
        html`Путь после него:`,
        html`<code>${path}</code>`,
      ),
    same: (orders, running) =>
      html`✅ <b>Учёт поставщика и наш сходятся</b>: заказов там за 7 дней: ${orders}, работающих прокси: ${running}.`,
    differ: (count) => html`🔴 <b>Учёт поставщика и наш расходятся</b>: ${count}`,
    decided: html`✅ Решено. Остальное произойдёт само за несколько секунд.`,
    differences: {
      counted: (what, count) => html`• ${what}: <b>${count}</b>`,
      example: (what, ours, theirs) => html`<code>${what}</code>: у нас ${ours}, там ${theirs}`,
      states: {
        settled: 'выполнен',
        refused: 'отклонён',
        released: 'отказались',
        unknown: 'неизвестен',
      },
      kinds: {
        unknown_order: 'заказы, которых мы не делали',
        missing_order: 'наши заказы, о которых там не знают',
        refused_order: 'отклонённые заказы, которые там выполнили',
        amount: 'заказы на другую сумму',
        not_ours: 'прокси, которые там работают, но ничьи',
        released_runs: 'прокси, от которых отказались, а там они работают',
        not_running: 'прокси клиентов, которые там не работают',
        expiry: 'прокси с другим сроком',
      },
    },
  },
  supplierForm: {
    ask: (drivers) =>
      lines(
        html`➕ <b>Новый поставщик</b>`,
        '',
        html`Пришлите эти строки одним сообщением:`,
        html`<code>имя: acme\nтип: ipipv\nадрес: https://api.example.com\nключ: …\nсекрет: …</code>`,
        '',
        html`Типы: ${drivers}. Можно добавить: <code>курс</code>, <code>часы возврата</code>, <code>запросы</code>, <code>порог баланса</code>, <code>порог дней</code>, <code>баланс до</code> (день, например 2026-12-31, или «-»).`,
        html`Ваше сообщение я удалю, ведь в нём секрет; в группе для этого мне нужны права администратора.`,
      ),
    askChange: (name) =>
      lines(
        html`✏️ <b>${name}</b>`,
        '',
        html`Пришлите то, что меняется, по одному в строке, например <code>порог баланса: 50</code>: <code>адрес</code>, <code>ключ</code>, <code>секрет</code>, <code>курс</code>, <code>часы возврата</code>, <code>запросы</code>, <code>порог баланса</code>, <code>порог дней</code>, <code>баланс до</code> (последний день, например 2026-12-31, или «-»). Остальное останется как есть.`,
        '',
        html`Ваше сообщение я удалю; в группе для этого мне нужны права администратора.`,
      ),
    askRemove: (name) =>
      html`<b>Удалить ${name} вместе с ключами доступа?</b>\n\nЭто возможно, только пока его не использует ни один товар и он ничего не поставил.`,
    added: html`✅ <b>Добавлен.</b> Предложения прочитаю за несколько секунд. Пока их нет в товарах, ничего не закупается.`,
    changed: html`✅ <b>Изменено.</b>`,
    notALine:
      'Одна из строк не похожа на «имя: значение» с названием из списка выше. Повторять её не буду: вдруг это секрет.',
    labels: {
      name: 'имя',
      driver: 'тип',
      url: 'адрес',
      key: 'ключ',
      secret: 'секрет',
      rate: 'курс',
      refundHours: 'часы возврата',
      concurrency: 'запросы',
      alarmBalance: 'порог баланса',
      alarmDays: 'порог дней',
      balanceExpiresOn: 'баланс до',
    },
    rules: {
      not_a_supplier_name: '2–32 символа: a-z, 0-9 и -',
      name_of_own_stock: 'так называется собственный склад',
      supplier_exists: 'поставщик с таким именем уже есть',
      no_such_driver: 'такого типа нет',
      not_a_supplier_url: 'нужен адрес вида https://api.example.com, без логина, ? и #',
      supplier_url_not_encrypted: 'нужен https; http годится только для этой машины и внутренних сетей',
      supplier_is_this_service: 'это сам этот сервис: закупать у себя нельзя',
      not_a_date: 'нужен день, например 2026-12-31',
      not_a_rate: 'нужно число больше 0, не больше 6 знаков после точки',
      credentials_cannot_be_read:
        'пришлите ключ и секрет ещё раз: сохранённые зашифрованы другим SECRETS_KEY',
      supplier_has_products: 'Его ещё используют товары. Поставьте его на паузу.',
      supplier_has_calls: 'Он уже поставлял прокси, и эти записи остаются. Поставьте его на паузу.',
      nothing_to_change: 'не сказано, что менять',
    },
  },
  exits: {
    title: html`🚪 <b>Выходные узлы</b>`,
    none: html`Узлов нет: трафику некуда выходить.`,
    pool: (pool) => html`<b>${pool}</b>`,
    line: (icon, id, place) => html`${icon} #${id} ${place}`,
    button: (icon, id, country) => `${icon} #${id} ${country}`,
    anywhere: 'без определённого места',
    exit: (id, pool) => html`🚪 <b>Выходной узел ${id}</b>, пул ${pool}`,
    states: {
      healthy: html`🟢 Работает`,
      failing: html`🔴 Не работает`,
      paused: html`⏸ На паузе: новых соединений нет`,
      unknown: html`⚪ Шлюз его ещё не проверял`,
    },
    kind: (kind) => html`Вид: ${kind}`,
    kinds: {
      direct: 'прямой, с самого шлюза',
      proxy: 'прокси',
      vendor: 'шлюз поставщика',
    },
    address: (address) => html`Адрес: <code>${address}</code>`,
    place: (place) => html`Место: ${place}`,
    template: (template) => html`Шаблон логина: <code>${template}</code>`,
    remoteOnly: html`⚠️ DNS для сайтов работает только через сам узел: всё внутреннее, до чего он дотягивается, доступно и его пользователям.`,
    lastError: (reason) => html`Последняя ошибка: ${reason}`,
    connect: (ms) => html`Соединение за ${ms} мс`,
    today: (bytes, errors) => html`Сегодня: <b>${bytes}</b>, ошибок: <b>${errors}</b>`,
    total: (bytes, errors, connections) =>
      html`Всего: ${bytes}, ошибок: ${errors}, соединений: ${connections}`,
    reported: (at) => html`Данные шлюза на ${at}`,
    gone: 'Этого узла больше нет.',
    removed: (id) => `Узел ${id} удалён.`,
    trying: html`⏳ Проверяю узел…`,
    works: (connectMs, totalMs, address) =>
      html`✅ <b>Работает</b>: соединение за ${connectMs} мс, до цели за ${totalMs} мс${address === undefined ? '' : `, виден как ${address}`}.`,
    fails: (reason, stage) => html`🔴 <b>Не работает</b> (${stage}): ${reason}`,
    stages: {
      connect: 'соединение',
      handshake: 'рукопожатие с прокси',
      credentials: 'логин и пароль',
      echo: 'запрос проверочного адреса',
      done: 'готово',
    },
    faults: {
      'no connection': 'нет соединения',
      'no connection in time': 'таймаут соединения',
      'no answer in time': 'таймаут ответа',
      'no TLS connection': 'нет соединения TLS',
      'it ended the connection': 'узел закрыл соединение',
      'it does not speak this protocol': 'узел не понимает этот протокол',
      'it does not speak HTTP': 'узел не понимает HTTP',
      'its address is malformed': 'его адрес записан неверно',
      'it refuses the credentials': 'узел не принимает логин или пароль',
      'it answered': 'узел ответил ошибкой',
    },
    faultOf: (fault, code) => (code === undefined ? fault : `${fault} (${code})`),
    askRemove: html`<b>Удалить этот узел вместе с логином и паролем?</b>\n\nНовых соединений у него не будет; открытые доработают.`,
    added: html`✅ <b>Добавлен.</b> Шлюз начнёт пользоваться им через несколько секунд.`,
    askLine: lines(
      html`➕ <b>Новый выходной узел</b>`,
      '',
      html`Пришлите одну строку вида:`,
      html`<code>--pool dynamic_1 --url socks5://user:pass@host:port --country us</code>`,
      html`<code>--pool dynamic_1 --direct</code>`,
      html`<code>--pool dynamic_1 --url http://user:pass@host:port --template {user}-country-{country}-session-{session}</code>`,
      '',
      html`Можно добавить <code>--city</code>, а если DNS работает только через сам узел, <code>--resolve remote-only</code>. Ваше сообщение я удалю, ведь в нём пароль; в группе для этого мне нужны права администратора.`,
    ),
    notALine: 'Пришлите --pool с пулом и либо --url с адресом, либо --direct.',
    askChange: (id) =>
      lines(
        html`✏️ <b>Выходной узел ${id}</b>`,
        '',
        html`Пришлите то, что меняется, например <code>--country us --city Dallas</code> или <code>--url socks5://user:pass@host:port</code>.`,
        html`<code>--direct</code> убирает адрес, <code>--city -</code> — город. Остальное останется как есть.`,
        '',
        html`Ваше сообщение я удалю; в группе для этого мне нужны права администратора.`,
      ),
    notAChange: 'Пришлите параметры, например --country us; --url и --direct вместе нельзя.',
    changed: html`✅ <b>Изменено.</b> Шлюз узнает об этом сразу.`,
    rules: {
      no_such_pool: 'Пул должен быть dynamic_1, dynamic_2 или dynamic_3.',
      not_an_exit_url:
        'Нужен адрес вида socks5://user:pass@host:port, http:// или https://; символы @ : / ? # в логине и пароле пишите как %40 %3A %2F %3F %23.',
      not_a_country_code: 'Страна — это код из двух букв, например us.',
      not_a_city: 'Город — это код города или его английское название.',
      city_without_country: 'К городу нужен и --country.',
      not_a_template:
        'Шаблон состоит из букв, цифр, - _ . @ = + ~ и {user}, {country}, {city}, {session}, {lifetime}, каждый не больше одного раза.',
      template_without_user: 'В шаблоне должен быть {user}.',
      template_without_credentials: 'Для шаблона нужен адрес с логином.',
      place_of_a_vendor: 'Шлюз поставщика достаёт до любого места через шаблон: уберите --country.',
      not_a_way_to_resolve: '--resolve принимает gateway или remote-only.',
      resolve_of_the_gateway: '--resolve remote-only нужен только для прокси: с --direct его не пишут.',
      exit_cannot_be_read:
        'Его логин и пароль зашифрованы другим SECRETS_KEY: удалите узел и добавьте заново.',
    },
  },
  askedMoney: {
    other: '✏️ Своя сумма',
    done: {
      given: (username, sum) => html`✅ <b>${username}</b>: зачислено ${sum}, уведомление отправлено.`,
      declined: (username, sum) => html`✖️ Отклонено: <b>${username}</b> не получит ${sum} и узнает об этом.`,
    },
    before: {
      given: (username, sum) => html`<b>${username}</b>: ${sum} уже зачислено; сейчас ничего не сделано.`,
      declined: (username, sum) =>
        html`Просьба <b>${username}</b> (${sum}) уже отклонена; сейчас ничего не сделано.`,
      over: (username) =>
        html`Эта просьба устарела: с тех пор от <b>${username}</b> пришла новая, деньги уже зачислены или аккаунт удалён. Сейчас ничего не сделано.`,
    },
    disabled:
      'Этот аккаунт сейчас отключён: ничего не зачислено. Сначала включите его, и кнопка снова сработает.',
  },
  backups: {
    title: html`💾 <b>Резервные копии</b>`,
    every: (minutes) =>
      minutes % 60 === 0
        ? minutes === 60
          ? html`Каждый час`
          : html`Раз в ${minutes / 60} ${plural(minutes / 60, 'час', 'часа', 'часов')}`
        : html`Раз в ${minutes} ${plural(minutes, 'минуту', 'минуты', 'минут')}`,
    onlyAsked: html`Только по вашей команде: <code>BACKUP_EVERY</code> выключен.`,
    none: html`Ещё ни одной нет.`,
    restore: (command, asRoot) =>
      html`<b>Чтобы восстановить последнюю исправную</b>, введите в консоли сервера${asRoot ? ' под root' : ''}:\n<pre>${command}</pre>`,
    restoreStopped: (command) =>
      html`<b>Чтобы восстановить последнюю исправную</b>, остановите сервер и введите в консоли:\n<pre>${command}</pre>`,
    restoreFile: html`Вместо <code>FILE</code> укажите файл из чата с копиями, сохранённый на сервере.`,
    restoreStart: (command) =>
      html`Команда покажет, что продано после копии; сделайте то, что она советует, и запустите снова:\n<pre>${command}</pre>`,
    underWay: html`⏳ Копия создаётся.`,
    good: (time, size, places) => html`✅ ${time} · ${size} · ${places}`,
    failed: (time, problem, detail) =>
      html`🔴 ${time} · <b>${problem}</b>\n<i>${reasonInRussian(detail)}</i>`,
    places: { folder: 'папка', s3: 'S3', chat: 'чат' },
    problems: {
      no_room: 'на диске мало места',
      damaged: 'её нельзя восстановить',
      unbalanced: 'учёт в ней не сходится',
      folder: 'не сохранена в папку',
      s3: 'не сохранена в S3',
      chat: 'не отправлена в чат',
      failed: 'прервалась',
    },
  },
  usageFile: {
    ask: html`📄 <b>Трафик, о котором сообщает другой шлюз</b>\n\nПришлите файл или строки с заголовком <code>account,bytes,report_id</code>: логин, с которым пришёл клиент, расход в байтах и номер отчёта у шлюза. Учитывается либо всё, либо ничего, а каждый отчёт — один раз, сколько бы вы его ни присылали.`,
    counted: (traffic, reports) =>
      html`✅ Учтено <b>${traffic}</b>: ${reports} ${plural(reports, 'отчёт', 'отчёта', 'отчётов')}.`,
    known: (reports) => html`Учтено раньше: ${reports}`,
    beyond: (traffic) => html`Сверх остатка: ${traffic}`,
    refused: html`❌ <b>Ничего не учтено.</b> Исправьте файл и пришлите ещё раз.`,
  },
  whiteLists: {
    ask: html`🛡 <b>Белые списки</b>\n\nПришлите адрес или диапазон, например <code>203.0.113.7</code>: я скажу, в чьём он белом списке.`,
    title: html`🛡 <b>В белых списках</b>`,
    line: (cidr, username, product, day) =>
      html`• <code>${cidr}</code>: <b>${username}</b>, ${product}, с ${day}`,
    nobody: html`🛡 Этого адреса нет ни в одном белом списке.`,
    free: (cidr) => `✂️ ${cidr}`,
    other: '🔎 Другой адрес',
    askFree: (cidr, username) =>
      html`<b>Убрать ${cidr} из белого списка ${username}?</b>\n\nКлиентам с этого адреса понадобятся логин и пароль. Владелец списка получит уведомление и сможет снова добавить адрес, пока тот свободен.`,
    freeNow: '✂️ Убрать из списка',
    freed: (cidr, username) => `${cidr} свободен; уведомление отправлено: ${username}.`,
  },
  gateway: {
    title: html`📡 <b>Шлюз</b>`,
    running: (since) => html`🟢 Шлюз: работает с ${since}`,
    silent: (since) => html`🔴 Шлюз: <b>молчит с ${since}</b>`,
    stopped: (since) => html`⏹ Шлюз: остановлен с ${since}`,
    never: html`⚪ Шлюз: ещё ни разу не выходил на связь`,
    connections: (connections, workers) => html`Соединения: <b>${connections}</b> · процессы: ${workers}`,
    today: (bytes) => html`Трафик за сегодня: <b>${bytes}</b>`,
    accepted: (count) => html`Всего пропущено: ${count}`,
    refused: html`Всего отказов:`,
    reason: (reason, count) => html`• ${reason}: <b>${count}</b>`,
    reasons: {
      bad_request: 'это не запрос прокси-клиента',
      coding_unknown: 'непонятная кодировка передачи',
      bad_target: 'неверный адрес назначения',
      bad_parameter: 'неизвестный параметр в логине',
      unknown_country: 'такой страны нет',
      unknown_city: 'такого города нет',
      credentials_needed: 'нет логина',
      credentials_wrong: 'неверный логин или пароль',
      too_many_failed_logins: 'слишком много неверных паролей',
      traffic_exhausted: 'трафик кончился',
      target_refused: 'этот сайт не разрешён',
      port_refused: 'этот порт не разрешён',
      too_many_connections: 'слишком много соединений',
      target_unreachable: 'сайт недоступен',
      target_timeout: 'сайт не ответил',
      exit_failed: 'сбой узла',
      exit_timeout: 'узел не ответил',
      no_exit: 'нет узла для этого места',
      shop_unreachable: 'магазин недоступен',
      draining: 'шлюз останавливался',
    },
  },
  sales: {
    title: {
      sales: (count, sum) => html`🛒 <b>${sales(count)}</b>: ${sum}`,
      sales_of_day: (count, sum) => html`🛒 <b>С прошлой сводки: ${sales(count)}</b>, ${sum}`,
    },
    who: (username, agent) => (agent === null ? username : `${username} (агент ${agent})`),
    what: {
      order: (count, product) => `${count} × ${product}`,
      renewal: (count, product) => `продление ${count} × ${product}`,
      traffic: (traffic, product) => `${traffic}, ${product}`,
    },
    line: (who, what, sum) => html`• <b>${who}</b>: ${what}, ${sum}`,
    more: (count) => html`… и ещё ${count}`,
  },
  profit: {
    title: (from, to) => html`💹 <b>Прибыль</b> ${from === to ? from : `${from} – ${to}`} (UTC)`,
    none: html`Продаж не было.`,
    product: (name, revenue, refunds) => html`<b>${name}</b>\nВыручка ${revenue}, возвраты ${refunds}`,
    agents: (part) => html`Сверх того заработали агенты: ${part}`,
    margin: (cost, margin) => html`Себестоимость ${cost}, маржа <b>${margin}</b>`,
    unknownCost: html`Себестоимость неизвестна`,
    unknownFor: (count) =>
      html`Себестоимость ${count} прокси со своего склада неизвестна: в марже она не учтена`,
    expected: (cost) => html`Из себестоимости ${cost} ещё не списано, а только ожидается`,
    more: (count) => html`… и ещё ${products(count)}`,
    total: (revenue, refunds) => html`<b>Итого</b>\nВыручка <b>${revenue}</b>, возвраты ${refunds}`,
    totalMargin: (cost, margin) => html`Где себестоимость известна: ${cost}, маржа <b>${margin}</b>`,
  },
  payouts: {
    title: (count) => html`🏦 <b>Выплаты, которые ждут</b>: ${count}`,
    none: html`🏦 <b>Выплаты, которые ждут</b>\n\nТаких нет.`,
    button: (username, usdt) => `${username} · ${usdt} USDT`,
    wanted: (username, sum) => html`🏦 <b>${username} просит выплату: ${sum}</b>`,
    number: (payoutNo) => html`Выплата <code>${payoutNo}</code>`,
    send: (usdt, address) =>
      html`Отправьте <code>${usdt}</code> <b>USDT</b> (TRC20) на\n<code>${address}</code>`,
    requestedAt: (time) => html`Запрошена: ${time}`,
    origin: html`<b>Откуда деньги</b> (агент и субпользователи)`,
    toppedUp: (sum) => html`Пополнено: ${sum}`,
    creditedAsPaid: (sum) => html`Зачислено вами как оплаченное: ${sum}`,
    paidOut: (sum) => html`Другие выплаты: ${sum}`,
    byAgent: (sum, all) =>
      html`Доход с заказов, которые агент сам оформил за субпользователей: ${sum} из ${all}`,
    gone: 'По этой выплате уже есть решение, или её отозвали.',
    askTxid: html`Сначала отправьте деньги со своего кошелька. Потом пришлите <b>хеш транзакции</b>: 64 цифры и буквы.`,
    whyNot: html`Почему нет? Пришлите причину, её прочтёт агент. Сумма вернётся в его доход.`,
    paid: (username, usdt) => html`✅ Записано: ${username}, ${usdt} USDT. Уведомление отправлено.`,
    refused: (username) => html`✖️ Отклонено. Уведомление отправлено: ${username}.`,
  },
  replacements: {
    title: (count) => html`<b>Замены, которые ждут решения</b>: ${count}`,
    none: html`<b>Замены, которые ждут решения</b>\n\nТаких нет.`,
    wanted: (username) => html`♻️ <b>${username} просит заменить прокси</b>`,
    proxy: (address, product) => html`Прокси: <code>${address}</code> (${product})`,
    reason: (reason) => html`Причина: ${reason}`,
    ground: {
      dead: html`По нашим проверкам он не работает.`,
      young: html`Он выдан меньше 24 часов назад.`,
      none: html`Наши проверки не показывают, что он не работает.`,
    },
    gone: 'Решение уже принято.',
    noneFree: html`⚠️ Такого же прокси в наличии нет.`,
    whyNot: html`Почему нет? Пришлите причину, её прочтёт клиент.`,
    results: {
      done: html`✅ Прокси заменён, клиенту сообщили.`,
      processing: html`⏳ Закупается другой прокси.`,
      refunded: html`↩️ Деньги за остаток срока возвращены, клиенту сообщили.`,
      declined: html`✖️ Отклонено, клиенту сообщили.`,
    },
  },
  payments: {
    title: (count) => html`<b>Неопознанные платежи</b>: ${count}`,
    none: html`<b>Неопознанные платежи</b>\n\nТаких нет.`,
    arrived: (usdt) => html`💸 <b>Пришло ${usdt} USDT: ни к одному пополнению не подходит</b>`,
    why: {
      no_order: html`Открытого пополнения на такую сумму нет.`,
      duplicate_payment: html`Его пополнение уже оплачено.`,
      user_deleted: html`Аккаунт этого пополнения удалён.`,
      not_creditable: html`Его пополнение уже нельзя зачислить автоматически.`,
      absurd_amount: html`Столько нет ни у кого: скорее всего, перевод поддельный.`,
    },
    facts: (from, time) => lines(html`От: <code>${from}</code>`, html`Время: ${time}`),
    txid: (network, txid) => html`Транзакция в ${network}: <code>${txid}</code>`,
    claims: html`🙋 <b>Клиент заявляет, что это оплата за:</b>`,
    near: html`Возможно, это за:`,
    nearTopUp: (orderNo, username, amount, status) =>
      html`${status} <code>${orderNo}</code>: ${username}, ${amount} USDT`,
    nearButton: (status, username, amount) => `${status} ${username} · ${amount} USDT`,
    button: (usdt, date) => `${usdt} USDT · ${date}`,
    gone: 'С этим платежом уже разобрались.',
    whichTopUp: (near) =>
      near
        ? html`За какое это пополнение? Нажмите его или пришлите номер другого.`
        : html`Пришлите номер пополнения, за которое этот платёж.`,
    noTopUp: 'Пополнения с таким номером нет.',
    confirm: ({ username, orderNo, asked, received, credit }) =>
      lines(
        html`<b>Отнести платёж к этому пополнению?</b>`,
        '',
        html`Пополнение: <code>${orderNo ?? ''}</code>`,
        html`Клиент: <b>${username ?? ''}</b>`,
        html`Ожидалось: ${asked ?? ''} USDT`,
        html`Пришло: ${received ?? ''} USDT`,
        html`Будет зачислено: <b>${credit ?? ''}</b>`,
      ),
    assigned: (credit, username) =>
      html`✅ <b>${username}</b>: зачислено <b>${credit}</b>. Уведомление отправлено.`,
    ignore: html`<b>Игнорировать этот платёж?</b>\n\nНикому ничего не зачислится, и он исчезнет из списка.`,
    ignored: html`Платёж игнорируется.`,
    refundNote: html`<b>Возврат сделан</b>\n\nСначала отправьте деньги обратно со своего кошелька. Потом пришлите заметку об этом, например хеш транзакции возврата; с ней платёж исчезнет из списка.`,
    refunded: html`✅ Возврат записан.`,
  },
  broadcast: {
    title: html`<b>Рассылка</b>`,
    toWhom: html`Кому? Считаются только чаты, где кто-то вошёл и новости включены.`,
    anyLanguage: 'Все',
    audiences: {
      all: (count) => `Всем (${count})`,
      agents: (count) => `Агентам (${count})`,
      users: (count) => `Пользователям (${count})`,
      sub_users: () => 'Субпользователям агента…',
      with_proxies: (count) => `С рабочими прокси (${count})`,
      with_traffic: (count) => `С остатком трафика (${count})`,
      short: (count) => `Кому не хватает денег (${count})`,
      idle: (count) => `Без покупок 30 дней (${count})`,
    },
    nobody: 'Сейчас её никто не получит.',
    audience: {
      all: () => 'все',
      agents: () => 'агенты',
      users: () => 'пользователи',
      sub_users: (agent) => `субпользователи ${agent}`,
      with_proxies: () => 'те, у кого есть рабочие прокси',
      with_traffic: () => 'те, у кого остался трафик',
      short: () => 'те, чья покупка ждёт денег',
      idle: () => 'те, кто 30 дней ничего не покупал',
      picked: (agent) => `часть субпользователей ${agent}`,
    },
    whichAgent: html`Чьим субпользователям? Пришлите логин агента.`,
    type: (text, caption) =>
      html`Пришлите текст до ${text} символов или картинку с подписью до ${caption}. Всё уйдёт ровно в том виде, в каком вы это оформите.`,
    when: (now) =>
      html`Когда? Например, <code>09:30</code> или <code>2026-11-24 09:30</code>. Здесь сейчас ${now}; для другого часового пояса добавьте сдвиг от UTC: <code>09:30 +8</code>.`,
    noTime: 'Это не время. Напишите как 09:30 или 2026-11-24 09:30.',
    preview: (chats) => html`👆 <b>Так это увидят</b>: ${chats} ${plural(chats, 'чат', 'чата', 'чатов')}.`,
    to: (audience, language) =>
      html`Получатели: ${audience}${language === undefined ? '' : ` (${language})`}`,
    states: {
      draft: html`Не отправлена.`,
      scheduled: html`🕘 <b>Отложена</b>`,
      sending: html`⏳ <b>Отправляется…</b>`,
      done: html`✅ <b>Отправлена</b>`,
      cancelled: html`🚫 <b>Остановлена</b>`,
    },
    icons: { draft: '✏️', scheduled: '🕘', sending: '⏳', done: '✅', cancelled: '🚫' },
    startsAt: (time) => html`Начало: <b>${time}</b>`,
    list: html`<b>Рассылки</b>, время — когда начнётся или началась.`,
    none: html`Пока ни одной.`,
    progress: ({ sent, blocked, left, status }) =>
      html`Отправлено: <b>${sent}</b> · заблокировали бота: ${blocked}${status === 'sending' ? ` · осталось: ${left}` : left > 0 ? ` · не отправлено: ${left}` : ''}`,
  },
}
