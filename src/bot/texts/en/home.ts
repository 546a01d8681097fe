import { html, lines } from '../html.ts'

export const welcomeTitle = html`<b>Proxies for your business</b>`

export const welcome = lines(
  welcomeTitle,
  '',
  html`Buy static proxies and dynamic traffic, renew them and watch your balance, all in this chat.`,
)

/** How strangers get in. */
export const logInWith = html`Log in with the username and password that you were given.`

/** The main menu, and what is reached from everywhere. */
export const home = {
  title: html`<b>Main menu</b>`,
  account: (username: string) => html`👤 ${username}`,
  balance: (balance: string) => html`💰 Balance: <b>${balance}</b>`,
  proxies: (active: number) => html`📦 Active proxies: <b>${active}</b>`,
  expiring: (count: number) => html`⏳ Expiring within 7 days: <b>${count}</b>`,
  traffic: (left: string, low: boolean) => html`📶 Traffic left: <b>${left}</b>${low ? ' ⚠️' : ''}`,
  subUsers: (count: number) => html`👥 Sub-users: <b>${count}</b>`,
  earnings: (earned: string) => html`💵 Earnings: <b>${earned}</b>`,
  noEarnings: html`💵 You earn nothing yet: set what your sub-users pay in “Prices”.`,
  buttons: {
    traffic: '📶 Traffic',
    topUp: '💳 Top up',
    records: '📒 Records',
    subUsers: '👥 Sub-users',
    dashboard: '📊 Dashboard',
    earnings: '💵 Earnings',
    prices: '🏷 Prices',
    settings: '⚙️ Settings',
  },
  /** What is under way, as buttons. */
  waiting: {
    topUp: '⏳ Open top-up',
    purchase: '🛒 Go on with the purchase',
    orders: (count: number) => (count === 1 ? '⏳ 1 order on its way' : `⏳ ${count} orders on their way`),
    tickets: (count: number) => (count === 1 ? '💬 1 open question' : `💬 ${count} open questions`),
  },
  /** One thing that is worth doing next. */
  next: {
    dead: (what: string) => html`${what}. See “My proxies” to replace what does not work.`,
    renew: (count: number, date: string) =>
      count === 1
        ? html`💡 A proxy expires on ${date}. Renew it in “My proxies” before it stops.`
        : html`💡 ${count} proxies expire soon, the first on ${date}. Renew them in “My proxies” before they stop.`,
    topUp: html`💡 Your balance is zero. Press “Top up” to add money.`,
    firstSubUser: html`💡 Create your first customer in “Sub-users”.`,
    firstOrder: html`💡 Press “Buy proxies” to get your first ones.`,
    traffic: html`💡 Your traffic is used up. Buy more in “Traffic”.`,
  },
  balanceScreen: (balance: string, recharged: string, spent: string) =>
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
    html`<b>Buy:</b> /buy, then choose product, location, term and quantity. You pay only when you press a button with ✅. With auto-renew on, renewals are paid from your balance automatically.`,
    html`<b>Traffic:</b> /traffic, for rotating and sticky proxies, paid by the GB.`,
    html`<b>Proxies:</b> /proxies, to see, renew, release or export what you have.`,
    html`<b>Use:</b> each line is <code>ip:port:username:password</code>, or as you choose in /settings, for HTTP and SOCKS5. Tap a line to copy it.`,
    html`<b>Money:</b> /balance, /topup, and every movement in /records.`,
    html`<b>Lost?</b> /menu takes you to the main menu from anywhere, /cancel stops what you are doing.`,
    html`<b>Questions?</b> Ask whoever gave you your account.`,
  ),
}
