import { html } from '../html.ts'

export const languageName: string = 'English'

/** A city in its country. */
export const place = (country: string, city: string): string => `${country}, ${city}`

export const commands = {
  start: 'Start',
  menu: 'Main menu',
  buy: 'Buy static proxies',
  traffic: 'Dynamic traffic',
  proxies: 'My proxies',
  orders: 'My orders',
  topup: 'Top up the balance',
  balance: 'Balance',
  records: 'Records',
  support: 'Support',
  users: 'Sub-users',
  earnings: 'Earnings and prices',
  accounts: 'Accounts on this phone',
  settings: 'Settings',
  login: 'Log in',
  logout: 'Log out',
  language: 'Language / 语言 / Язык',
  help: 'Help',
  guide: 'How to use your proxies',
  cancel: 'Stop what you are doing',
  operator: 'Run the shop',
  find: 'Find anything',
  payments: 'Unmatched payments',
  suppliers: 'Suppliers',
  agents: 'Agents',
  products: 'Products and prices',
  stock: 'Proxies for sale',
  exits: 'Exits and gateway',
  tickets: 'Customers’ tickets',
  broadcast: 'Message many chats',
}

export const buttons = {
  home: '🏠 Menu',
  back: '‹ Back',
  cancel: 'Cancel',
  logIn: '🔑 Log in',
  logOut: 'Log out',
  buy: '🛒 Buy proxies',
  proxies: '📦 My proxies',
  language: '🌐 Language',
  help: '❓ Help',
  confirm: (total: string) => `✅ Buy for ${total}`,
  openOrder: '📦 Open the order',
  refresh: '🔄 Refresh',
  copy: (count: number) => (count === 1 ? '📋 Copy' : `📋 Copy these ${count}`),
  page: (page: number, pages: number) => `${page} / ${pages}`,
}

export const progress = {
  of: (done: number, total: number) => `${done} of ${total}`,
  /** How long the rest takes. */
  left: (seconds: number) => {
    if (seconds <= 5) return 'a few seconds'
    return seconds < 60 ? `about ${Math.ceil(seconds / 5) * 5} s` : `about ${Math.ceil(seconds / 60)} min`
  },
}

export const status = {
  processing: '⏳ Preparing',
  active: '✅ Active',
  partial: '⚠️ Partly delivered',
  failed: '❌ Failed, refunded',
  expired: '⌛ Expired',
  cancelled: '🚫 Cancelled',
}

export const errors = {
  invalid_credentials: 'Wrong username or password.',
  not_permitted: 'Your role in this shop does not include that. An owner can change it.',
  account_disabled: 'This account is disabled. Only the person who created it can enable it again.',
  account_not_activated:
    'This account is not activated yet. Please open the link that was sent to its e-mail address.',
  too_many_attempts: 'Too many attempts. Please wait a few minutes.',
  insufficient_balance: 'The balance is too low.',
  out_of_stock: 'Someone was faster: not enough are left.',
  price_changed: 'The price has changed. Please check again.',
  order_not_found: 'This order does not exist.',
  product_not_found: 'This product is no longer sold.',
  agent_required: 'Only agents have sub-users.',
  user_not_found: 'There is no account with this name.',
  sub_user_not_found: 'This user no longer exists.',
  not_direct_sub_user: 'This is not one of your sub-users.',
  username_taken: 'This username is taken.',
  balance_below_zero: 'The balance of this user is too low.',
  invalid_state: 'This is no longer possible.',
  traffic_exhausted: 'There is no traffic left. Please buy more.',
  traffic_not_available: 'There is not that much traffic left.',
  api_key_not_found: 'There is no such API key.',
  webhook_not_found: 'There is no such webhook.',
  delivery_not_found: 'The webhook has no such delivery.',
  bot_not_found: 'This bot is gone.',
  bot_taken: 'This bot belongs to another agent already.',
  too_many_bots: 'You have as many bots as your level allows. Remove one first.',
  join_link_not_found: 'This registration link is no longer valid. Please ask for a new one.',
  payout_not_found: 'This payout does not exist.',
  promo_code_not_found: 'I do not know this promotion code.',
  promo_code_not_usable: 'This promotion code is not valid for this purchase.',
  promo_code_taken: 'This code already exists. Please choose another one.',
  sub_account_not_found: 'This sub-account no longer exists.',
  order_processing: 'This is still being processed. Please try again later.',
  instance_not_found: 'This proxy does not exist.',
  duration_not_supported: 'It cannot be rented for that long.',
  location_not_supported_for_product: 'This product is no longer sold in this location.',
  project_required: 'This product needs a project.',
  project_not_allowed: 'This project is not available here.',
  invalid_cidr_blocks: 'These IP ranges are no longer available.',
  assigned_ip_unavailable: 'Some of these IPs are no longer available.',
  idempotency_conflict: 'This has already been done.',
  top_up_disabled: 'Top-ups are switched off at the moment.',
  rate_limited: 'Please wait a minute before you try this again.',
  unavailable: 'The service is busy. Please try again in a moment.',
  other: 'That did not work. Please try again.',
}

