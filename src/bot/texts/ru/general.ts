import { html } from '../html.ts'
import type * as en from '../en/general.ts'
import { plural } from './plural.ts'

/** «не меньше 3 символов» */
const characters = (count: number) => `${count} ${plural(count, 'символа', 'символов', 'символов')}`

const days = (count: number) => `${count} ${plural(count, 'день', 'дня', 'дней')}`
const months = (count: number) => `${count} ${plural(count, 'месяц', 'месяца', 'месяцев')}`

export const languageName: typeof en.languageName = 'Русский'

/** A city in its country. */
export const place = (country: string, city: string): string => `${country}, ${city}`

export const commands: typeof en.commands = {
  start: 'Начать',
  menu: 'Главное меню',
  buy: 'Купить статические прокси',
  traffic: 'Динамический трафик',
  proxies: 'Мои прокси',
  orders: 'Мои заказы',
  topup: 'Пополнить баланс',
  balance: 'Баланс',
  records: 'История операций',
  support: 'Поддержка',
  users: 'Субпользователи',
  earnings: 'Доход и цены',
  accounts: 'Аккаунты в этом чате',
  settings: 'Настройки',
  login: 'Войти',
  logout: 'Выйти',
  language: 'Язык / Language',
  help: 'Помощь',
  guide: 'Как пользоваться прокси',
  cancel: 'Отменить текущее действие',
  operator: 'Управление магазином',
  find: 'Найти что угодно',
  payments: 'Неопознанные платежи',
  suppliers: 'Поставщики',
  agents: 'Агенты',
  products: 'Товары и цены',
  stock: 'Прокси на складе',
  exits: 'Выходные узлы и шлюз',
  tickets: 'Обращения клиентов',
  broadcast: 'Рассылка по чатам',
}

export const buttons: typeof en.buttons = {
  home: '🏠 Меню',
  back: '‹ Назад',
  cancel: 'Отмена',
  logIn: '🔑 Войти',
  logOut: 'Выйти',
  buy: '🛒 Купить',
  proxies: '📦 Мои прокси',
  language: '🌐 Язык',
  help: '❓ Помощь',
  confirm: (total) => `✅ Купить за ${total}`,
  openOrder: '📦 Открыть заказ',
  refresh: '🔄 Обновить',
  copy: (count) => (count === 1 ? '📋 Копировать' : `📋 Копировать эти ${count}`),
  page: (page, pages) => `${page} / ${pages}`,
}

export const progress: typeof en.progress = {
  of: (done, total) => `${done} из ${total}`,
  left: (seconds) => {
    if (seconds <= 5) return 'несколько секунд'
    return seconds < 60 ? `ещё ≈${Math.ceil(seconds / 5) * 5} с` : `ещё ≈${Math.ceil(seconds / 60)} мин`
  },
}

export const status: typeof en.status = {
  processing: '⏳ Готовится',
  active: '✅ Активен',
  partial: '⚠️ Выдан частично',
  failed: '❌ Не выдан, возврат',
  expired: '⌛ Истёк',
  cancelled: '🚫 Отменён',
}

export const errors: typeof en.errors = {
  invalid_credentials: 'Неверный логин или пароль.',
  not_permitted: 'Ваша роль в магазине этого не позволяет. Изменить её может владелец.',
  account_disabled: 'Аккаунт отключён. Включить его может тот, кто его создал.',
  account_not_activated: 'Аккаунт ещё не активирован. Откройте ссылку из письма.',
  too_many_attempts: 'Слишком много попыток. Подождите несколько минут.',
  insufficient_balance: 'Не хватает денег на балансе.',
  out_of_stock: 'Вас опередили: столько уже нет в наличии.',
  price_changed: 'Цена изменилась. Проверьте ещё раз.',
  order_not_found: 'Такого заказа нет.',
  product_not_found: 'Этот товар больше не продаётся.',
  agent_required: 'Субпользователи есть только у агентов.',
  user_not_found: 'Аккаунта с таким логином нет.',
  sub_user_not_found: 'Этого субпользователя больше нет.',
  not_direct_sub_user: 'Это не ваш субпользователь.',
  username_taken: 'Этот логин занят.',
  balance_below_zero: 'У этого пользователя не хватает денег на балансе.',
  invalid_state: 'Это уже невозможно.',
  traffic_exhausted: 'Трафик закончился. Докупите ещё.',
  traffic_not_available: 'Столько трафика уже нет.',
  api_key_not_found: 'Такого API-ключа нет.',
  webhook_not_found: 'Такого вебхука нет.',
  delivery_not_found: 'У вебхука нет такой отправки.',
  bot_not_found: 'Этого бота больше нет.',
  bot_taken: 'Этот бот уже принадлежит другому агенту.',
  too_many_bots: 'У вас уже столько ботов, сколько позволяет ваш уровень. Сначала удалите одного.',
  join_link_not_found: 'Эта ссылка для регистрации больше не действует. Попросите новую.',
  payout_not_found: 'Такой выплаты нет.',
  promo_code_not_found: 'Такого промокода нет.',
  promo_code_not_usable: 'Для этой покупки промокод не действует.',
  promo_code_taken: 'Такой промокод уже есть. Придумайте другой.',
  sub_account_not_found: 'Этого субаккаунта больше нет.',
  order_processing: 'Это ещё выполняется. Попробуйте позже.',
  instance_not_found: 'Такого прокси нет.',
  duration_not_supported: 'На такой срок арендовать нельзя.',
  location_not_supported_for_product: 'В этой локации товар больше не продаётся.',
  project_required: 'Для этого товара нужен проект.',
  project_not_allowed: 'Такой проект невозможен.',
  invalid_cidr_blocks: 'Эти диапазоны IP больше недоступны.',
  assigned_ip_unavailable: 'Часть этих IP уже недоступна.',
  idempotency_conflict: 'Это уже сделано.',
  top_up_disabled: 'Пополнение сейчас отключено.',
  rate_limited: 'Подождите минуту и попробуйте снова.',
  unavailable: 'Сервис перегружен. Попробуйте чуть позже.',
  other: 'Не получилось. Попробуйте ещё раз.',
}

