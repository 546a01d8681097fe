import { html, lines } from '../html.ts'

/** Everything the bot says, in English. Chinese has the same shape, so a missing text does not compile. */
export const en = {
  languageName: 'English',
  commands: {
    start: 'Start',
    menu: 'Main menu',
    buy: 'Buy static proxies',
    proxies: 'My proxies',
    balance: 'Balance',
    login: 'Log in',
    logout: 'Log out',
    language: 'Language / 语言',
    help: 'Help',
    cancel: 'Stop what you are doing',
  },
  buttons: {
    home: '🏠 Menu',
    back: '‹ Back',
    cancel: 'Cancel',
    logIn: '🔑 Log in',
    logOut: 'Log out',
    buy: '🛒 Buy proxies',
    proxies: '📦 My proxies',
    balance: '💰 Balance',
    language: '🌐 Language',
    help: '❓ Help',
    confirm: (total: string) => `✅ Buy for ${total}`,
    otherNumber: '✏️ Another number',
    changeNumber: 'Change number',
    anyCity: '🌍 Any city',
    openOrder: '📦 Open the order',
    refresh: '🔄 Refresh',
    copy: (count: number) => (count === 1 ? '📋 Copy' : `📋 Copy these ${count}`),
    file: '📄 As .txt file',
    allAsFile: '📄 All as .txt file',
    page: (page: number, pages: number) => `${page} / ${pages}`,
  },
  welcome: lines(
    html`<b>Proxies for your business</b>`,
    '',
    html`Buy static proxies, see your orders and your balance: all in this chat.`,
    html`Log in with the username and password that your agent gave you.`,
  ),
  home: (username: string, balance: string) =>
    lines(html`<b>Main menu</b>`, '', html`👤 ${username}`, html`💰 ${balance}`),
  balance: (balance: string, recharged: string, spent: string) =>
    lines(
      html`<b>Balance</b>`,
      '',
      html`💰 <b>${balance}</b>`,
      html`Topped up in total: ${recharged}`,
      html`Spent in total: ${spent}`,
    ),
  help: lines(
    html`<b>Help</b>`,
    '',
    html`<b>Buy:</b> /buy, then choose product, place, term and number. You pay when you press the green button, never before.`,
    html`<b>Use:</b> each line is <code>ip:port:username:password</code>, for HTTP and SOCKS5. Tap a line to copy it.`,
    html`<b>Lost?</b> /menu brings you to the main menu from everywhere, /cancel stops what you are doing.`,
  ),
  language: html`<b>Language</b>`,
  logIn: {
    username: html`<b>Log in</b>\n\nSend me your <b>username</b>.`,
    password: (username: string) =>
      html`<b>Log in</b>\n\nUsername: <b>${username}</b>\nNow send me your <b>password</b>. I delete your message at once.`,
    again: (problem: string) => html`<b>Log in</b>\n\n⚠️ ${problem}\n\nSend me your <b>username</b> again.`,
  },
  logOut: {
    ask: (username: string) =>
      html`Log out <b>${username}</b> from this chat?\n\nYour proxies and your balance stay as they are.`,
    done: 'You are logged out.',
  },
  sessionEnded: {
    account_disabled: 'Your account was disabled. Please ask your agent.',
    account_not_activated:
      'Your account is not activated. Please open the link that was sent to you by e-mail.',
    user_not_found: 'Your account does not exist any more.',
    token_invalid: 'Your password was changed. Please log in again.',
  },
  buy: {
    title: html`<b>Buy static proxies</b>`,
    empty: html`<b>Buy static proxies</b>\n\nThere is nothing in stock right now. Please come back later.`,
    product: html`Which product?`,
    country: html`Which country?`,
    city: html`Which city?`,
    term: html`For how long?`,
    number: (stock: number, unitPrice: string) => html`How many? ${stock} in stock, ${unitPrice} each.`,
    typeNumber: (max: number) => html`How many proxies? Send me a number from 1 to ${max}.`,
    notANumber: (answer: string, max: number) => `“${answer}” is not a whole number from 1 to ${max}.`,
    tiers: (tiers: { from: number; price: string }[]) =>
      lines(
        html`<i>Cheaper in numbers:</i>`,
        ...tiers.map(({ from, price }) => html`from ${from}: ${price} each`),
      ),
    chosen: {
      product: (name: string) => html`Product: <b>${name}</b>`,
      place: (place: string) => html`Place: <b>${place}</b>`,
      term: (term: string) => html`Term: <b>${term}</b>`,
    },
    productButton: (name: string, price: string) => `${name} · ${price}`,
    placeButton: (place: string, stock: number) => `${place} · ${stock}`,
    confirm: (quote: {
      count: number
      unitPrice: string
      periods: number
      total: string
      balance: string
      after: string
    }) =>
      lines(
        html`Number: <b>${quote.count}</b>`,
        '',
        html`Price each: ${quote.unitPrice}${quote.periods > 1 ? ` × ${quote.periods} periods` : ''}`,
        html`Total: <b>${quote.total}</b>`,
        html`Your balance: ${quote.balance}`,
        html`Balance after: ${quote.after}`,
      ),
    nextTier: (from: number, price: string) => html`💡 From ${from} pieces on each costs ${price}.`,
    short: (missing: string) =>
      html`⚠️ Your balance is short by <b>${missing}</b>. Please ask your agent to top it up.`,
  },
  orders: {
    title: (total: number) => html`<b>My proxies</b>\n\nOrders: ${total}`,
    empty: html`<b>My proxies</b>\n\nYou have not bought any proxies yet.`,
    button: (status: string, product: string, count: number, date: string) =>
      `${status} ${product} · ${count} pcs · ${date}`,
    number: (orderNo: string) => html`Order <code>${orderNo}</code>`,
    status: (status: string) => html`<b>${status}</b>`,
    total: (total: string) => html`Total: <b>${total}</b>`,
    count: (delivered: number, ordered: number) =>
      delivered === ordered
        ? html`Proxies: <b>${ordered}</b>`
        : html`Proxies: <b>${delivered}</b> of ${ordered}`,
    refunded: (amount: string) => html`Refunded: <b>${amount}</b>`,
    expires: (date: string) => html`Valid until: <b>${date}</b>`,
    expired: (date: string) => html`Expired: <b>${date}</b>`,
    states: (active: number, expired: number, released: number) =>
      html`In use: <b>${active}</b> · expired: ${expired} · released: ${released}`,
    renewableUntil: (date: string) => html`Expired proxies can be renewed until ${date}.`,
    accepted: html`✅ <b>Order accepted and paid</b>`,
    preparing: html`Your proxies are being prepared. I send them to you here in a moment.`,
    fileCaption: (count: number) =>
      html`${count} proxies, one per line: <code>ip:port:username:password</code>`,
    noneActive: 'You have no active proxies.',
  },
  status: {
    processing: '⏳ In preparation',
    active: '✅ Active',
    partial: '⚠️ Partly delivered',
    failed: '❌ Failed, refunded',
    expired: '⌛ Expired',
    cancelled: '🚫 Cancelled',
  },
  notices: {
    order_ready: (count: number) => html`✅ <b>Your proxies are ready</b> (${count})`,
    order_partial: (delivered: number, ordered: number, refund: string) =>
      html`⚠️ <b>${delivered} of ${ordered} proxies are ready</b>\nThe others could not be delivered; ${refund} is back on the balance.`,
    order_failed: (refund: string) =>
      html`❌ <b>The order could not be delivered</b>\n${refund} is back on the balance. Please choose another place or try later.`,
    forUser: (username: string) => html`For <b>${username}</b>`,
  },
  errors: {
    invalid_credentials: 'Wrong username or password.',
    account_disabled: 'This account is disabled. Please ask your agent.',
    account_not_activated:
      'This account is not activated yet. Please open the link that was sent to its e-mail address.',
    too_many_attempts: 'Too many attempts. Please wait some minutes.',
    insufficient_balance: 'Your balance does not suffice.',
    out_of_stock: 'Somebody was faster: there are not that many left.',
    price_changed: 'The price has changed. Please check again.',
    order_not_found: 'This order does not exist.',
    product_not_found: 'This product is not sold any more.',
    unavailable: 'The service is busy. Please try again in a moment.',
    other: 'That did not work. Please try again.',
  },
  crashed: (reference: string) =>
    html`Something went wrong on our side. Please try again.\n\nReference: <code>${reference}</code>`,
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