/** Why a promotion code does not hold for a purchase. */
export const promoRefusals = {
  ended: 'This promotion code has ended.',
  used_up: 'This promotion code is used up.',
  used_by_user: 'This promotion code has been used as often as one customer is allowed to.',
  sub_users_only: 'Your own codes are for your sub-users.',
  other_product: 'This promotion code is for other products.',
  nothing_to_discount: 'This promotion code takes nothing off this price.',
  price_too_low: 'This promotion code cannot be used for this product.',
}

export const textOnly: string = 'Please send it as a text message.'

export const unknownCommand: string = 'I do not know this command.'

/** The toast of a button that has changed nothing. */
export const nothingNew: string = 'Nothing has changed.'
export const useButtons: string = 'Please use the buttons, or one of the commands in the menu.'

/** The answer to text that is typed where nothing asks for it. */
export const nothingFound: string =
  'Nothing matches that. Please use the buttons, or one of the commands in the menu.'

/** The answer to a picture, a sticker and the like, where nothing asks for it. */
export const onlyText: string =
  'I read text only. Please use the buttons, or one of the commands in the menu.'

export const stale: string = 'That button was old; here is the current state.'

/** Items one after the other, as {@link typedList} reads them. */
export const list = (items: readonly string[]): string => items.join(', ')

/** A value with its name. */
export const field = (name: string, value: string | number): string => `${name}: ${value}`

/** A billing period, in a price per period. */
export const per = {
  days: (count: number) => (count === 1 ? 'day' : `${count} days`),
  months: (count: number) => (count === 1 ? 'month' : `${count} months`),
}

/** Units of traffic and of disk space, each a thousand times the one before. */
export const units = { bytes: 'B', kilobytes: 'KB', megabytes: 'MB', gigabytes: 'GB' }

export const term = {
  days: (count: number) => (count === 1 ? '1 day' : `${count} days`),
  months: (count: number) => (count === 1 ? '1 month' : `${count} months`),
}

/** When something is not as it should be, on the side of the service or of the person. */
export const trouble = {
  crashed: (reference: string) =>
    html`Something went wrong on our side. Please try again.\n\nReference: <code>${reference}</code>`,
  tookTooLong: html`This is taking longer than it should. It may still go through: please look at <b>My proxies</b> and your balance before you try again.`,
  slowDown: 'That was too fast, so it was not done. Please wait ten seconds and try again.',
  dialogueLost: 'The bot was updated in the meantime. Nothing was done; please start again.',
  groups: {
    privateOnly: (chatId: number) =>
      html`I work in private chats only. Please write to me there.\n\n<i>For the operator: the id of this group is <code>${chatId}</code>.</i>`,
    write: 'Write to me privately',
  },
}