export const promoRefusals: typeof en.promoRefusals = {
  ended: 'Срок промокода истёк.',
  used_up: 'Промокод уже израсходован.',
  used_by_user: 'Вы уже использовали этот промокод столько раз, сколько можно одному клиенту.',
  sub_users_only: 'Ваши собственные промокоды — для ваших субпользователей.',
  other_product: 'Этот промокод — для других товаров.',
  nothing_to_discount: 'На эту цену промокод скидки не даёт.',
  price_too_low: 'Для этого товара промокод применить нельзя.',
}

export const textOnly: typeof en.textOnly = 'Пришлите это текстом.'

export const unknownCommand: typeof en.unknownCommand = 'Такой команды нет.'

export const nothingNew: typeof en.nothingNew = 'Ничего не изменилось.'
export const useButtons: typeof en.useButtons = 'Нажмите кнопку или выберите команду в меню.'

export const nothingFound: typeof en.nothingFound =
  'Ничего не нашлось. Нажмите кнопку или выберите команду в меню.'

export const onlyText: typeof en.onlyText =
  'Я понимаю только текст. Пользуйтесь кнопками или командами из меню.'

export const stale: typeof en.stale = 'Кнопка устарела. Вот что есть сейчас.'

export const list: typeof en.list = (items) => items.join(', ')

export const field: typeof en.field = (name, value) => `${name}: ${value}`

export const per: typeof en.per = {
  days: (count) => (count === 1 ? 'день' : days(count)),
  months: (count) => (count === 1 ? 'месяц' : months(count)),
}

export const units: typeof en.units = { bytes: 'Б', kilobytes: 'КБ', megabytes: 'МБ', gigabytes: 'ГБ' }

export const term: typeof en.term = { days, months }

export const trouble: typeof en.trouble = {
  crashed: (reference) =>
    html`У нас что-то сломалось. Попробуйте ещё раз.\n\nКод ошибки: <code>${reference}</code>`,
  tookTooLong: html`Это занимает больше времени, чем обычно, но ещё может выполниться. Прежде чем повторять, проверьте <b>Мои прокси</b> и баланс.`,
  slowDown: 'Слишком много действий подряд, это не выполнено. Подождите десять секунд и повторите.',
  dialogueLost: 'Бот только что обновился. Ничего не сделано, начните сначала.',
  groups: {
    privateOnly: (chatId) =>
      html`Я работаю только в личных чатах. Напишите мне туда.\n\n<i>Оператору: id этой группы — <code>${chatId}</code>.</i>`,
    write: 'Написать в личку',
  },
}

