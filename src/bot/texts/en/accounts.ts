import { type Html, html, lines } from '../html.ts'

/** The accounts that are logged in at one chat. */
export const accounts = {
  list: (count: number) =>
    lines(
      html`<b>Accounts</b>`,
      '',
      count === 1
        ? html`You can log in to more than one account here and switch with one press.`
        : html`You are logged in to ${count} accounts here. Tap one to switch to it; you get the notices of all of them.`,
    ),
  now: (username: string) => `You are now ${username}.`,
  /** Shown when a button of another account was pressed. */
  ofOther: (username: string) =>
    html`This button belongs to your account <b>${username}</b>.\n\nSwitch to it and go on?`,
  notLoggedIn: 'This button belongs to an account that is not logged in here.',
  buttons: {
    settings: '👤 Accounts',
    add: '➕ Another account',
    switch: (username: string) => `👤 ${username}`,
    goOn: (username: string) => `👤 Go on as ${username}`,
    all: '👤 Switch account',
  },
  /** Line above a notice in a chat with several accounts. */
  of: (username: string) => html`👤 <b>${username}</b>`,
  /** A notice: the account was moved to another agent, or to the shop where it is null. */
  agentChanged: {
    title: (username: string, agent: string | null) =>
      lines(
        html`🔀 <b>${username} has a new agent</b>`,
        agent === null ? html`You now buy from the shop directly.` : html`Your agent is now <b>${agent}</b>.`,
        '',
        html`Your balance, orders and proxies stay as they are.`,
      ),
    ended: html`What your previous agent may know or have made no longer works. Set up again what you need:`,
    kinds: {
      password: () =>
        html`• Password: you are logged out. Ask for a log-in link, then choose your own password.`,
      gateway_password: () => html`• Traffic: passwords have changed. Get your connection details again.`,
      proxy_link: (count: number) => html`• Links to proxies: ${count}`,
      extraction_link: (count: number) => html`• Links to traffic: ${count}`,
      allowed_address: (count: number) => html`• White-listed addresses: ${count}`,
      api_key: (count: number) => html`• API keys: ${count}`,
      webhook: (count: number) => html`• Webhooks: ${count}`,
    } satisfies Record<string, (count: number) => Html>,
  },
}

/** The chats in which one account is logged in. */
export const devices = {
  title: html`<b>Devices</b>\n\nYour account is logged in at these Telegram accounts:`,
  chat: (id: number) => `Chat ${id}`,
  device: (name: string, telegramName: string | null, isHere: boolean) =>
    html`📱 <b>${name}</b>${telegramName === null ? '' : ` @${telegramName}`}${isHere ? ' (this one)' : ''}`,
  times: (since: string, used: string) => html`     since ${since}, last used ${used}`,
  more: (count: number) => html`… and ${count} more`,
  hint: html`You do not recognize one of them? Log it out, then change your password.`,
  buttons: {
    settings: '📱 Devices',
    logOut: (name: string) => `✖️ ${name}`,
    others: '🚪 Log out all others',
    othersConfirmed: 'Log out all others',
  },
  askOthers: (username: string) =>
    html`Log <b>${username}</b> out everywhere but here?\n\nAll other chats, access tokens of programs and open invitations end at once. API keys and your password stay.`,
  othersEnded: 'You are logged out everywhere else.',
  /** A notice to the other chats of the account. */
  newLogIn: (username: string, person: string, at: string) =>
    lines(
      html`🔐 <b>New log-in to ${username}</b>`,
      html`${person}, ${at}`,
      '',
      html`Was that not you? Log it out under Devices and change your password.`,
    ),
}