/** What is wrong with something that was typed or sent. */
export const input = {
  /** Said of an answer that has the same problem as the one before. */
  again: (problem: string) => `That does not work either. ${problem}`,
  /** What a field of a form takes, by how its value is read. */
  values: {
    wholeNumber: 'send a whole number, such as 10',
    number: 'send a number, such as 1.5',
    amount: 'send an amount, such as 12.50',
    percent: 'send a percentage, such as 12.5, with at most two decimals',
    prices: 'send a price such as 4.50, or one for each quantity, such as 1: 4.50, 10: 4.00',
    flag: 'send yes or no',
    other: 'this value is not possible',
  },
  wholeNumber: (least: number, most: string) => `Send a whole number from ${least} to ${most}.`,
  /** Said where more was to be taken from a balance. */
  onlyHas: (sum: string, username: string | undefined) => `${username ?? 'This user'} has only ${sum}.`,
  tooShort: (minimum: number) => `At least ${minimum} characters, please.`,
  tooLong: (maximum: number) => `At most ${maximum} characters, please.`,
  tooMany: (maximum: number) => `At most ${maximum} at a time.`,
  wrong: 'This is not valid.',
  /** Shown in dialogues, where only an agent pays: for its sub-users. */
  ownShort: (sum: string) => `Your own balance is short by ${sum}. Top it up first: /topup`,
  abovePriceLimit: (most: string) => `The shop allows at most ${most}.`,
  /** Keys are the core's names of the rules. */
  rules: {
    not_a_webhook_url: 'This is not an address, such as https://example.com/hooks.',
    webhook_not_encrypted: 'It must begin with https://.',
    webhook_not_public: 'It must be an address of the public internet.',
    webhook_port_closed: 'Its port must be 443, or from 1024 on.',
    no_event_chosen: 'Please choose at least one event.',
    too_many_webhooks: 'There are 10 webhooks already. Delete one first.',
    not_an_address_range: 'This is not an address, such as 203.0.113.7 or 203.0.113.0/24.',
    address_range_too_wide: 'This address range is too wide: at most /8, or /16 of IPv6.',
    too_many_keys: 'You already have 50 active keys. Please revoke one first.',
    address_held_by_nobody: 'This address is on no white list.',
    person_exists: 'Another person has this name.',
    telegram_id_taken: 'This Telegram account belongs to another person.',
    no_owner_left: 'At least one person must be an owner.',
    no_such_person: 'This person was removed.',
    no_such_invite: 'This link was used, was revoked, or has expired. Ask the shop for a new one.',
    invisible_characters: 'No spaces and no invisible characters, please.',
    mixed_scripts: 'Please do not mix letters of different alphabets.',
    letters_digits_underscore_hyphen: 'Only letters, digits, _ and - are allowed.',
    username_taken: 'This username is taken.',
    named_twice: 'This username is in the list twice.',
    not_an_email_address: 'This is not an e-mail address.',
    not_a_phone_number: 'A phone number has 11 digits.',
    caption_too_long:
      'With a picture or a file, at most 800 characters, please. Send a longer text by itself.',
    not_an_amount: 'This is not an amount. Write it like 25 or 12.50, with at most 6 decimals.',
    less_than_trial: 'The budget is smaller than one start balance.',
    quantity_comes_twice: 'The same quantity appears twice.',
    less_than_payout_min: 'That is below the minimum payout.',
    not_a_tron_address:
      'This is not a TRON address to which USDT can be sent. It begins with T and has 34 characters.',
    not_in_the_next_year: 'This time is in the past or more than a year away.',
    not_a_transaction_id: 'This is not a transaction id: that is 64 digits and letters from a to f.',
    txid_of_another_payout: 'Another payout was already paid with this transaction.',
    not_a_promo_code: 'A code has 3–32 letters, digits, _ or -, such as SPRING-10.',
    either_percent_or_amount: 'Please name either a percentage or an amount.',
    balance_too_large: 'No balance can be that large.',
    misplaced_quotation_mark: 'A quotation mark is missing, or not at the end.',
    unknown_column: 'The header has an unknown column.',
    too_many_columns: 'There are too many columns.',
    blanks_between_columns: 'Is a column empty here? Please separate the columns with commas.',
    divider_in_username: 'This line uses a different separator than the others.',
  },
  textOrPicture: 'Please send it as a text, or as one picture.',
  /** Telegram refused what somebody wants to send to others. */
  noPreview:
    'The preview could not be shown. Telegram may refuse the message, and then nobody gets it: please write it again.',
  textOrMedia: 'Please send it as a text, a picture or a file.',
  textOrFile: 'Please send it as a text message or as a .csv or .txt file.',
  files: {
    tooBig: 'The file is too big: at most 256 KB.',
    notUtf8: 'The file is not in UTF-8. Please save it as “CSV UTF-8” and send it again.',
    notDownloaded: 'The file did not arrive. Please send it again.',
  },
  /** The toast of a button whose question was answered before. */
  answered: 'This was answered already.',
}

/** What is read before Start: at most 512 and 120 characters (Bot API). */
export const profile = {
  description:
    'Static proxies and dynamic traffic: buy, renew, test and manage them in this chat.\n\n• HTTP and SOCKS5, many countries\n• Delivered here within moments\n• Top up with USDT where your shop takes it\n\nPress Start, then log in with the account that you were given. 中文, русский.',
  short: 'Buy and manage static proxies and dynamic traffic. English, 中文, русский.',
}
