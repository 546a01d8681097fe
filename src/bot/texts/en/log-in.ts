import { html } from '../html.ts'

export const logIn = {
  first: 'Please log in first.',
  username: html`<b>Log in</b>\n\nSend me your <b>username</b>.`,
  another: (current: string) =>
    html`<b>Log in to another account</b>\n\nYou stay logged in as ${current}, too.\n\nSend me the <b>username</b> of the other account.`,
  password: (username: string) =>
    html`<b>Log in</b>\n\nUsername: <b>${username}</b>\nNow send me your <b>password</b>. I delete your message at once.`,
  again: (username: string, problem: string) =>
    html`<b>Log in</b>\n\n⚠️ ${problem}\n\nUsername: <b>${username}</b>\nSend me your <b>password</b> again.`,
  otherUsername: '👤 Another username',
}

export const logOut = {
  ask: (username: string) =>
    html`Log <b>${username}</b> out of this chat?\n\nYour proxies and your balance stay as they are.`,
  all: (accounts: number) => `Log out of all ${accounts} accounts`,
  done: 'You are logged out.',
}

export const sessionEnded = {
  account_disabled: 'Your account was disabled. Please ask whoever gave it to you.',
  account_not_activated:
    'Your account is not activated. Please open the link that was sent to you by e-mail.',
  user_not_found: 'Your account no longer exists.',
  token_invalid: 'Your password was changed. Please log in again.',
}

/** What a stranger sees of the shop, and how to become a customer. */
export const window = {
  invites: (agent: string) => html`<b>${agent}</b> invites you.`,
  product: (name: string, places: string) => html`<b>${name}</b> ${places}`,
  priced: (name: string, price: string, places: string) => html`<b>${name}</b>: ${price} ${places}`,
  everywhere: 'Worldwide',
  trial: (trial: string) => html`🎁 You start with <b>${trial}</b>.`,
  closed: html`New customers cannot register here now.`,
  register: html`One press and you can buy: Telegram is your log-in, no password needed.`,
  registerAs: (username: string) => `✅ Register as ${username}`,
  registered: (username: string) => `Welcome, ${username}! Telegram logs you in.`,
  otherName: '✏️ Other name',
  logInTo: (username: string) => `➡️ Log in as ${username}`,
}

/** For newcomers who open an agent's registration link. */
export const join = {
  username: html`<b>Register</b>\n\nSend me the <b>username</b> that you want: 3 to 50 characters without spaces.`,
  loggedIn: (current: string, agent: string) =>
    html`You are logged in as <b>${current}</b>. This link registers a new account with <b>${agent}</b>.`,
  keep: (username: string) => `Stay ${username}`,
  register: '➕ New account',
  open: '📝 Register',
}

/** What strangers could buy. */
export const prices = {
  button: '🏷 Prices',
  title: html`<b>Prices</b>`,
  nothing: html`<b>Prices</b>\n\nNothing is for sale right now. Please come back later.`,
  product: (name: string, price: string) => html`<b>${name}</b>: ${price}`,
  from: (price: string) => `from ${price}`,
  places: (places: string) => html`${places}`,
  more: (count: number) => html`… and ${count} more`,
}

/** For whoever opens the link that an agent handed out. */
export const invite = {
  welcome: (username: string) =>
    html`<b>Welcome, ${username}!</b>\n\nYou are logged in. Now send me a <b>password of your own</b>: 6 to 50 characters. I delete your message at once.`,
  otherAccount: (current: string, invited: string) =>
    html`This invitation is for <b>${invited}</b>, but you are logged in as <b>${current}</b>.\n\nLog in as ${invited}, too? You can switch between both accounts.`,
  switch: 'Use the invitation',
  used: 'This link has already been used. If that was not you, please ask your agent for a new one.',
  expired: 'This link has expired. Please ask your agent for a new one.',
  unknown: 'This link is not valid. Please check that it is complete, or ask your agent for a new one.',
}