export const input: typeof en.input = {
  tooShort: (minimum) => `Нужно не меньше ${characters(minimum)}.`,
  tooLong: (maximum) => `Можно не больше ${characters(maximum)}.`,
  tooMany: (maximum) => `Не больше ${maximum} за раз.`,
  wrong: 'Так не подходит.',
  again: (problem) => `Так тоже не получится. ${problem}`,
  values: {
    wholeNumber: 'пришлите целое число, например 10',
    number: 'пришлите число, например 1.5',
    amount: 'пришлите сумму, например 12.50',
    percent: 'пришлите процент, например 12.5, не больше двух знаков после запятой',
    prices: 'пришлите цену, например 4.50, или цены по количеству, например 1: 4.50, 10: 4.00',
    flag: 'пришлите «да» или «нет»',
    other: 'такое значение не годится',
  },
  wholeNumber: (least, most) => `Пришлите целое число от ${least} до ${most}.`,
  onlyHas: (sum, username) => `У ${username ?? 'этого пользователя'} только ${sum}.`,
  ownShort: (sum) => `На вашем балансе не хватает ${sum}. Сначала пополните его: /topup`,
  abovePriceLimit: (most) => `Магазин разрешает не больше ${most}.`,
  rules: {
    not_a_webhook_url: 'Это не адрес. Пример: https://example.com/hooks.',
    webhook_not_encrypted: 'Адрес должен начинаться с https://.',
    webhook_not_public: 'Нужен адрес, доступный из интернета.',
    webhook_port_closed: 'Порт должен быть 443 или от 1024.',
    no_event_chosen: 'Выберите хотя бы одно событие.',
    too_many_webhooks: 'Вебхуков уже 10. Сначала удалите один.',
    not_an_address_range: 'Это не адрес. Пример: 203.0.113.7 или 203.0.113.0/24.',
    address_range_too_wide: 'Диапазон слишком широкий: не больше /8, для IPv6 — /16.',
    too_many_keys: 'Действующих ключей уже 50. Сначала отзовите один.',
    address_held_by_nobody: 'Этого адреса нет ни в одном белом списке.',
    person_exists: 'Сотрудник с таким именем уже есть.',
    telegram_id_taken: 'Этот пользователь Telegram уже записан за другим сотрудником.',
    no_owner_left: 'Пока в магазине есть сотрудники, хотя бы один должен быть владельцем.',
    no_such_person: 'Этот сотрудник удалён.',
    no_such_invite: 'Ссылка использована, отозвана или истекла. Попросите у магазина новую.',
    invisible_characters: 'Без пробелов и невидимых символов.',
    mixed_scripts: 'Не смешивайте буквы разных алфавитов.',
    letters_digits_underscore_hyphen: 'Можно только буквы, цифры, _ и -.',
    username_taken: 'Этот логин занят.',
    named_twice: 'Этот логин есть в списке дважды.',
    not_an_email_address: 'Это не адрес электронной почты.',
    not_a_phone_number: 'В номере телефона 11 цифр.',
    caption_too_long:
      'С картинкой или файлом — не больше 800 символов. Более длинный текст пришлите отдельно.',
    not_an_amount: 'Это не сумма. Напишите, например, 25 или 12.50, не больше 6 знаков после точки.',
    less_than_trial: 'Бюджет меньше одного стартового баланса.',
    quantity_comes_twice: 'Количество указано дважды.',
    less_than_payout_min: 'Меньше минимальной суммы выплаты.',
    not_a_tron_address:
      'Это не адрес TRON, на который можно отправить USDT. Он начинается с T, в нём 34 символа.',
    not_in_the_next_year: 'Это время прошло или наступит больше чем через год.',
    not_a_transaction_id: 'Это не хеш транзакции. В нём 64 знака: цифры и буквы от a до f.',
    txid_of_another_payout: 'Этой транзакцией оплачена другая выплата.',
    not_a_promo_code: 'В промокоде от 3 до 32 латинских букв, цифр, _ или -. Пример: SPRING-10.',
    either_percent_or_amount: 'Укажите что-то одно: процент или сумму.',
    balance_too_large: 'Такого большого баланса быть не может.',
    misplaced_quotation_mark: 'Кавычка не закрыта или стоит не в конце.',
    unknown_column: 'В заголовке есть неизвестный столбец.',
    too_many_columns: 'Столбцов слишком много.',
    blanks_between_columns: 'Здесь пустой столбец? Разделяйте столбцы запятыми.',
    divider_in_username: 'Здесь не тот разделитель, что в остальных строках.',
  },
  textOrPicture: 'Пришлите текст или одну картинку.',
  noPreview:
    'Не удалось показать, как это будет выглядеть. Если Telegram не примет сообщение, его не получит никто: лучше напишите заново.',
  textOrMedia: 'Пришлите текст, картинку или файл.',
  textOrFile: 'Пришлите текстом или файлом .csv или .txt.',
  files: {
    tooBig: 'Файл слишком большой: не больше 256 КБ.',
    notUtf8: 'Файл не в UTF-8. Сохраните его как «CSV UTF-8» и пришлите снова.',
    notDownloaded: 'Файл не дошёл. Пришлите его ещё раз.',
  },
  answered: 'На это уже ответили.',
}

export const profile: typeof en.profile = {
  description:
    'Статические прокси и динамический трафик: покупайте, продлевайте, проверяйте и управляйте прямо в этом чате.\n\n• HTTP и SOCKS5, много стран\n• Выдача здесь же, за несколько секунд\n• Пополнение в USDT, если магазин его принимает\n\nНажмите «Начать» и войдите с выданными вам логином и паролем. English, 中文.',
  short: 'Покупка статических прокси и динамического трафика и управление ими. Русский, English, 中文.',
}
