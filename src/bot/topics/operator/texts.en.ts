import type { Broadcast } from '../../../core/broadcasts/broadcast.ts'
import type { DayFigures } from '../../../core/notices/kinds.ts'
import { html, type Html, lines } from '../../kit/html.ts'

const proxies = (count: number) => (count === 1 ? '1 proxy' : `${count} proxies`)

/** What the operator's chats show. */
export const operator = {
  buttons: {
    payments: (count: number) => `💸 Unmatched payments${count > 0 ? ` (${count})` : ''}`,
    broadcast: '📣 Broadcast',
    figures: '📊 Today so far',
    operator: '🛠 Operator',
    assign: '✅ Assign to a top-up',
    assignNow: (credit: string) => `✅ Credit ${credit}`,
    ignore: 'Ignore',
    ignoreNow: 'Ignore this payment',
    refund: 'Refunded by hand',
    replacements: (count: number) => `♻️ Replacements${count > 0 ? ` (${count})` : ''}`,
    allow: '✅ Allow',
    decline: '✖️ Decline',
    withoutReason: 'Without a reason',
    refundRest: '↩️ Refund the rest',
    send: (chats: number) => (chats === 1 ? '📣 Send to 1 chat' : `📣 Send to ${chats} chats`),
    stop: 'Stop sending',
  },
  home: lines(
    html`<b>Operator</b>`,
    '',
    html`This chat receives payments that fit no top-up, trouble with the chain or the books, low stock and the daily figures.`,
  ),
  chatId: (id: number, known: boolean) =>
    known
      ? html`This is an operator chat. Its id: <code>${id}</code>`
      : html`Id of this chat: <code>${id}</code>\nTo make it an operator chat, add the id to <code>OPERATOR_CHAT_IDS</code> and restart the service.`,
  inGroups: html`<i>In a group, send it as a reply to this message.</i>`,
  figures: {
    ofDay: (day: string) => html`📊 <b>${day}</b> (UTC)`,
    orders: ({ staticOrders, dynamicOrders }: DayFigures) =>
      html`Orders: <b>${staticOrders + dynamicOrders}</b> (static ${staticOrders}, traffic ${dynamicOrders})`,
    money: (revenue: string, refunds: string) => html`Revenue: <b>${revenue}</b> · refunds: ${refunds}`,
    topUps: (count: number, sum: string) => html`USDT top-ups: <b>${count}</b> (${sum})`,
    users: (count: number) => html`New users: <b>${count}</b>`,
    jobs: (count: number) => html`⚠️ Background jobs that keep failing: <b>${count}</b>`,
    job: (id: number, kind: string, reason: string) => html`• #${id} <code>${kind}</code>: ${reason}`,
    jobsCommand: html`Details: <code>npm run operator -- jobs list --failing</code>`,
    stock: html`Stock:`,
    product: (name: string, free: number, resting: number) =>
      resting > 0
        ? html`• ${name}: <b>${free}</b> (and ${resting} that wait for other credentials)`
        : html`• ${name}: <b>${free}</b>`,
    resting: (name: string, resting: number) => html`• ${name}: <b>${resting}</b>`,
    more: (count: number) => html`… and ${count} more products`,
  },
  notices: {
    account_credited_anyway: (username: string, credited: string, orderNo: string) =>
      html`ℹ️ <b>A disabled account has topped up</b>\n${username} got ${credited} for top-up <code>${orderNo}</code>: the money belongs to it.`,
    money_wanted: (username: string, missing: string) =>
      html`🙋 <b>${username} asks for money</b>\nThe balance is short by ${missing}. Give it with <code>npm run operator -- balance ${username} AMOUNT --remark TEXT</code>`,
    chain_stale: (since: string | undefined, reason: string) =>
      html`🔴 <b>The chain cannot be read</b>\n${since === undefined ? 'It has never been read so far.' : `Last read: ${since}.`} Payments will be credited as soon as it can be read again.\n${reason}`,
    chain_back: (since: string) =>
      html`🟢 <b>The chain can be read again</b>\nIt could not be read since ${since}. Payments from that time are being credited now.`,
    chain_bad_key: html`🔴 <b>The chain's provider refuses the API key</b>\nPlease check <code>TRON_API_KEY</code>.`,
    top_up_slots_low: (amount: string, free: number) =>
      free > 0
        ? html`⚠️ <b>Few amounts are left around ${amount} USDT</b>\nTop-ups that can still be opened there: ${free}. After that people have to choose another amount, until some are paid or expire.`
        : html`🔴 <b>No amount is left around ${amount} USDT</b>\nPeople have to choose another amount, until some top-ups there are paid or expire.`,
    reconciliation_mismatch: (chain: string, books: string, since: string) =>
      html`🔴 <b>The wallet does not hold what the books say</b>\nOn the chain: ${chain} USDT\nIn the books: ${books} USDT\nThey last agreed at ${since}.`,
    books_wrong: (count: number) =>
      html`🔴 <b>The books are wrong</b>: ${count === 1 ? '1 difference' : `${count} differences`}`,
    example: (text: string) => html`• ${text}`,
    stock_resting: html`⚠️ <b>Proxies wait for other credentials</b>\nCustomers have had those that they have, so they are not sold. Change them where you buy the proxies, and then here.`,
    resting_command: html`A list to be completed: <code>npm run operator -- stock resting</code>`,
    stock_low: (name: string, free: number) =>
      free === 0 ? html`🔴 <b>${name} is sold out</b>` : html`⚠️ <b>${name} is running out</b>: ${free} left`,
    supplier_incident: (supplier: string, failing: number, checked: number) =>
      html`🔴 <b>Many proxies of ${supplier} fail at once</b>: ${failing} of ${checked}\nNone of them is called dead until it is over.`,
    /** Which request to a supplier a notice is about. */
    call: (callNo: string, orderNo: string) =>
      callNo === orderNo
        ? html`Order <code>${orderNo}</code>`
        : html`Call <code>${callNo}</code> for order <code>${orderNo}</code>`,
    supplier_in_doubt: (supplier: string, call: Html, count: number, cost: string) =>
      html`🔴 <b>It is not known whether ${supplier} has carried out a request</b>\n${call}: ${proxies(count)}, about ${cost}\nPlease look it up at the supplier, and enter what you find: <code>npm run operator -- supplier resolve</code>`,
    supplier_price_changed: (supplier: string, call: Html, expected: string, charged: string) =>
      html`⚠️ <b>${supplier} charged more than it had said</b>\n${call}: ${charged} instead of ${expected}\nThe offer is paused until you resume it.`,
    supplier_extra: (supplier: string, call: Html, ordered: number, extra: number) =>
      html`⚠️ <b>${supplier} opened proxies that nobody gets</b>\n${call}: ${proxies(extra)} too many or in use already, ${ordered} ordered`,
    supplier_short_term: (supplier: string, call: Html, until: string, bought: string) =>
      html`⚠️ <b>Proxies of ${supplier} end too early</b>\n${call}: ${until} instead of ${bought}`,
    disk_low: (full: boolean, megabytes: number, percent: number) =>
      full
        ? html`🔴 <b>The disk of the server is full</b> (${megabytes} MB left)\nNothing can be bought, credited or changed until there is room. What was accepted is safe.`
        : html`⚠️ <b>The disk of the server is nearly full</b>: ${megabytes} MB (${percent} %) left\nWhen it is full, nothing can be bought, credited or changed. Please make room.`,
    stock_low_in: (name: string, place: string, free: number) =>
      free === 0
        ? html`🔴 <b>${name} is sold out in ${place}</b>`
        : html`⚠️ <b>${name} is running out in ${place}</b>: ${free} left`,
  },
  replacements: {
    title: (count: number) => html`<b>Replacements to decide</b>: ${count}`,
    none: html`<b>Replacements to decide</b>\n\nThere are none.`,
    wanted: (username: string) => html`♻️ <b>${username} wants another proxy</b>`,
    proxy: (address: string, product: string) => html`Proxy: <code>${address}</code> (${product})`,
    reason: (reason: string) => html`Reason: ${reason}`,
    ground: {
      dead: html`Our checks say that it is dead.`,
      young: html`It was delivered within the last 24 hours.`,
      none: html`Our checks do not say that it is dead.`,
    },
    gone: 'This has already been decided.',
    noneFree: html`⚠️ There is no equal proxy.`,
    whyNot: html`Why not? Send me a reason, which the customer reads.`,
    results: {
      done: html`✅ The proxy is replaced, and the customer is told.`,
      processing: html`⏳ Another proxy is being bought.`,
      refunded: html`↩️ The rest of the term is refunded, and the customer is told.`,
      declined: html`✖️ Declined, and the customer is told.`,
    },
  },
  payments: {
    title: (count: number) => html`<b>Unmatched payments</b>: ${count}`,
    none: html`<b>Unmatched payments</b>\n\nThere are none.`,
    arrived: (usdt: string) => html`💸 <b>${usdt} USDT arrived and fits no top-up</b>`,
    why: {
      no_order: html`No open top-up asks for this amount.`,
      duplicate_payment: html`Its top-up has been paid already.`,
      user_deleted: html`The account of its top-up was deleted.`,
      not_creditable: html`Its top-up can no longer be credited automatically.`,
      absurd_amount: html`Nobody has that much: probably a forged transfer.`,
    },
    facts: (from: string, time: string) => lines(html`From: <code>${from}</code>`, html`Time: ${time}`),
    txid: (txid: string) => html`Transaction: <code>${txid}</code>`,
    near: html`Possibly meant for:`,
    nearTopUp: (orderNo: string, username: string, amount: string, status: string) =>
      html`${status} <code>${orderNo}</code>: ${username}, ${amount} USDT`,
    nearButton: (status: string, username: string, amount: string) =>
      `${status} ${username} · ${amount} USDT`,
    button: (usdt: string, date: string) => `${usdt} USDT · ${date}`,
    gone: 'This payment has already been settled.',
    whichTopUp: (near: boolean) =>
      near
        ? html`Which top-up does it pay? Press it, or send me the number of another one.`
        : html`Send me the number of the top-up that it pays.`,
    noTopUp: 'There is no top-up with this number.',
    confirm: ({ username, orderNo, asked, received, credit }: Record<string, string>) =>
      lines(
        html`<b>Assign the payment?</b>`,
        '',
        html`Top-up: <code>${orderNo ?? ''}</code>`,
        html`User: <b>${username ?? ''}</b>`,
        html`Asked for: ${asked ?? ''} USDT`,
        html`Received: ${received ?? ''} USDT`,
        html`Will be credited: <b>${credit ?? ''}</b>`,
      ),
    assigned: (credit: string, username: string) =>
      html`✅ <b>${credit}</b> credited to <b>${username}</b>. The user is told.`,
    ignore: html`<b>Ignore this payment?</b>\n\nNobody is credited, and it disappears from the list.`,
    ignored: html`The payment is ignored.`,
    refundNote: html`<b>Refunded by hand</b>\n\nSend the money back from your wallet first. Then send me a note about it, such as the transaction of the refund; with it the payment disappears from the list.`,
    refunded: html`✅ The refund is noted.`,
  },
  broadcast: {
    title: html`<b>Broadcast</b>`,
    toWhom: html`To whom? Only chats where somebody is logged in and broadcasts are switched on are counted.`,
    audiences: {
      all: (count: number) => `Everybody (${count})`,
      agents: (count: number) => `Agents (${count})`,
      users: (count: number) => `Users (${count})`,
    },
    nobody: 'Nobody would get it now.',
    audience: { all: 'everybody', agents: 'agents', users: 'users' },
    type: (max: number) =>
      html`Send me the text, at most ${max} characters. It is sent exactly as written; addresses become links.`,
    tooLong: (length: number, max: number) => `The text has ${length} characters; ${max} are allowed.`,
    preview: (audience: string, chats: number) =>
      html`<b>Broadcast to ${audience}</b> (${chats} ${chats === 1 ? 'chat' : 'chats'}), as they will see it:`,
    to: (audience: string) => html`To: ${audience}`,
    states: {
      draft: html`Not sent.`,
      sending: html`⏳ <b>Sending…</b>`,
      done: html`✅ <b>Sent</b>`,
      cancelled: html`🚫 <b>Stopped</b>`,
    },
    progress: ({ sent, blocked, left, status }: Broadcast) =>
      html`Sent: <b>${sent}</b> · blocked the bot: ${blocked}${status === 'sending' ? ` · left: ${left}` : left > 0 ? ` · not sent: ${left}` : ''}`,
    message: (text: string) => html`📣 ${text}`,
  },
}
