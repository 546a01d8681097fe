import { html } from '../html.ts'

/** An agent's own bots. */
export const ownBots = {
  button: '🤖 My bot',
  suggestedName: (agent: string) => `${agent} proxies`,
  title: html`🤖 <b>My bot</b>`,
  about: html`A bot of your own sells under your name: your customers see your prices, your picture and your support, and nothing else. Whoever starts it becomes your sub-user.`,
  howToMake: html`Press the button: Telegram makes the bot, and it answers within seconds. Do you have a bot already? Send its token.`,
  howToPaste: html`Make a bot with @BotFather, then send its token here.`,
  full: (most: number) => (most === 1 ? html`You may have one bot.` : html`You may have ${most} bots.`),
  buttons: {
    make: '➕ Make a bot',
    paste: '🔑 I have a token',
    open: '▶️ Open the bot',
    name: '✏️ Name',
    picture: '🖼 Picture',
    welcome: '👋 Welcome',
    support: '💬 Support',
    languages: '🌐 Languages',
    pause: '⏸ Pause',
    resume: '▶️ Go on',
    remove: '🗑 Remove',
    confirm: '✅ Confirm in the bot',
    takeOver: '✅ Take it over',
    none: '🗑 Remove this text',
  },
  states: {
    pending: 'Waits until you open it',
    active: 'Works',
    paused: 'Paused',
    halted: 'Stopped by the shop. Please ask support.',
    suspended: 'Stopped: it has another owner in Telegram. If that is right, press Go on.',
    unauthorized: 'Stopped: Telegram does not accept its token. Make a new token in @BotFather and send it.',
    conflict: 'Stopped: another program receives its messages. Switch that program off, then press Go on.',
    removed: 'Removed',
  },
  byOperator: html`The shop did this. Please ask support.`,
  welcome: (text: string) => (text === '' ? html`👋 No welcome text` : html`👋 ${text}`),
  support: (address: string) => (address === '' ? html`💬 Support: tickets` : html`💬 Support: ${address}`),
  languages: (names: string) => html`🌐 ${names}`,
  ask: {
    name: (now: string) => html`The name is now <b>${now}</b>. Send the new one, at most 64 characters.`,
    welcome: (now: string) =>
      now === ''
        ? html`Send the text that newcomers read first, at most 500 characters.`
        : html`The welcome text is now:\n<i>${now}</i>\n\nSend the new one, at most 500 characters.`,
    support: (now: string) =>
      now === ''
        ? html`Where do your customers get help? Send a username such as @name, or an address. Without it, they write tickets.`
        : html`Support is at ${now}. Send another username or address.`,
  },
  askPicture: html`Send the picture as a photo.`,
  askLanguages: html`🌐 Which languages may your customers choose?`,
  askRemove: (username: string) =>
    html`Remove @${username} here? It stops answering. Your customers keep their accounts, and go on in the shop’s bot.`,
  askToken: html`Send the token that @BotFather gave you. Your message is deleted at once.`,
  otherProgram: (host: string) =>
    html`⚠️ The program at <b>${host}</b> receives this bot’s messages now. If you take the bot over, that program gets none any more.`,
  notAToken: 'That is no token. It looks like 123456789:AAE…',
  unknownToken: 'Telegram does not know this token.',
  notAnAddress: 'Send a username such as @name, or an address that begins with https://',
  notAPicture: 'Send the picture as a photo: JPG, not a file.',
  pictureSet: html`✅ The picture is set.`,
  openIt: (username: string) =>
    html`One step is left: open @${username} with this button and press Start. That shows that the bot is yours.`,
  opened: (name: string) => `${name} works now. Whoever starts it becomes your sub-user.`,
  enter: (name: string) =>
    html`<b>${name}</b> is your seller’s own bot. Open it: you are logged in there at once, with the same account and balance.`,
  /** All bots of agents, in the operator's chats. */
  all: {
    button: '🤖 Bots of agents',
    title: (count: number) => html`🤖 <b>Bots of agents</b>: ${count}`,
    none: html`🤖 <b>Bots of agents</b>\n\nNo agent has a bot yet. Agents make one with <i>My bot</i> in their main menu.`,
    counted: (sign: string, state: string, count: number) => html`${sign} ${state}: <b>${count}</b>`,
    row: (sign: string, name: string, agent: string) => `${sign} ${name} · ${agent}`,
    /** On a message about one bot. */
    open: '🤖 The bot',
    agent: (agent: string) => html`Agent: <b>${agent}</b>`,
    openAgent: '🤝 The agent',
    ids: (id: number, owner: number) =>
      html`Id at Telegram: <code>${String(id)}</code>\nOwner at Telegram: <code>${String(owner)}</code>`,
    managed: html`Made by the shop’s bot, which can read its token again`,
    pasted: html`Its owner has sent the token`,
    since: (time: string) => html`Since ${time}`,
    created: (time: string) => html`Added on ${time}`,
    agentOut: html`⚠️ Its agent is disabled: the bot does not run until the agent is enabled again.`,
    askRemove: (username: string, agent: string) =>
      html`🗑 <b>Remove @${username} of ${agent}?</b>\n\nIt stops answering, and its agent is told. Its customers keep their accounts and go on in the shop’s bot. To keep the agent from using it here again, pause it instead.`,
    gone: 'This bot is no longer there.',
    states: {
      pending: 'Waits until its owner opens it',
      active: 'Works',
      paused: 'Paused by its agent',
      halted: 'Paused by the shop: only you can let it go on',
      suspended: 'Stopped: it has another owner at Telegram. Its agent is asked whether that is right.',
      unauthorized: 'Stopped: Telegram refuses its token. Its agent has to send a new one.',
      conflict: 'Stopped: another program receives its messages. Its agent has to switch that program off.',
      removed: 'Removed',
    },
    short: {
      pending: 'not opened yet',
      active: 'work',
      paused: 'paused by their agents',
      halted: 'paused by the shop',
      suspended: 'with another owner',
      unauthorized: 'with a refused token',
      conflict: 'with another program',
      removed: 'removed',
    },
  },
}
