import { html, lines } from '../html.ts'
import type * as en from '../en/users.ts'
import { plural } from './plural.ts'

const subUsers = (count: number) =>
  `${count} ${plural(count, 'субпользователь', 'субпользователя', 'субпользователей')}`
const newSubUsers = (count: number) =>
  `${count} ${plural(count, 'новый субпользователь', 'новых субпользователя', 'новых субпользователей')}`
/** «баланс 2 субпользователей», «включить 2 субпользователей» */
const ofSubUsers = (count: number) =>
  `${count} ${plural(count, 'субпользователя', 'субпользователей', 'субпользователей')}`
const accounts = (count: number) => `${count} ${plural(count, 'аккаунт', 'аккаунта', 'аккаунтов')}`
const chats = (count: number) => `${count} ${plural(count, 'чат', 'чата', 'чатов')}`

/** An agent's sub-users, in Russian. */
export const users: typeof en.users = {
  title: (total) => html`<b>Субпользователи</b>: ${total}`,
  none: html`Субпользователей пока нет. Создайте одного по шагам или сразу многих списком.`,
  noneFound: html`Никого не нашлось.`,
  searched: (search) => html`🔍 ${search}`,
  search: html`<b>Поиск</b>\n\nПришлите часть <b>логина</b>, <b>почты</b> или <b>телефона</b>.`,
  all: '👥 Все',
  filterTitle: html`<b>Какие субпользователи?</b>`,
  statuses: {
    active: '✅ Активен',
    disabled: '⛔ Отключён',
    deleted: '🗑 Удалён',
    notActivated: '✉️ Ещё не активирован',
  },
  button: (icon, username, balance) => `${icon} ${username} · ${balance}`,
  buttons: {
    search: '🔍 Поиск',
    endSearch: '✖️ Сбросить поиск',
    create: '➕ Создать',
    createMany: '📋 Списком',
    more: '⋯ Ещё',
    adjust: '💰 Изменить баланс',
    prices: '🏷 Цены',
    invite: '🔗 Ссылка-приглашение',
    rename: '✏️ Логин',
    password: '🔑 Пароль',
    select: '☑️ Выбрать нескольких',
    message: '💬 Написать',
    email: '✉️ Почта',
    phone: '📱 Телефон',
    remark: '📝 Примечание',
    clear: 'Оставить пустым',
    allOrders: '📦 Все прокси',
    file: '📄 Файлом',
    enable: '✅ Включить',
    disable: '⛔ Отключить',
    remove: '🗑 Удалить',
    orders: '📦 Прокси',
    traffic: '📶 Трафик',
    records: '📒 История',
    joinLinks: '📣 Ссылки для регистрации',
    copyLink: '📋 Копировать ссылку',
    copyLogin: '📋 Копировать логин и пароль',
    open: '👤 Открыть',
    another: '➕ Ещё один',
  },
  name: (username) => html`👤 <b>${username}</b>`,
  state: (state) => html`${state}`,
  balance: (balance) => html`💰 Баланс: <b>${balance}</b>`,
  totals: (recharged, spent) => html`Пополнено: ${recharged} · потрачено: ${spent}`,
  proxies: (active) => html`📦 Активные прокси: <b>${active}</b>`,
  traffic: (product, left) => html`📶 ${product}: осталось <b>${left}</b>`,
  email: (email) => html`Почта: ${email}`,
  phone: (phone) => html`Телефон: ${phone}`,
  remark: (remark) => html`Примечание: ${remark}`,
  since: (date) => html`Дата создания: ${date}`,
  ownBalance: (before, after) => html`Ваш баланс: ${before} → <b>${after}</b>`,
  pressButton: 'Нажмите одну из кнопок.',
  parts: {
    username: 'логин',
    password: 'пароль',
    email: 'почта',
    phone: 'телефон',
    balance: 'баланс',
    remark: 'примечание',
  },
  create: {
    title: html`<b>Новый субпользователь</b>`,
    username: (username) => html`Логин: <b>${username}</b>`,
    password: (chosen) => (chosen ? html`Пароль: задан вами` : html`Пароль: случайный`),
    initial: (balance) => html`Начальный баланс: <b>${balance}</b>`,
    ask: {
      username: html`Пришлите <b>логин</b>: от 3 до 50 символов без пробелов.`,
      password: html`Пришлите <b>пароль</b>, от 6 до 50 символов, или возьмите случайный. Ваше сообщение я сразу удалю.`,
      email: html`Пришлите <b>адрес почты</b>.`,
      phone: html`Пришлите <b>номер телефона</b>: 11 цифр.`,
      balance: html`Пришлите <b>начальный баланс</b>, например 25 или 12.50.`,
      remark: html`Пришлите <b>примечание</b> для себя: не больше 255 символов.`,
    },
    buttons: {
      make: '🎲 Случайный',
      skip: 'Пропустить',
      skipAll: 'Пропустить остальное ›',
      create: (count) => (count === 1 ? '✅ Создать аккаунт' : `✅ Создать ${accounts(count)}`),
    },
    created: (username, balance) => html`✅ Аккаунт <b>${username}</b> создан, баланс ${balance}.`,
    made: (password) =>
      html`Пароль: <code>${password}</code>\nОн показан только один раз, потом его никто не увидит.`,
    mailed: (email) => html`✉️ Аккаунт заработает, когда откроют ссылку из письма на ${email}.`,
    left: (balance) => html`Ваш баланс: <b>${balance}</b>`,
  },
  createMany: {
    ask: lines(
      html`<b>Сразу много субпользователей</b>`,
      '',
      html`Вставьте до 200 строк или пришлите их файлом .csv в UTF-8, не больше 256 КБ:`,
      html`<code>username,password,balance,email,phone,remark</code>`,
      html`То есть логин, пароль, баланс, почта, телефон и примечание.`,
      '',
      html`Обязателен только логин. Где нет пароля, будет случайный. Например:`,
      html`<code>anna,,25\nben,secret-of-ben,,ben@example.com</code>`,
      '',
      html`Создаются либо все, либо никто. Ваше сообщение я сразу удалю.`,
    ),
    title: (count) => html`<b>${newSubUsers(count)}</b>`,
    line: (username, made, balance) =>
      html`• <b>${username}</b>: ${balance}${made ? ', случайный пароль' : ''}`,
    more: (count) => html`… и ещё ${count}`,
    total: (total) => html`Начальные балансы, всего: <b>${total}</b>`,
    addMore: html`<i>Пришлите ещё строки, чтобы дополнить список.</i>`,
    empty: 'Строк в нём нет.',
    notTaken: 'Ни одна из этих строк не добавлена. Исправьте ошибки и пришлите их снова:',
    badLine: (line, problem, part) =>
      part === undefined ? `Строка ${line}: ${problem}` : `Строка ${line}, ${part}: ${problem}`,
    moreFaults: (count) => `… и ещё ${count}`,
    mailed: (count) =>
      count === 1
        ? html`✉️ У одного указана почта: аккаунт заработает, когда откроют ссылку из письма.`
        : html`✉️ У ${count} указана почта: эти аккаунты заработают, когда откроют ссылки из писем.`,
    working: html`⏳ Создаю аккаунты…`,
    created: (count, total) =>
      count === 1
        ? html`✅ Создан <b>1 аккаунт</b> с балансом ${total}.`
        : html`✅ ${plural(count, 'Создан', 'Создано', 'Создано')} <b>${accounts(count)}</b>, всего на балансах ${total}.`,
    passwords: html`Случайные пароли — в файле выше. Он отправлен только один раз, потом их никто не увидит.`,
    fileLost:
      'Файл с паролями отправить не удалось. Аккаунты созданы: задайте новые пароли или отправьте приглашения.',
  },
  adjust: {
    title: (username) => html`<b>Баланс ${username}</b>`,
    balances: (theirs, own) => html`💰 <b>${theirs}</b>\nВаш баланс: ${own}`,
    askAmount: html`На сколько изменить? Пришлите сумму, например 25, чтобы добавить, или -12.50, чтобы списать.`,
    missing: (sum) => `Недостающие ${sum}`,
    all: (balance) => `Списать всё: ${balance}`,
    askRemark: html`За что? Пришлите <b>примечание</b>; субпользователь его увидит.`,
    orRemark: html`<i>Или сначала пришлите, за что; субпользователь это увидит.</i>`,
    otherRemark: html`<i>Чтобы изменить примечание, пришлите другое.</i>`,
    change: (change) => html`Изменение: <b>${change}</b>`,
    theirs: (username, before, after) => html`${username}: ${before} → <b>${after}</b>`,
    add: (sum) => `✅ Добавить ${sum}`,
    deduct: (sum) => `➖ Списать ${sum}`,
    done: (change) => html`✅ Баланс изменён: <b>${change}</b>`,
  },
  picked: {
    title: (count, total) =>
      html`<b>${count === 0 ? 'Кого выбрать?' : `Выбрано: ${count}`}</b>\n\nСубпользователей в списке: ${total}`,
    buttons: { all: 'Все', none: 'Снять', names: '📋 Список', adjust: '💰 Баланс', renew: '🔄 Продлить' },
    tooMany: (most) => `Не больше ${most} за раз; остальные не выбраны.`,
    askNames: html`<b>Кого выбрать?</b>\n\nПришлите логины, по одному в строке.`,
    unknown: (names) => `Таких субпользователей у вас нет: ${names}`,
    adjustTitle: (count) => html`<b>Баланс ${ofSubUsers(count)}</b>`,
    askAmount: (own) =>
      html`Ваш баланс: <b>${own}</b>\n\nПришлите сумму для <b>каждого</b>, например 25, чтобы добавить, или -12.50, чтобы списать.`,
    total: (total) => html`Всего: <b>${total}</b>`,
    adjusted: (count, total) => html`✅ Изменено балансов: ${count}, всего <b>${total}</b>.`,
    askStatus: (count, status) =>
      status === 'active'
        ? html`<b>Включить ${ofSubUsers(count)}?</b>`
        : html`<b>Отключить ${ofSubUsers(count)}?</b>\n\nПока аккаунт отключён, войти и покупать нельзя. Купленные прокси продолжат работать.`,
    statusSet: (count, status) => html`✅ ${status === 'active' ? 'Включено' : 'Отключено'}: <b>${count}</b>`,
    renewTitle: (days) =>
      html`<b>Продлить всё, что истекает ${days === 1 ? 'за сутки' : `за ${days} ${plural(days, 'день', 'дня', 'дней')}`}</b>`,
    renewTerms: html`Каждый заказ продлевается на один период оплаты с баланса своего пользователя. Нерабочие прокси не продлеваются.`,
    days: (days) => `${days} д`,
    renewNow: (total) => `✅ Продлить: ${total}`,
    renewal: (username, count, price, problem) =>
      html`• <b>${username}</b>: ${count} прокси${price === undefined ? '' : `, ${price}`}${problem === undefined ? '' : ` – ⚠️ ${problem}`}`,
    nothingExpires: html`За это время у них ничего не истекает.`,
    moreLater: html`Есть и другие заказы; потом повторите.`,
    renewed: (total) => html`✅ Продлено на сумму <b>${total}</b>`,
    working: html`⏳ Продлеваю прокси…`,
  },
  asked: {
    give: (sum) => `✅ Дать ${sum}`,
    decline: '✖️ Отказать',
    done: {
      given: (username, sum) => html`✅ Баланс <b>${username}</b> пополнен на ${sum}.`,
      declined: (username, sum) => html`✖️ Отказано: <b>${username}</b> узнает, что ${sum} не будет.`,
    },
    before: {
      given: (username, sum) =>
        html`Вы уже пополнили баланс <b>${username}</b> на ${sum}; сейчас ничего не сделано.`,
      declined: (username, sum) =>
        html`Вы уже отказали <b>${username}</b> в ${sum}; сейчас ничего не сделано.`,
      over: (username) =>
        html`Эта просьба больше не действует: от <b>${username}</b> пришла новая, вы уже пополнили этот баланс или аккаунт удалён. Сейчас ничего не сделано.`,
    },
    disabled: html`Этот субпользователь сейчас отключён, баланс не пополнен. Включите его, и кнопка снова сработает.`,
    ownShort: (sum) => `На вашем балансе не хватает ${sum}: ничего не переведено.`,
  },
  message: {
    from: (username) => `💬 ${username}:`,
    nobody: 'Никто из них не пользуется ботом с включёнными новостями.',
    type: (count, text, caption, perDay) =>
      html`<b>Сообщение субпользователям</b> (${chats(count)})\n\nПришлите текст до ${text} символов с любым оформлением или картинку с подписью до ${caption}. Над ним будет ваш логин. Кто выключил новости, ничего не получит. Писать можно раз в 10 минут, не больше ${perDay} ${plural(perDay, 'раза', 'раз', 'раз')} в день.`,
    preview: (count) => html`👆 <b>Вот что они увидят</b>: ${chats(count)}.`,
    send: (count) => `💬 Отправить в ${chats(count)}`,
    wait: (minutes) => {
      const hours = Math.ceil(minutes / 60)
      return minutes <= 90
        ? `Вы недавно писали: подождите ещё ${minutes} ${plural(minutes, 'минуту', 'минуты', 'минут')}. Черновик останется здесь.`
        : `На сегодня хватит: подождите ещё ${hours} ${plural(hours, 'час', 'часа', 'часов')}. Черновик останется здесь.`
    },
  },
  askUsername: (username) =>
    html`<b>Логин ${username}</b>\n\nПришлите новый: от 3 до 50 букв, цифр, _ и -. Входить заново не придётся.`,
  renamed: html`✅ Логин изменён.`,
  askContact: (username, field) =>
    html`<b>${{ email: 'Почта', phone: 'Телефон', remark: 'Примечание' }[field]} ${username}</b>`,
  contactSet: (username, field) =>
    html`✅ ${{ email: 'Почта изменена', phone: 'Телефон изменён', remark: 'Примечание изменено' }[field]}: ${username}.`,
  file: (count) => html`${subUsers(count)}`,
  columns: {
    id: 'ID',
    username: 'Логин',
    status: 'Статус',
    balance: 'Баланс',
    totalRecharge: 'Пополнено',
    totalConsumption: 'Потрачено',
    activeProxies: 'Активные прокси',
    trafficLeft: 'Остаток трафика (GB)',
    email: 'Почта',
    phone: 'Телефон',
    remark: 'Примечание',
    createdAt: 'Дата создания (UTC)',
  },
  askPassword: (username) =>
    html`<b>Пароль ${username}</b>\n\nПришлите новый, от 6 до 50 символов, или возьмите случайный. Ваше сообщение я сразу удалю.\n\n⚠️ ${username} выйдет из аккаунта везде.`,
  passwordSet: html`✅ Пароль изменён. На всех устройствах этому пользователю придётся войти заново.`,
  passwordMade: (username, password) =>
    html`✅ Новый пароль <b>${username}</b>:\n\n<code>${password}</code>\n\nОн показан только один раз, потом его никто не увидит. На всех устройствах этому пользователю придётся войти заново.`,
  invited: (username, link, until) =>
    html`🔗 <b>Приглашение для ${username}</b>\n\n<code>${link}</code>\n\nОтправьте его только ${username}: кто первым откроет ссылку, войдёт как ${username} и задаст пароль. Она сработает один раз, до ${until}. Прежние ссылки для этого пользователя больше не действуют.`,
  joinLinks: {
    title: (total) => html`📣 <b>Ссылки для регистрации</b>: ${total}`,
    about: html`Кто откроет такую ссылку в Telegram, сможет зарегистрироваться и станет вашим субпользователем, при желании — со стартовым балансом от вас. Размещайте её там, где бывают ваши клиенты.`,
    button: (icon, id, uses, trial) =>
      `${icon} №${id} · 👥 ${uses}${trial === undefined ? '' : ` · 🎁 ${trial}`}`,
    icons: { open: '🟢', used_up: '⚪', expired: '⌛', revoked: '⛔' },
    states: { open: 'Действует', used_up: 'Исчерпана', expired: 'Истекла', revoked: 'Закрыта' },
    buttons: {
      create: '➕ Новая ссылка',
      createLimited: '🎁 С бонусом или лимитом',
      revoke: '⛔ Закрыть ссылку',
      noTrial: 'Без стартового баланса',
      noLimit: 'Без лимита',
      done: '✅ Создать ссылку сейчас',
    },
    name: (id, state) => html`📣 <b>Ссылка для регистрации №${id}</b> · ${state}`,
    uses: (uses, most) =>
      html`👥 Зарегистрировались: <b>${uses}</b>${most === null ? '' : html` из ${most}`}`,
    trial: (trial) => html`🎁 Стартовый баланс: <b>${trial}</b> каждому, с вашего баланса`,
    noTrial: html`🎁 Без стартового баланса`,
    spent: (spent, budget) =>
      html`Потрачено на это: ${spent}${budget === undefined ? '' : html` из ${budget}`}`,
    until: (until) => (until === undefined ? html`Бессрочно` : html`Действует до ${until}`),
    askRevoke: html`Закрыть ссылку? Зарегистрироваться по ней больше не получится; кто уже зарегистрирован, останется.`,
    made: (link) => html`✅ <b>Ссылка для регистрации</b>\n\n<code>${link}</code>`,
    url: (link) => html`<code>${link}</code>`,
    newTitle: html`📣 <b>Новая ссылка для регистрации</b>`,
    ask: {
      trial: html`Какой <b>стартовый баланс</b> получит каждый новичок с вашего баланса? Один пользователь Telegram получает его только раз.`,
      budget: html`Сколько можно потратить на стартовые балансы <b>всего</b>? Потом новички регистрируются без них.`,
      maxUses: html`<b>Сколько</b> человек может зарегистрироваться по ссылке?`,
      days: html`Сколько <b>дней</b> она действует? Не больше 365.`,
    },
  },
  askDeletion: ({ username, balance, returns, activeProxies, traffic }) =>
    lines(
      html`🗑 <b>Удалить ${username}?</b>`,
      '',
      balance === undefined
        ? undefined
        : returns
          ? html`Баланс <b>${balance}</b> вернётся вам.`
          : html`Баланс <b>${balance}</b> пропадёт.`,
      activeProxies > 0
        ? html`Активные прокси: ${activeProxies}. Они продолжат работать до конца срока.`
        : undefined,
      traffic === undefined
        ? undefined
        : html`Осталось трафика: <b>${traffic}</b>. Деньги за него не возвращаются.`,
      html`Отменить это нельзя, и такой логин больше никто не получит.`,
      '',
      html`Чтобы подтвердить, пришлите логин: <code>${username}</code>`,
    ),
  otherName: 'Это не тот логин. Ничего не удалено.',
  deleted: (username, returned) =>
    html`🗑 Аккаунт <b>${username}</b> удалён.${returned === undefined ? '' : ` На ваш баланс вернулось ${returned}.`}`,
}
