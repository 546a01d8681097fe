import { html, lines } from '../html.ts'
import type * as en from '../en/customers.ts'
import { plural } from './plural.ts'

const deletedUsers = (count: number) =>
  `${count} ${plural(count, 'удалённый субпользователь', 'удалённых субпользователя', 'удалённых субпользователей')}`

export const customers: typeof en.customers = {
  buttons: {
    find: '🔎 Найти',
    all: 'Все',
    allTopUps: '💳 Пополнения',
    create: '➕ Новый клиент',
    createNow: '✅ Создать клиента',
    agent: '🤝 Агент',
    contact: '📇 Контакты',
    customer: (name) => `👤 ${name}`,
    order: '📦 Заказ',
    proxies: (count) => `🌐 Прокси: ${count}`,
    refundAndEnd: '✅ Вернуть и завершить',
    replaceOrRefund: '✅ Заменить, иначе возврат',
  },
  lists: {
    orders: (count) => `📦 Заказы: ${count}`,
    proxies: (count) => `🌐 Прокси: ${count}`,
    entries: () => '📒 Операции',
    traffic: () => '📊 Трафик',
    topUps: (count) => `💳 Пополн.: ${count}`,
    chats: (count) => `💬 Чаты: ${count}`,
  },
  titles: {
    orders: (name, count) => html`📦 <b>Заказы</b> ${name}: ${count}`,
    proxies: (name, count) => html`🌐 <b>Прокси в работе</b> у ${name}: ${count}`,
    entries: (name, count) => html`📒 <b>Операции</b> ${name}: ${count}`,
    traffic: (name, count) =>
      html`📊 <b>Трафик</b> ${name}: ${count} ${plural(count, 'товар', 'товара', 'товаров')}`,
    topUps: (name, count) => html`💳 <b>Пополнения</b> ${name}: ${count}`,
    chats: (name, count) => html`💬 <b>Чаты</b> ${name}: ${count}`,
  },
  ask: lines(
    html`🔎 <b>Поиск</b>`,
    '',
    html`Пришлите логин, e-mail или имя в Telegram, номер заказа или пополнения, адрес или строку прокси либо транзакцию. Их можно вставить в любой момент, не заходя сюда.`,
  ),
  askInGroup: lines(
    html`🔎 <b>Поиск</b>`,
    '',
    html`Напишите <code>/find</code>, а после него логин, e-mail или имя в Telegram, номер заказа или пополнения, адрес или строку прокси либо транзакцию.`,
  ),
  nothing: (text) => html`🔎 По запросу <code>${text}</code> ничего не найдено.`,
  found: (text) => html`🔎 <b>Найдено</b> по запросу <code>${text}</code>`,
  gone: 'Этого больше нет.',
  stockState: {
    free: 'в продаже',
    resting: 'ждёт смены пароля',
    off_sale: 'снят с продажи',
  },
  stock: (address, product, state) => html`🗄 На складе: <code>${address}</code>, ${product}, ${state}`,
  transfer: (usdt, txid, state) => html`💵 ${usdt} USDT в <code>${txid}</code>: ${state}`,
  transferState: {
    matched: 'зачислено',
    unmatched: 'не подошло ни к одному пополнению',
    ignored: 'игнорируется',
    refunded: 'возвращено отправителю',
  },
  proxyOf: (icon, address, name) => `${icon} ${address} · ${name}`,
  orderOf: (icon, date, name) => `${icon} ${date} · ${name}`,
  traffic: (icon, name, owner) => `${icon} ${name} · ${owner}`,
  states: {
    active: html`✅ Активен`,
    disabled: html`🚫 Отключён: войти нельзя`,
    deleted: html`🗑 Удалён`,
  },
  notActivated: html`✉️ Ссылка из письма для активации ещё не открыта`,
  frozen: html`⚠️ Траты остановлены: учёт под сомнением`,
  customer: (name) => html`👤 <b>${name}</b>`,
  agentAccount: (name, users) =>
    html`🤝 <b>${name}</b>, агент: ${users} ${plural(users, 'субпользователь', 'субпользователя', 'субпользователей')}`,
  ofAgent: (agent) => html`Агент: <b>${agent}</b>`,
  ofShop: html`Клиент самого магазина`,
  balance: (balance) => html`Баланс: <b>${balance}</b>`,
  totals: (received, spent) => html`Получено: ${received} · потрачено: ${spent}`,
  trafficLeft: (left) => html`Остаток трафика: ${left}`,
  contact: (text) => html`📇 ${text}`,
  since: (date) => html`Регистрация: ${date}`,
  empty: html`Здесь пусто.`,
  entry: (amount, kind, time, about) =>
    html`<b>${amount}</b> · ${kind} · <i>${time}</i>${about === '' ? '' : ` · ${about}`}`,
  trafficLine: (product, left, total) => html`${product}: осталось <b>${left}</b> из ${total}`,
  chat: (who, id, language, date) => html`💬 ${who} · <code>${id}</code> · ${language} · ${date}`,
  blocked: html`(бот заблокирован)`,
  orderButton: (icon, product, total, date) => `${icon} ${product} ${total} ${date}`,
  topUpButton: (icon, usdt, what) => `${icon} ${usdt} USDT ${what}`,
  allTopUps: (count) =>
    html`💳 <b>Все пополнения</b>: ${count}\n⏳ не оплачено · 🔎 видно в блокчейне · ✅ оплачено`,
  trafficOrder: (amount) => html`Трафик: <b>${amount}</b>`,
  refundable: (amount) => html`Ещё можно вернуть: <b>${amount}</b>`,
  proxy: (line) => html`🌐 <code>${line}</code>`,
  until: (time) => html`Действует до ${time}`,
  before: (address, date) => html`До ${date}: ${address}`,
  topUpStates: {
    pending: 'не оплачено',
    confirming: 'видно в блокчейне',
    paid: 'оплачено',
    expired: 'истекло',
    cancelled: 'отменено',
  },
  topUp: (orderNo, name) => html`💳 Пополнение <code>${orderNo}</code>, клиент <b>${name}</b>`,
  toPay: (usdt, credit) => html`К оплате: <b>${usdt} USDT</b>, зачислится ${credit}`,
  created: (time) => html`Создано: ${time}`,
  askNew: lines(
    html`➕ <b>Новый клиент</b>`,
    '',
    html`Пришлите логин или несколько строк:`,
    html`<pre>логин: somebody\nагент: reseller\nбаланс: 10\nпочта: a@example.com\nтелефон: 79001234567\nпримечание: знакомы с выставки</pre>`,
    html`Без агента это клиент самого магазина. Пароль клиент задаст сам по ссылке, которую вы ему передадите.`,
  ),
  labels: {
    username: 'логин',
    agent: 'агент',
    balance: 'баланс',
    email: 'почта',
    phone: 'телефон',
    remark: 'примечание',
  },
  confirmNew: (typed) => html`<b>Создать этого клиента?</b>\n\n<pre>${typed}</pre>`,
  newReason: 'Новый клиент',
  createdNow: html`✅ <b>Клиент создан.</b>`,
  askContact: (contact) =>
    lines(
      html`📇 <b>Контакты</b>`,
      '',
      html`Пришлите то, что меняется; где после двоеточия пусто, то удалится:`,
      html`<pre>${contact}</pre>`,
    ),
  changed: html`✅ Изменено.`,
  notAnAgent: 'Этот аккаунт не агент. Пришлите логин агента.',
  unknownLine: (line) => `Не понимаю «${line}». Присылайте строки вида «логин: somebody».`,
  why: html`<b>Почему?</b> Выберите или напишите. Это сохранится в журнале.`,
  whyTold: html`<b>Почему?</b> Выберите или напишите. Это прочтёт клиент.`,
  partToo: html`Чтобы вернуть часть, начните с суммы: <code>0.5 день было медленно</code>`,
  reason: (reason) => html`Причина: ${reason}`,
  sure: html`<b>Выполнить?</b>`,
  tooMuch: (most) => `Вернуть можно не больше ${most}.`,
  notAnAmount: 'Пришлите сумму, например 10 или -2.5.',
  notACredential: 'Пришлите пароль или логин:пароль.',
  askAmount: (name, balance) =>
    html`💰 <b>${name}</b>: на балансе <b>${balance}</b>.\n\nСколько добавить? Со знаком минус — снять.`,
  askAgent: (name, agent) =>
    html`🔀 <b>${name}</b>, сейчас: ${agent}.\n\nК какому агенту перевести? Пришлите логин или выберите.`,
  askCredentials: (address) =>
    html`🔑 Какой теперь пароль у <b>${address}</b>? Пришлите его или <code>логин:пароль</code>. На самом прокси он уже должен быть сменён.`,
  shop: 'магазин, без агента',
  link: (link, until) =>
    html`🔑 Передайте клиенту эту ссылку: по ней он войдёт в бота и задаст пароль. Сработает один раз, до ${until}.\n<code>${link}</code>`,
  begins: {
    adjust: '💰 Баланс',
    link: '🔑 Ссылка',
    logOut: '🚪 Выйти везде',
    disable: '🚫 Отключить',
    enable: '▶️ Включить',
    move: '🔀 Перевести',
    delete: '🗑 Удалить',
    clear: '🧹 Изъять',
    refundOrder: '↩️ Возврат',
    endOrder: '⏹ Завершить',
    end: '⏹ Завершить',
    refund: '↩️ Возврат',
    replace: '♻️ Заменить',
    credentials: '🔑 Доступ',
  },
  confirms: {
    adjust: '✅ Изменить баланс',
    link: '✅ Создать ссылку',
    logOut: '✅ Выйти везде',
    disable: '🚫 Отключить',
    enable: '▶️ Включить',
    move: '✅ Перевести',
    delete: '🗑 Удалить навсегда',
    clear: '🧹 Изъять',
    refundOrder: '✅ Вернуть деньги',
    endOrder: '⏹ Завершить без возврата',
    end: '⏹ Завершить без возврата',
    refund: '✅ Вернуть деньги',
    replace: '✅ Заменить',
    credentials: '✅ Сменить логин и пароль',
  },
  usualReasons: {
    adjust: () => ['Исправление', 'Компенсация', 'Оплачено другим способом'],
    link: () => ['Забыт пароль', 'Первый вход', 'Новый телефон'],
    logOut: () => ['Потерян телефон', 'По просьбе клиента', 'Похоже на взлом'],
    disable: () => ['Злоупотребление', 'Оплата оспаривается', 'По просьбе клиента'],
    enable: () => ['Вопрос решён', 'Оплачено', 'Отключён по ошибке'],
    move: () => ['По просьбе клиента', 'Агент ушёл', 'Не тот агент'],
    delete: () => ['По просьбе клиента', 'Второй аккаунт', 'Злоупотребление'],
    clear: () => ['Меняется источник денег', 'Наведение порядка в учёте'],
    refundOrder: () => ['Не работает', 'Медленно', 'Куплено по ошибке'],
    endOrder: () => ['Злоупотребление', 'Оплата оспаривается', 'По просьбе клиента'],
    end: () => ['Злоупотребление', 'Оплата оспаривается', 'По просьбе клиента'],
    refund: () => ['Не работает', 'Медленно', 'Куплено по ошибке'],
    replace: () => ['Не работает', 'Заблокирован сайтом', 'Не то место'],
    credentials: () => ['Известны посторонним', 'Не подходят', 'По просьбе клиента'],
  },
  changes: {
    adjust: {
      preview: (name, change, before, after) =>
        html`💰 <b>${name}</b>: ${change}, ${before} → <b>${after}</b>`,
      aboutPaid: html`<i>То, что агенты заработают на оплаченных деньгах, можно выплатить в USDT; заработанное на подаренных — только перевести им на баланс.</i>`,
      paid: (way) => (way === 'in' ? '💵 Добавить: оплачено' : '💵 Снять: деньги возвращены'),
      done: (balance) => html`✅ Теперь на балансе <b>${balance}</b>.`,
    },
    link: {
      preview: (name) =>
        html`🔑 Создать ссылку, по которой <b>${name}</b> войдёт и задаст пароль? Прежние ссылки перестанут работать; пароль действует, пока не задан новый.`,
    },
    logOut: {
      preview: (name) => html`🚪 Завершить все входы <b>${name}</b>, в чатах и для программ?`,
      done: html`✅ Все входы завершены.`,
    },
    disable: {
      preview: (name, proxies) =>
        html`🚫 Отключить <b>${name}</b>? Нельзя будет ни войти, ни заказать. Прокси в работе (${proxies}) доработают до конца срока.`,
      done: html`✅ Аккаунт отключён.`,
    },
    enable: {
      preview: (name) => html`▶️ Снова включить <b>${name}</b>?`,
      done: html`✅ Аккаунт включён.`,
    },
    move: {
      preview: (name, from, to) =>
        html`🔀 Перевести <b>${name}</b>\nоткуда: ${from}\nкуда: <b>${to}</b>\n\nДальше действуют цены нового агента. Доход прежнего остаётся у него. Баланс переходит вместе с клиентом. Ссылки, адреса и пароли, которые прежний агент создал или может знать, перестанут действовать; клиент получит уведомление.`,
      done: (to) => html`✅ Переведён. Агент: <b>${to}</b>`,
      noPassword: html`⚠️ Пароль задавал прежний агент, поэтому он больше не действует. Создайте клиенту ссылку для входа.`,
    },
    delete: {
      preview: (name, balance) =>
        html`🗑 Удалить <b>${name}</b> навсегда? Баланс ${balance} вернётся агенту, если платил он, иначе останется в записях. Прокси доработают до конца срока.`,
      done: html`✅ Аккаунт удалён.`,
    },
    clear: {
      preview: (name, users, total) =>
        html`🧹 У <b>${name}</b> есть <b>${deletedUsers(users)}</b>, и осталось <b>${total}</b>, зачисленных без списания с агента. Изъять? Эти деньги никому не достанутся.`,
      user: (name, balance) => html`• ${name}: ${balance}`,
      more: (users) => html`… и ещё ${users}`,
      done: (total) => html`✅ Изъято: <b>${total}</b>. У удалённых субпользователей больше ничего нет.`,
    },
    refundOrder: {
      preview: (name, amount, most) =>
        html`↩️ Вернуть <b>${amount}</b> из ${most} за этот заказ? Клиент: <b>${name}</b>`,
    },
    refund: {
      preview: (name, amount, most, address) =>
        html`↩️ Вернуть <b>${amount}</b> из ${most} за <code>${address}</code>? Клиент: <b>${name}</b>`,
      done: (amount, balance) => html`✅ Возвращено <b>${amount}</b>; на балансе ${balance}.`,
    },
    end: {
      preview: (name, proxies) =>
        html`⏹ <b>${name}</b>: завершить ${proxies} прокси сейчас и <b>ничего не вернуть</b>? Запустить их снова нельзя; клиент получит уведомление.`,
      done: (proxies) => html`✅ Завершено прокси: ${proxies}. Деньги не возвращались.`,
    },
    replace: {
      preview: (name, address) =>
        html`♻️ Заменить <code>${address}</code> на другой прокси того же товара и места? Клиент: <b>${name}</b>`,
      done: {
        done: (address) => html`✅ Заменён на <code>${address}</code>.`,
        processing: html`⏳ Другой прокси закупается или проверяется; клиент получит уведомление.`,
        refunded: (amount) => html`✅ Свободных не было: возвращено <b>${amount}</b>.`,
      },
    },
    credentials: {
      preview: (name, address) =>
        html`🔑 Сменить логин и пароль <code>${address}</code>? Старые перестанут действовать. Клиент <b>${name}</b> получит уведомление.`,
      done: {
        now: html`✅ Новые уже действуют; клиент получит уведомление.`,
        asked: html`⏳ Запрос поставщику отправлен; клиент получит уведомление.`,
      },
    },
  },
}
