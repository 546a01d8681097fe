import { html, lines } from '../kit/html.ts'
import { buy } from '../topics/buy/texts.en.ts'
import { orders } from '../topics/orders/texts.en.ts'
import { extraction } from '../topics/traffic/extraction-texts.en.ts'
import { home } from '../topics/home/texts.en.ts'
import { records } from '../topics/records/texts.en.ts'
import { subAccounts } from '../topics/traffic/sub-account-texts.en.ts'
import { traffic } from '../topics/traffic/texts.en.ts'
import { input } from './en/input.ts'
import { invite } from '../topics/log-in/texts.en.ts'
import { password } from '../topics/settings/password-texts.en.ts'
import { notices } from '../notices/texts.en.ts'
import { operator } from '../topics/operator/texts.en.ts'
import { settings } from '../topics/settings/texts.en.ts'
import { trouble } from './en/trouble.ts'
import { topUps } from '../topics/top-ups/texts.en.ts'
import { users } from '../topics/users/texts.en.ts'

/** Everything the bot says, in English. Chinese has the same shape, so a missing text does not compile. */
export const en = {
  languageName: 'English',
  commands: {
    start: 'Start',
    menu: 'Main menu',
    buy: 'Buy static proxies',
    traffic: 'Dynamic traffic',
    proxies: 'My proxies',
    topup: 'Top up the balance',
    balance: 'Balance',
    records: 'Records',
    users: 'Sub-users',
    settings: 'Settings',
    login: 'Log in',
    logout: 'Log out',
    language: 'Language / 语言',
    help: 'Help',
    cancel: 'Stop what you are doing',
    operator: 'Run the shop',
    payments: 'Unmatched payments',
    broadcast: 'Write to many chats',
  },
  buttons: {
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
    otherNumber: '✏️ Other number',
    anyCity: '🌍 Any city',
    openOrder: '📦 Open the order',
    refresh: '🔄 Refresh',
    copy: (count: number) => (count === 1 ? '📋 Copy' : `📋 Copy these ${count}`),
    file: '📄 As .txt file',
    page: (page: number, pages: number) => `${page} / ${pages}`,
  },
  topUps,
  welcome: lines(
    html`<b>Proxies for your business</b>`,
    '',
    html`Buy static proxies and dynamic traffic, renew them and watch your balance, all in this chat.`,
    html`Log in with the username and password that you were given.`,
  ),
  home,
  traffic,
  extraction,
  subAccounts,
  records,
  language: html`<b>Language</b>`,
  logIn: {
    first: 'Please log in first.',
    already: (username: string) =>
      `You are logged in as ${username}. For another account, log out first: /logout`,
    username: html`<b>Log in</b>\n\nSend me your <b>username</b>.`,
    password: (username: string) =>
      html`<b>Log in</b>\n\nUsername: <b>${username}</b>\nNow send me your <b>password</b>. I delete your message at once.`,
    again: (problem: string) => html`<b>Log in</b>\n\n⚠️ ${problem}\n\nSend me your <b>username</b> again.`,
  },
  logOut: {
    ask: (username: string) =>
      html`Log <b>${username}</b> out of this chat?\n\nYour proxies and your balance stay as they are.`,
    done: 'You are logged out.',
  },
  sessionEnded: {
    account_disabled: 'Your account was disabled. Please ask whoever gave it to you.',
    account_not_activated:
      'Your account is not activated. Please open the link that was sent to you by e-mail.',
    user_not_found: 'Your account no longer exists.',
    token_invalid: 'Your password was changed. Please log in again.',
  },
  buy,
  orders,
  status: {
    processing: '⏳ Preparing',
    active: '✅ Active',
    partial: '⚠️ Partly delivered',
    failed: '❌ Failed, refunded',
    expired: '⌛ Expired',
    cancelled: '🚫 Cancelled',
  },
  notices,
  operator,
  settings,
  errors: {
    invalid_credentials: 'Wrong username or password.',
    account_disabled: 'This account is disabled. Whoever created it can enable it again.',
    account_not_activated:
      'This account is not activated yet. Please open the link that was sent to its e-mail address.',
    too_many_attempts: 'Too many attempts. Please wait some minutes.',
    insufficient_balance: 'The balance is too low.',
    out_of_stock: 'Somebody was faster: there are not enough left.',
    price_changed: 'The price has changed. Please check again.',
    order_not_found: 'This order does not exist.',
    product_not_found: 'This product is no longer sold.',
    agent_required: 'Only agents have sub-users.',
    sub_user_not_found: 'This user no longer exists.',
    not_direct_sub_user: 'This is not one of your sub-users.',
    username_taken: 'This username is taken.',
    balance_below_zero: 'The balance of this user is too low.',
    invalid_state: 'This is no longer possible.',
    traffic_exhausted: 'There is no traffic left. Please buy more.',
    traffic_not_available: 'There is not that much traffic left.',
    sub_account_not_found: 'This sub-account no longer exists.',
    order_processing: 'This order is still being prepared.',
    instance_not_found: 'This proxy does not exist.',
    duration_not_supported: 'It cannot be rented for that long.',
    location_not_supported_for_product: 'This product is no longer sold in this location.',
    project_required: 'This product needs a project.',
    project_not_allowed: 'This project is not possible.',
    invalid_cidr_blocks: 'These IP ranges are no longer available.',
    assigned_ip_unavailable: 'Some of these IPs are no longer available.',
    idempotency_conflict: 'This has already been done.',
    top_up_disabled: 'Top-ups are switched off at the moment.',
    unavailable: 'The service is busy. Please try again in a moment.',
    other: 'That did not work. Please try again.',
  },
  trouble,
  input,
  users,
  invite,
  password,
  textOnly: 'Please send it as a text message.',
  unknownCommand: 'I do not know this command.',
  useButtons: 'Please use the buttons, or one of the commands in the menu.',
  stale: 'That button was old; here is the current state.',
  /** A billing period, in a price per period. */
  per: {
    days: (count: number) => (count === 1 ? 'day' : `${count} days`),
    months: (count: number) => (count === 1 ? 'month' : `${count} months`),
  },
  term: {
    days: (count: number) => (count === 1 ? '1 day' : `${count} days`),
    months: (count: number) => (count === 1 ? '1 month' : `${count} months`),
  },
  /** A date and time as people write it. */
  dateTime: (date: Date) => `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
  date: (date: Date) => date.toISOString().slice(0, 10),
}

export type Texts = typeof en
