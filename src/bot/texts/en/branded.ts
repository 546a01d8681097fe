import type { Branded } from '../branded.ts'
import { html, lines } from '../html.ts'

const proxies = (count: number) => (count === 1 ? '1 proxy' : `${count} proxies`)

/** What is worded differently in the bot of an agent: who sells there is the agent, and nobody stands behind it. */
export const branded: Branded = {
  profile: {
    description:
      'Static proxies and dynamic traffic: buy, renew, test and manage them in this chat.\n\n• HTTP and SOCKS5, many countries\n• Delivered here within moments\n\nPress Start: one more press, and you can buy.',
    short: 'Buy and manage static proxies and dynamic traffic.',
  },
  buy: {
    shortAsk: {
      agent: (missing) =>
        html`⚠️ Your balance is short by <b>${missing}</b>. Ask your seller for it, then continue right here.`,
    },
    ask: { agent: '🙋 Ask my seller' },
  },
  join: {
    loggedIn: (current) => html`You are logged in as <b>${current}</b>. This link registers a new account.`,
  },
  invite: {
    used: 'This link has already been used. If that was not you, please ask for a new one.',
    expired: 'This link has expired. Please ask for a new one.',
    unknown: 'This link is not valid. Please check that it is complete, or ask for a new one.',
  },
  notices: {
    proxies_ended: (count) =>
      html`⏹ <b>Your seller has ended ${proxies(count)}</b>\n${count === 1 ? 'It no longer works' : 'They no longer work'}. Nothing was refunded.`,
    replacement_declined: (before) =>
      html`✖️ <b>A proxy is not replaced</b>\nYour seller declined it for <code>${before}</code>.`,
    note: (note) => html`Your seller writes: ${note}`,
    addressFreed: (cidr, product) =>
      html`🛡 <b>${cidr} is no longer on your white list</b> of ${product}\nYour seller has taken it off. Clients there log in with username and password; you can add the address again.`,
    adjusted: { agent: () => 'Your seller', shop: 'Your seller' },
    moneyDeclined: (_agent, sum) => html`✖️ <b>Your seller will not give you the ${sum} you asked for</b>`,
  },
  orders: {
    replace: {
      ask: html`Your seller decides; I will tell you as soon as that is done.`,
      askNow: '📨 Ask my seller',
      requested: html`📨 <b>Your seller has been asked</b>\nI will tell you what is decided.`,
    },
  },
  proxies: {
    whatNote: (address, note) =>
      html`<b>Note</b>\n\nWhat do you call <code>${address}</code>? Only you and your seller see it.${note === '' ? '' : `\n\nNow: ${note}`}`,
  },
  records: { remarks: { adjusted_by_agent: 'Adjusted by the seller' } },
  support: { who: { agent: 'Support', shop: 'Support' } },
  topUps: {
    off: html`<b>Top up with USDT</b>\n\nUSDT is not taken here at the moment. Please ask your seller to top up your balance.`,
    requested: (_agent, missing) =>
      lines(
        html`🙋 <b>Your seller has been asked for ${missing}</b>`,
        '',
        html`As soon as the money is there, you can continue from this screen.`,
      ),
    askedInVain: () =>
      html`✖️ <b>Your seller</b> declined it a short while ago. You can ask again in a quarter of an hour.`,
    askYourself: (_agent, missing) =>
      html`🙋 You need <b>${missing}</b>. Please write to your seller yourself: I cannot reach them from here.`,
    offer: {
      claimed: ({ amount, from, time, asked }) =>
        lines(
          html`🙋 <b>You say that these ${amount} USDT are yours</b>; ${asked} was expected.`,
          html`From <code>${from}</code>`,
          html`Time: ${time}`,
          html`It is being checked, and you get a message when the money is credited.`,
        ),
      refused: html`✖️ The payment you claimed was checked: it does not belong to this top-up.`,
    },
    payment: {
      undecided: html`💸 <b>This payment has arrived</b>, but it fits none of your top-ups. If it is yours, write to support: it can still be credited.`,
      too_old: html`<b>This payment is too old</b>: it was made before USDT was taken here. Please write to support.`,
    },
  },
  extraction: {
    link: { unreachable: 'Links are not available here. Take the proxies as a file instead.' },
  },
}
