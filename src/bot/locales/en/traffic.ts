import { html, lines } from '../../html.ts'

/** Dynamic traffic: what there is, and buying more. */
export const traffic = {
  title: html`📶 <b>Dynamic traffic</b>`,
  nothing: html`📶 <b>Dynamic traffic</b>\n\nNo dynamic products are sold at the moment. Please come back later.`,
  name: (name: string) => html`<b>${name}</b>`,
  bar: (bar: string) => html`${bar} taken`,
  left: (remaining: string, total: string) => html`Left: <b>${remaining}</b> of ${total}`,
  used: (used: string) => html`Used: ${used}`,
  allocated: (allocated: string) => html`With sub-accounts: ${allocated}`,
  notBought: html`Not bought yet`,
  price: (price: string) => html`Price: ${price} per GB`,
  notSold: html`This product is not sold any more; what you have stays usable.`,
  exhausted: html`Everything is used up: buy more, or take traffic back from a sub-account.`,
  start: html`You have no traffic here yet. Buy some, and your proxies work at once.`,
  productButton: (name: string, left: string) => `${name} · ${left}`,
  buttons: {
    buy: '🛒 Buy traffic',
    extract: '🔌 Get proxies',
    orders: '🧾 Traffic orders',
    subAccounts: '🔑 Sub-accounts',
    open: '📶 Open the product',
    again: '🔁 Buy more',
  },
  buy: {
    title: html`<b>Buy traffic</b>`,
    forUser: (username: string) => html`For: <b>${username}</b>`,
    product: html`Which product?`,
    chosen: (name: string) => html`Product: <b>${name}</b>`,
    amount: html`How much?`,
    balance: (balance: string) => html`Balance: ${balance}`,
    tiers: (tiers: readonly { from: number; price: string }[]) =>
      lines(
        html`<i>Cheaper in quantity:</i>`,
        ...tiers.map(({ from, price }) => html`from ${from} GB: ${price} per GB`),
      ),
    amountButton: (gigabytes: number, total: string) => `${gigabytes} GB · ${total}`,
    otherAmount: '✏️ Another amount',
    changeAmount: 'Change the amount',
    typeAmount: (most: number) =>
      html`How many GB? Send me a number up to ${most}, with at most three decimals, such as <code>2.5</code>.`,
    notAnAmount: (answer: string, most: number) =>
      `“${answer}” is no amount of traffic: a number above 0 and up to ${most}, with a point and at most three decimals.`,
    traffic: (gigabytes: number) => html`Traffic: <b>${gigabytes} GB</b>`,
    confirm: (quote: { unitPrice: string; total: string; balance: string; after: string }) =>
      lines(
        html`Price: ${quote.unitPrice} per GB`,
        html`Total: <b>${quote.total}</b>`,
        html`Balance: ${quote.balance}`,
        html`Balance after: ${quote.after}`,
      ),
    nextTier: (more: string, price: string) => html`💡 ${more} GB more, and each GB costs only ${price}.`,
    takeTier: (gigabytes: number) => `💡 Take ${gigabytes} GB`,
    short: (missing: string) => html`⚠️ The balance is short by <b>${missing}</b>.`,
    shortResumes: html`Top it up: this purchase waits for you here.`,
    topUp: (missing: string) => `💳 Top up ${missing}`,
    openUser: (username: string) => `👤 ${username}`,
    pay: (total: string) => `✅ Pay ${total}`,
    done: (gigabytes: string) => html`✅ <b>${gigabytes} bought</b>`,
    total: (total: string) => html`Total: <b>${total}</b>`,
    balanceAfter: (balance: string) => html`Balance: <b>${balance}</b>`,
  },
  orders: {
    title: (total: number) => html`🧾 <b>Traffic orders</b>\n\nOrders: ${total}`,
    of: (username: string) => html`Of: <b>${username}</b>`,
    empty: html`🧾 <b>Traffic orders</b>\n\nThere are none yet.`,
    button: (icon: string, gigabytes: string, product: string, date: string) =>
      `${icon} ${gigabytes} · ${product} · ${date}`,
    bar: (bar: string) => html`${bar} used`,
    number: (orderNo: string) => html`Order <code>${orderNo}</code>`,
    date: (date: string) => html`Bought: ${date}`,
    status: {
      processing: '⏳ In preparation',
      active: '✅ Active',
      exhausted: '⌛ Used up',
      cancelled: '🚫 Cancelled',
      failed: '❌ Failed',
    },
  },
}
