import { html, lines } from '../html.ts'

/** Agents in the operator's chats. */
export const agents = {
  buttons: {
    agents: '🤝 Agents',
    create: '➕ New agent',
    priceTerms: '🏷 What agents may charge',
    createNow: '✅ Create the agent',
    adjust: '💰 Adjust',
    level: '🏷 Price level',
    link: '🔑 New link',
    account: '👤 Orders, contact, log-ins',
    enable: '▶️ Enable',
    disable: '🚫 Disable',
    adjustNow: '✅ Adjust the balance',
    funding: '🏦 Money for sub-users',
    changeFunding: '✅ Change it',
    clear: '🧹 Take that money back',
  },
  title: (count: number) => html`🤝 <b>Agents</b>: ${count}`,
  none: html`🤝 <b>Agents</b>\n\nThere are none yet.`,
  button: (icon: string, username: string, balance: string) => `${icon} ${username} · ${balance}`,
  priceTerms: (limit: number, step: string) =>
    html`Their customers pay at most ${limit} times the shop’s price. Markups are rounded up to ${step}.`,
  askPriceTerms: (limit: number, step: string) =>
    html`🏷 <b>What agents may charge</b>\n\nTheir customers pay at most <b>${limit}</b> times the shop’s price. Prices already above it are lowered to it.\nPrices by a markup are rounded up to <b>${step}</b>.\n\nPress a button, or send a limit such as <code>2.5</code>, or both such as <code>2.5 0.05</code>.`,
  notTerms: 'Please send a limit from 1 to 101, such as 2.5, or both, such as 2.5 0.05.',
  agent: (username: string) => html`🤝 <b>${username}</b>`,
  states: {
    active: html`✅ Active`,
    disabled: html`🚫 Disabled: cannot log in; its sub-users are not affected`,
  },
  balance: (balance: string) => html`Balance: <b>${balance}</b>`,
  level: (level: number) => html`Price level: <b>${level}</b>`,
  funding: (funding: string) => html`Money for sub-users: ${funding}`,
  fundings: { transfer: 'from its own balance', mint: 'issued by the shop' },
  askDisable: (username: string, users: number) =>
    html`🚫 <b>Disable ${username}?</b>\n\nIt can no longer log in or order. Its ${users === 1 ? '1 sub-user is' : `${users} sub-users are`} not affected.`,
  askFunding: (username: string, mint: boolean) =>
    mint
      ? html`<b>Money for sub-users of ${username}</b>\n\nAt present, what they get comes from the balance of ${username}. From now on the shop issues it: ${username} can give any amount, and its own balance stays as it is.`
      : html`<b>Money for sub-users of ${username}</b>\n\nAt present, the shop issues what they get. From now on it comes from the balance of ${username}, and what is taken back goes to ${username}, including what they already have.`,
  deletedHaveMoney: html`⚠️ Not possible yet: deleted sub-users still have money that the shop issued, and it would then belong to the agent. Take it back first.`,
  users: (users: number, balance: string) => html`Sub-users: <b>${users}</b>, with ${balance} in total`,
  askNew: lines(
    html`➕ <b>New agent</b>`,
    '',
    html`Send the username, or several lines:`,
    html`<pre>username: somebody\nlevel: 1\nbalance: 100\nfunding: transfer</pre>`,
    html`Funding says where the money of its sub-users comes from: its own balance (<code>transfer</code>), or issued by the shop (<code>mint</code>). The agent sets the password with a link that you pass on.`,
  ),
  confirmNew: (typed: string) => html`<b>Create this agent?</b>\n\n<pre>${typed}</pre>`,
  created: html`✅ <b>The agent is created.</b>`,
  link: (link: string, until: string) =>
    html`🔑 Pass this link on: it opens the bot, logs in and lets the agent set a password. It works once, until ${until}.\n<code>${link}</code>`,
  askLevel: (username: string, level: number) =>
    html`Which price level should <b>${username}</b> and its sub-users have? It is now ${level}. Send a number.`,
  askAdjust: (username: string, balance: string) =>
    html`<b>${username}</b> has ${balance}. Send what to add or take away, and why: <code>100 bank transfer in May</code> or <code>-12.50 returned</code>.`,
  notAnAdjustment: 'Please send an amount and a reason, such as 100 bank transfer',
  confirmAdjust: (username: string, change: string, before: string, after: string, remark: string) =>
    html`<b>Adjust the balance of ${username}?</b>\n\n<b>${change}</b>: ${before} → ${after}\nReason: ${remark}`,
  adjusted: (balance: string) => html`✅ <b>Adjusted.</b> The balance is ${balance}.`,
  changed: '✅ Changed.',
  gone: 'This agent is no longer there.',
  unknownLine: (line: string) => `I do not understand “${line}”.`,
  labels: { username: 'username', level: 'level', balance: 'balance', funding: 'funding' },
}
