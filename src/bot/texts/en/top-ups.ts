import type { NetworkName } from '../../../core/network-name.ts'
import { html, lines } from '../html.ts'

/** A transfer that may be the payment for a top-up. */
interface Arrived {
  readonly amount: string
  readonly from: string
  readonly time: string
  /** What the top-up asks for. */
  readonly asked: string
}

/** What a top-up asks for, as its screens show it. */
interface Asked {
  readonly network: NetworkName
  readonly payAmount: string
  readonly address: string
  readonly credit: string
}

export const topUps = {
  title: html`<b>Top up with USDT</b>`,
  off: html`<b>Top up with USDT</b>\n\nThis shop does not take USDT at the moment. Please ask whoever gave you your account to top up your balance.`,
  choose: (network: string, rate: string, min: string, max: string) =>
    lines(
      html`Network: <b>${network}</b>`,
      html`1 USDT = ${rate}`,
      '',
      html`How much? Press or type an amount from ${min} to ${max} USDT.`,
    ),
  /** @param agent undefined: the operator of the shop */
  requested: (agent: string | undefined, missing: string) =>
    lines(
      html`🙋 <b>${agent === undefined ? 'The shop' : `Your agent ${agent}`} has been asked for ${missing}</b>`,
      '',
      html`As soon as the money is there, you can continue from this screen.`,
    ),
  askedInVain: (agent: string | undefined) =>
    html`✖️ <b>${agent === undefined ? 'The shop' : `Your agent ${agent}`}</b> declined it a short while ago. You can ask again in a quarter of an hour.`,
  askYourself: (agent: string | undefined, missing: string) =>
    agent === undefined
      ? html`🙋 You need <b>${missing}</b>. Please write to whoever gave you your account: I cannot reach the shop from here.`
      : html`🙋 You need <b>${missing}</b>. Please write to your agent <b>${agent}</b> yourself: I cannot reach them from here.`,
  arrived: html`💰 <b>Money has arrived</b>`,
  enough: html`That is enough: you can continue.`,
  stillShort: (missing: string) => html`⚠️ Still short by <b>${missing}</b>.`,
  missing: (amount: string) => html`You are short by <b>${amount}</b>. The first button covers it.`,
  notAnAmount: (text: string) =>
    `“${text}” is not an amount of USDT. Write it like 25 or 99.50, with at most two decimals.`,
  outOfRange: (min: string, max: string) => `The amount must be between ${min} and ${max} USDT.`,
  tooMany: (minutes: number) =>
    `You already have several unpaid top-ups. Pay or cancel one of them, or wait ${minutes} min.`,
  noAmountLeft: 'No payment amount near this one is free at the moment. Please choose another amount.',
  pay: ({ network, payAmount, address, credit }: Asked) =>
    lines(
      html`Send <b>exactly <code>${payAmount}</code> USDT</b>`,
      html`on the network <b>${network.full}</b>`,
      html`to <code>${address}</code>`,
      '',
      html`⚠️ Send only USDT on <b>${network.short}</b>: anything else is lost. Exactly this amount must <b>arrive</b>: if your exchange deducts a fee, add it on top. The last decimals identify your payment.`,
      '',
      html`You will be credited <b>${credit}</b>.`,
    ),
  validUntil: (time: string, minutes: number) => html`Pay by ${time} (${minutes} min left).`,
  status: {
    pending: html`⏳ <b>Waiting for your payment</b>`,
    confirming: html`🔎 <b>Payment seen, being confirmed</b>`,
    paid: html`✅ <b>Paid</b>`,
    expired: html`⌛ <b>Expired</b>`,
    cancelled: html`🚫 <b>Cancelled</b>`,
  },
  icon: { pending: '⏳', confirming: '🔎', paid: '✅', expired: '⌛', cancelled: '🚫' },
  confirmations: (count: number, required: number) =>
    html`${count} of ${required} confirmations. This takes about a minute; there is nothing you need to do.`,
  number: (orderNo: string) => html`Top-up <code>${orderNo}</code>`,
  asked: (payAmount: string) => html`Amount: <b>${payAmount} USDT</b>`,
  received: (paid: string, credit: string) => html`Received: <b>${paid} USDT</b>, credited: <b>${credit}</b>`,
  paidAt: (time: string) => html`Credited at: ${time}`,
  late: html`The payment came after the top-up had expired; it was credited all the same.`,
  transaction: (txid: string) => html`Transaction: <code>${txid}</code>`,
  balance: (balance: string) => html`Your balance: <b>${balance}</b>`,
  stillTaken: (time: string) =>
    html`Already paid? The exact amount is still credited automatically if it is on the chain by ${time}. Otherwise please do not pay this top-up any more.`,
  stale: html`The chain cannot be read right now. Nothing is lost: I keep trying.`,
  checked: 'Nothing has arrived yet.',
  offer: {
    arrived: ({ amount, from, time, asked }: Arrived) =>
      lines(
        html`💸 <b>${amount} USDT arrived</b>, ${asked} was expected.`,
        html`From <code>${from}</code>`,
        html`Time: ${time}`,
        html`<b>Is it yours?</b> If it is, press the button.`,
      ),
    claimed: ({ amount, from, time, asked }: Arrived) =>
      lines(
        html`🙋 <b>You say that these ${amount} USDT are yours</b>; ${asked} was expected.`,
        html`From <code>${from}</code>`,
        html`Time: ${time}`,
        html`The shop checks it, and you get a message when the money is credited.`,
      ),
    refused: html`✖️ The shop has decided that the payment you claimed does not belong to this top-up.`,
    gone: 'This payment has been dealt with in the meantime.',
  },
  payment: {
    undecided: html`💸 <b>This payment has arrived</b>, but it fits none of your top-ups. If it is yours, write to support: the shop can still credit it.`,
    settled: html`<b>This payment has already been dealt with</b>, and it does not belong to a top-up of yours. If that is wrong, write to support.`,
    unconfirmed: html`🔎 <b>This payment is on its way</b>: the network is still confirming it. That takes about a minute. Send me the transaction again then.`,
    failed: ({ coin }: NetworkName) =>
      html`✖️ <b>This transaction transferred no USDT</b>: it failed, or it sent ${coin}. Your wallet shows what has become of the money.`,
    other_token: ({ short }: NetworkName) =>
      html`✖️ <b>This transaction transferred no USDT (${short})</b>, but another token. I cannot credit that; please write to support.`,
    other_address: html`✖️ <b>This payment went to another address</b> than the one I gave you. I cannot credit it.`,
    too_old: html`<b>This payment is too old</b>: it was made before this shop took USDT here. Please write to support.`,
    unknown: ({ chain, full }: NetworkName) =>
      html`❓ <b>The ${chain} network does not know this transaction</b>. Check that it was copied whole and that the payment was made on ${full}. If you have just paid, try again in a minute.`,
    unread: html`The chain cannot be read right now. Nothing is lost: please try again in a minute.`,
    too_often: html`I have looked up several transactions for you just now. Please try again in a minute.`,
  },
  cancel: (payAmount: string) =>
    html`Cancel the top-up of <b>${payAmount} USDT</b>?\n\nIf you have already sent the money, do not cancel: it is on its way.`,
  inProgress: 'Your payment has been seen and is being confirmed: it can no longer be cancelled.',
  notOpen: 'This top-up is no longer open.',
  history: (total: number) => html`<b>Top-ups</b>: ${total}`,
  empty: html`<b>Top-ups</b>\n\nThere are none yet.`,
  entry: (icon: string, payAmount: string, date: string) => `${icon} ${payAmount} USDT · ${date}`,
  buttons: {
    topUp: (amount: string) => `➕ Top up ${amount} USDT`,
    amount: (amount: string) => `${amount} USDT`,
    history: '🧾 My top-ups',
    explorer: '🔗 In the explorer',
    copyAmount: '📋 Amount',
    copyAddress: '📋 Address',
    check: '🔄 Check now',
    claim: (amount: string) => `✅ ${amount} USDT is mine`,
    open: '🧾 The top-up',
    cancel: 'Cancel top-up',
    cancelNow: 'Yes, cancel top-up',
    keep: 'No, keep it',
    resume: '🛒 Continue the purchase',
    again: '➕ New top-up',
  },
}
