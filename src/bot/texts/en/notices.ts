import { html, lines } from '../html.ts'

const proxies = (count: number) => (count === 1 ? '1 proxy' : `${count} proxies`)

/** What people are told without having asked. */
export const notices = {
  buttons: {
    keep: '👌 Got it',
    close: '✖️ Close',
    topUp: '💳 Top up',
    topUpDetails: '🧾 Open the top-up',
    buyTraffic: '📶 Buy more traffic',
    users: '👥 Sub-users',
    user: (username: string) => `👤 ${username}`,
  },
  order_ready: (count: number) => html`✅ <b>Your proxies are ready</b> (${count})`,
  order_partial: (delivered: number, ordered: number, refund: string) =>
    html`⚠️ <b>${delivered} of ${ordered} proxies are ready</b>\nThe others could not be delivered; ${refund} was returned to the balance.`,
  order_failed: (refund: string) =>
    html`❌ <b>The order could not be delivered</b>\n${refund} was returned to the balance. Please try another location, or try again later.`,
  /** Why proxies are missing. */
  notWorking: (count: number) =>
    html`${proxies(count)} did not work when I tested ${count === 1 ? 'it' : 'them'} before the delivery.`,
  order_delayed: (count: number) =>
    html`⏱ <b>Your order takes longer than usual</b> (${proxies(count)})\nThe supplier has not answered yet. I will tell you as soon as it is ready; what cannot be delivered is refunded.`,
  forUser: (username: string) => html`For <b>${username}</b>`,
  renewal_done: (count: number, paid: string, balance: string, automatic: boolean) =>
    lines(
      html`🔄 <b>${proxies(count)} renewed${automatic ? ' automatically' : ''}</b>`,
      html`Paid: ${paid} · balance: ${balance}`,
    ),
  renewal_refused: (count: number, refund: string, automatic: boolean) =>
    lines(
      html`⚠️ <b>${proxies(count)} could not be renewed</b>`,
      html`The supplier refused; <b>${refund}</b> was returned to the balance.${automatic ? ` I try again until ${count === 1 ? 'it expires' : 'they expire'}.` : ''}`,
    ),
  proxies_ended: (count: number) =>
    html`⏹ <b>The shop has ended ${proxies(count)}</b>\n${count === 1 ? 'It no longer works' : 'They no longer work'}. Nothing was refunded.`,
  reason: (reason: string) => html`Reason: ${reason}`,
  credentials: (changed: boolean) =>
    changed
      ? html`🔑 <b>A proxy has a new password</b>\nThe old one no longer works.`
      : html`⚠️ <b>The password could not be changed</b>\nThe supplier refused; the old one still works.`,
  renewal_failed: (count: number, reason: string) =>
    lines(
      html`⚠️ <b>${proxies(count)} could not be renewed automatically</b>`,
      html`${reason} I try again every few minutes until ${count === 1 ? 'it expires' : 'they expire'}.`,
    ),
  short: (missing: string) => `The balance is short by ${missing}.`,
  expiring_72h: (count: number) =>
    html`⏳ <b>${proxies(count)} ${count === 1 ? 'expires' : 'expire'} in 3 days</b>`,
  expiring_24h: (count: number) =>
    html`⏳ <b>${proxies(count)} ${count === 1 ? 'expires' : 'expire'} within 24 hours</b>`,
  wouldRenew: (missing: string) => html`Auto-renew is on, but your balance is short by <b>${missing}</b>.`,
  expired: (count: number, until: string) =>
    lines(
      html`⌛ <b>${proxies(count)} ${count === 1 ? 'has' : 'have'} expired</b>`,
      html`You can still renew ${count === 1 ? 'it' : 'them'} until ${until}.`,
    ),
  proxy_dead: (address: string, since: string) =>
    html`🔴 <b>A proxy is dead</b>\n<code>${address}</code> has failed all tests since ${since}.`,
  deadRenews: (end: string) =>
    html`Auto-renew is on for it: it is renewed before ${end} all the same. Replace it, or switch that off.`,
  replacement_done: (before: string, now: string) =>
    html`✅ <b>A proxy was replaced</b>\n<code>${before}</code> is now <code>${now}</code>. Username and password are in the proxy.`,
  replacement_refunded: (before: string, refund: string) =>
    html`↩️ <b>A proxy was released</b>\nThere was no equivalent for <code>${before}</code>; ${refund} was returned to the balance.`,
  replacement_declined: (before: string) =>
    html`✖️ <b>A proxy is not replaced</b>\nThe shop declined it for <code>${before}</code>.`,
  note: (note: string) => html`The shop writes: ${note}`,
  traffic_80: html`📶 <b>80% of your traffic is used</b>`,
  traffic_100: html`🚫 <b>Your traffic is used up</b>`,
  traffic: (used: string, total: string) => html`Used: <b>${used}</b> of ${total}`,
  low_balance: (balance: string, needed: string, until: string) =>
    lines(
      html`💰 <b>Your balance is running low</b>`,
      html`Balance: <b>${balance}</b>. Renewals due in the next 7 days cost <b>${needed}</b>; it covers them until ${until}.`,
    ),
  addressFreed: (cidr: string, product: string) =>
    html`🛡 <b>${cidr} is no longer on your white list</b> of ${product}\nThe shop has taken it off. Clients there log in with username and password; you can add the address again.`,
  adjusted: {
    agent: (username: string) => (username === '' ? 'Your agent' : `Your agent ${username}`),
    shop: 'The shop',
    added: (who: string, sum: string) => html`💰 <b>${who} has added ${sum} to your balance</b>`,
    taken: (who: string, sum: string) => html`💰 <b>${who} has taken ${sum} from your balance</b>`,
    cause: {
      traffic: (orderNo: string) => html`Traffic was bought for you: order <code>${orderNo}</code>`,
      renewal: (orderNo: string) => html`Your proxies were renewed: order <code>${orderNo}</code>`,
      release: (orderNo: string) => html`Your proxies were released: order <code>${orderNo}</code>`,
    },
  },
  returned: (username: string, sum: string) =>
    html`💰 <b>${sum} of ${username}, who was deleted, is back in your balance</b>`,
  /** @param agent null: the shop */
  moneyDeclined: (agent: string | null, sum: string) =>
    html`✖️ <b>${agent === null ? 'The shop' : `Your agent ${agent}`} will not give you the ${sum} you asked for</b>`,
  moneyWanted: (username: string, missing: string) =>
    html`🙋 <b>${username} asks you for money</b>\nThe balance is short by <b>${missing}</b>.`,
  payout: {
    paid: (sum: string) => html`💸 <b>Your payout of ${sum} was sent</b>`,
    refused: (sum: string) =>
      html`⚠️ <b>Your payout of ${sum} was refused</b>\nThe amount is available again.`,
    number: (payoutNo: string) => html`Payout <code>${payoutNo}</code>`,
    sent: (usdt: string, address: string, txid: string) =>
      html`<b>${usdt} USDT</b> to <code>${address}</code>\nTransaction: <code>${txid}</code>`,
    reason: (reason: string) => html`Reason: ${reason}`,
  },
  top_up_paid: html`✅ <b>Your top-up has arrived</b>`,
  top_up_late: html`✅ <b>Your late payment has arrived and is credited</b>`,
  assigned: html`We matched it to this top-up by hand.`,
  received: (usdt: string, credited: string) =>
    html`Received: <b>${usdt} USDT</b> · credited: <b>${credited}</b>`,
  balance: (balance: string) => html`Your balance: <b>${balance}</b>`,
  top_up_expired: html`⌛ <b>Your top-up has expired</b>\nPlease do not pay it any more. If you have already sent the exact amount, it will still be credited when it arrives.`,
  topUpNo: (orderNo: string) => html`Top-up <code>${orderNo}</code>`,
  /** What an agent is told about its sub-users: a heading, then a line each. */
  digest: {
    title: {
      order_ready: 'Orders of your sub-users are ready',
      order_partial: 'Orders of your sub-users were partly delivered',
      order_failed: 'Orders of your sub-users could not be delivered',
      renewal_done: 'Renewed for your sub-users',
      renewal_failed: 'Could not be renewed for your sub-users',
      credentials_changed: 'New passwords for proxies of your sub-users',
      expiring_72h: 'Proxies of your sub-users expire in 3 days',
      expiring_24h: 'Proxies of your sub-users expire within 24 hours',
      expired: 'Proxies of your sub-users have expired',
      proxy_dead: 'Proxies of your sub-users are dead',
      replacement_ended: 'Replacements for your sub-users',
      traffic_80: 'Sub-users have used 80% of their traffic',
      traffic_100: 'Sub-users have used up their traffic',
      balance_adjusted: 'The shop has changed balances of your sub-users',
      low_balance: 'The balance of your sub-users is running low',
      sub_user_joined: 'New sub-users by your registration links',
      top_up_paid: 'Your sub-users have topped up',
      top_up_late: 'Late top-ups of your sub-users have arrived',
      top_up_expired: 'Top-ups of your sub-users have expired',
    },
    heading: (title: string, count: number) => html`👥 <b>${title}</b>${count > 1 ? ` (${count})` : ''}`,
    line: (username: string, detail: string) => html`• <b>${username}</b>: ${detail}`,
    more: (count: number) => html`… and ${count} more`,
    topUp: (orderNo: string) => `top-up ${orderNo}`,
    proxies: (count: number, orderNo: string) => `${proxies(count)}, order ${orderNo}`,
    partly: (delivered: number, ordered: number, orderNo: string) =>
      `${delivered} of ${proxies(ordered)}, order ${orderNo}`,
    proxy: (address: string, orderNo: string) => `${address}, order ${orderNo}`,
    refunded: (refund: string, orderNo: string) => `${refund} refunded, order ${orderNo}`,
    shortBy: (missing: string) => `short by ${missing}`,
    adjusted: (change: string, balance: string) => `${change}, balance ${balance}`,
    joined: (trial: string | undefined, missing: string | undefined) =>
      missing
        ? `registered without the start balance of ${missing}: your balance is too low`
        : trial
          ? `registered, start balance ${trial}`
          : 'registered',
    traffic: (product: string, used: string, total: string) => `${product}, ${used} / ${total}`,
    needs: (balance: string, needed: string) => `${balance}, renewals cost ${needed}`,
  },
}
