import { html } from '../html.ts'

export const support = {
  button: '💬 Support',
  contact: html`<b>Support</b>\n\nPress the button to write to us.`,
  nobody: html`<b>Support</b>\n\nPlease write to whoever gave you your account.`,
  list: (open: number) =>
    open === 0
      ? html`<b>Support</b>\n\nAll questions are answered.`
      : html`<b>Support</b>\n\nTickets waiting for an answer: <b>${open}</b>`,
  empty: html`<b>Support</b>\n\nAsk us anything: we answer here in the chat.`,
  none: html`<b>Tickets</b>\n\nNobody has asked anything yet.`,
  entry: (icon: string, what: string, who: string) => `${icon} ${[what, who].filter(Boolean).join(' · ')}`,
  icon: { open: '🟠', waiting: '🔵', closed: '✔️' },
  status: {
    open: '🟠 Waiting for support',
    waiting: '🔵 Answered',
    closed: '✔️ Closed',
  },
  /** What it is about: short, for a button. */
  topic: {
    order: (number: string) => `order ${number}`,
    proxy: (number: string) => `proxy ${number}`,
    traffic: (number: string) => `traffic ${number}`,
    top_up: (number: string) => `top-up ${number}`,
    money: (sum: string) => `short by ${sum}`,
  },
  general: 'question',
  title: (username: string) => html`🎫 <b>${username}</b>`,
  about: (topic: string) => html`About: ${topic}`,
  state: (status: string) => html`State: ${status}`,
  earlier: (count: number) => html`<i>… and ${count} earlier</i>`,
  who: { you: 'You', support: 'Support', agent: 'Agent', shop: 'Shop' },
  message: (who: string, time: string, text: string) => html`<b>${who}</b> <i>${time}</i>\n${text}`,
  file: { photo: '🖼 picture', document: '📎 file' },
  hint: html`<i>Write here, or send a picture or a file.</i>`,
  ask: html`<b>Support</b>\n\nWhat is it about? Write it in one message; you can also send a picture or a file. Passwords are never needed.`,
  askAbout: (topic: string) =>
    html`<b>Support</b>\n\nAbout: ${topic}\n\nWhat is wrong? Write it in one message; you can also send a picture or a file. Passwords are never needed.`,
  answer: (username: string) => html`Your answer to <b>${username}</b>:`,
  question: (username: string) => html`🎫 <b>${username} asks</b>`,
  answered: html`💬 <b>Support has answered</b>`,
  closed: html`✔️ <b>Support has closed your ticket</b>\nWrite again if you need anything else.`,
  sent: '✅ Sent.',
  replyHint: html`<i>Reply to this message to answer.</i>`,
  buttons: {
    ask: '✍️ Ask something',
    write: '✍️ Write',
    answer: '✍️ Answer',
    open: '🎫 Open ticket',
    close: '✔️ Close',
    matter: {
      order: '📦 The order',
      traffic: '📶 The traffic',
      proxy: '🌐 The proxy',
      top_up: '💳 The top-up',
    },
    subUser: '👤 The sub-user',
    passOn: '➡️ Pass on to the shop',
    takes: (on: boolean): string => (on ? '🔔 I answer my sub-users' : '🔕 The shop answers them'),
    tickets: (open: number) => (open === 0 ? '🎫 Tickets' : `🎫 Tickets: ${open}`),
  },
}
