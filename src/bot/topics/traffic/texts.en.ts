import { html, lines } from '../../kit/html.ts'

/** Dynamic traffic: what there is, and buying more. */
export const traffic = {
  title: html`📶 <b>Dynamic traffic</b>`,
  nothing: html`📶 <b>Dynamic traffic</b>\n\nNo dynamic products are sold at the moment. Please come back later.`,
  name: (name: string) => html`<b>${name}</b>`,
  bar: (bar: string) => html`${bar} used or assigned`,
  left: (remaining: string, total: string) => html`Left: <b>${remaining}</b> of ${total}`,
  used: (used: string) => html`Used: ${used}`,
  allocated: (allocated: string) => html`With sub-accounts: ${allocated}`,
  notBought: html`Not bought yet`,
  price: (price: string) => html`Price: ${price} per GB`,
  notSold: html`This product is no longer sold; what you have stays usable.`,
  exhausted: html`Everything is used up: buy more, or take traffic back from a sub-account.`,
  start: html`You have no traffic here yet. Buy some and your proxies work at once.`,
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
    product: html`Which product?`,
    amount: html`How much?`,
    tiers: (tiers: readonly { from: number; price: string }[]) =>
      lines(
        html`<i>Quantity discounts:</i>`,
        ...tiers.map(({ from, price }) => html`${from} GB or more: ${price} per GB`),
      ),
    amountButton: (gigabytes: number, total: string) => `${gigabytes} GB · ${total}`,
    otherAmount: '✏️ Other amount',
    typeAmount: (most: number) =>
      html`How many GB? Send me a number up to ${most}, with at most three decimals, such as <code>2.5</code>.`,
    notAnAmount: (answer: string, most: number) =>
      `“${answer}” is not an amount of traffic: send a number above 0 and up to ${most}, such as 2.5, with at most three decimals.`,
    traffic: (gigabytes: number) => html`Traffic: <b>${gigabytes} GB</b>`,
    nextTier: (more: string, price: string) => html`💡 ${more} GB more and each GB costs only ${price}.`,
    takeTier: (gigabytes: number, total: string) => `💡 Take ${gigabytes} GB for ${total}`,
    openUser: (username: string) => `👤 ${username}`,
    done: (gigabytes: string) => html`✅ <b>${gigabytes} bought</b>`,
  },
  orders: {
    title: (total: number) => html`🧾 <b>Traffic orders</b>\n\nOrders: ${total}`,
    empty: html`🧾 <b>Traffic orders</b>\n\nThere are none yet.`,
    button: (icon: string, gigabytes: string, product: string, date: string) =>
      `${icon} ${gigabytes} · ${product} · ${date}`,
    bar: (bar: string) => html`${bar} used`,
    number: (orderNo: string) => html`Order <code>${orderNo}</code>`,
    date: (date: string) => html`Bought: ${date}`,
    status: {
      processing: '⏳ Preparing',
      active: '✅ Active',
      exhausted: '⌛ Used up',
      cancelled: '🚫 Cancelled',
      failed: '❌ Failed',
    },
  },
}
