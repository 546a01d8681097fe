import { html } from '../html.ts'

/** Buying static proxies. */
export const buy = {
  title: html`<b>Buy static proxies</b>`,
  empty: html`<b>Buy static proxies</b>\n\nThere is nothing in stock right now. Please come back later.`,
  gone: html`⚠️ What you chose is no longer available. Please choose again.`,
  placeGone: (place: string) => html`⚠️ ${place} has sold out meanwhile. Please choose another place.`,
  pricedProducts: (unit: string, names: string) =>
    html`<i>${names === '' ? 'Prices' : `${names}: prices`} per proxy in ${unit}.</i>`,
  pricedPlaces: (unit: string) =>
    html`Next to each place: how many there are, and the price of one in ${unit}.`,
  steps: {
    product: html`Which product?`,
    project: html`For which project?`,
    country: html`Which country?`,
    city: html`Which city?`,
    term: html`For how long?`,
  },
  typeProject: html`For which project? Send me its name or code.`,
  projectTooLong: 'A project has at most 64 characters.',
  available: (stock: number, unitPrice: string) => html`${stock} in stock, ${unitPrice} each.`,
  /** What can be typed at the screen of a purchase. */
  orType: (addresses: boolean) =>
    html`<i>Or type it: a number, a country or a city, a term${addresses ? ', IP addresses' : ''}.</i>`,
  notUnderstood: (text: string) =>
    `I do not understand “${text}” here. Type a number, a country, a city or a term that is for sale, or use the buttons.`,
  form: {
    term: (term: string) => `🗓 ${term}`,
    autoRenew: '🔁 Auto-renew',
    project: (project: string) => `📁 ${project}`,
    product: (product: string) => `🏷 ${product}`,
  },
  /** The answer to a number that cannot be bought. */
  onlyLeft: (max: number, limit: number) =>
    max === 1
      ? 'Only 1 is left here.'
      : max < limit
        ? `Only ${max} are left here. Send a number from 1 to ${max}.`
        : `At most ${limit} at once. Send a number from 1 to ${limit}.`,
  /** Shown for a place that only other products have. */
  soldElsewhere: (place: string) => html`<b>${place}</b> is not sold in this product, but in:`,
  chosen: {
    user: (username: string) => html`👤 For <b>${username}</b>`,
    product: (name: string) => html`Product: <b>${name}</b>`,
    project: (name: string) => html`Project: <b>${name}</b>`,
    place: (place: string) => html`Location: <b>${place}</b>`,
    term: (term: string) => html`Term: <b>${term}</b>`,
  },
  /** Word that is not said again where the name of a product has it. */
  sharedWord: 'shared',
  shared: (product: string) => `${product} · shared`,
  atLeast: (price: string) => `${price}+`,
  from: (price: string) => `from ${price}`,
  onePlace: (max: number) => html`All proxies of an order come from the same place: at most ${max}.`,
  anyCity: '🌍 Any city',
  ranges: {
    button: '🧩 IP ranges',
    question: (picked: number, max: number) =>
      html`Which IP ranges? Chosen so far: <b>${picked}</b> proxies, at most ${max}.`,
    range: (range: string, free: number) => `${range} · ${free}`,
    picked: (range: string, count: number, free: number) => `${range} · ${count} of ${free}`,
    howMany: (range: string, free: number) => html`<code>${range}</code>: ${free} free. How many of them?`,
    all: (count: number) => `All ${count}`,
    none: '✖️ None of this range',
    goOn: (count: number) => `Continue with ${count} ›`,
    noneFree: html`⚠️ No range has free IPs any more.`,
  },
  addresses: {
    button: '📌 Exact IPs',
    browse: (ticked: number, free: number, max: number) =>
      html`Which IPs exactly? Tick them, or send me a list of addresses. You get these and no others.\n\nChosen: <b>${ticked}</b>, at most ${max}. Free here: ${free}.`,
    notHere: 'Addresses cannot be chosen for this product.',
    tooMany: (count: number, max: number) => `These are ${count} addresses; one order takes at most ${max}.`,
    noAddress: (count: number, list: string) => `Not an IP address (${count}): ${list}.`,
    notFree: (count: number, list: string) =>
      `Not available in this product and location (${count}): ${list}.`,
    gone: (list: string) => html`⚠️ No longer available: ${list}. Please choose again.`,
  },
  more: (count: number) => `… and ${count} more`,
  count: (count: number) => html`Quantity: <b>${count}</b>`,
  listed: (address: string, count?: number) =>
    count === undefined ? html`• <code>${address}</code>` : html`• <code>${address}</code> × ${count}`,
  price: (unitPrice: string, periods: number) =>
    html`Unit price: ${unitPrice}${periods > 1 ? ` × ${periods}` : ''}`,
  promo: {
    line: (code: string, discount: string) => html`🎟 <code>${code}</code>: −${discount}`,
    add: '🎟 Promotion code',
    remove: '✖️ Without the code',
    question: html`Which promotion code? Send it to me.`,
  },
  total: (total: string) => html`Total: <b>${total}</b>`,
  balance: (balance: string) => html`Your balance: ${balance}`,
  balanceOf: (username: string, balance: string) => html`Balance of ${username}: ${balance}`,
  balanceAfter: (balance: string) => html`Balance after: ${balance}`,
  nextTier: (from: number, price: string) => html`💡 ${from} or more: ${price} each.`,
  refund: (hours: number) =>
    hours > 0
      ? html`↩️ Refund if released within ${hours === 1 ? 'one hour' : `${hours} hours`}: in full for the whole order; if you keep some, less the discount that their smaller number no longer gets.`
      : html`↩️ No refund for this product.`,
  autoRenew: (on: boolean, term: string) =>
    on
      ? html`🔁 Auto-renew: <b>on</b>. Renewed for ${term} an hour before expiry, at the price valid then.`
      : html`🔁 Auto-renew: off`,
  autoRenewButton: (on: boolean): string => (on ? '🔁 Turn auto-renew off' : '🔁 Turn auto-renew on'),
  short: (missing: string) =>
    html`⚠️ Your balance is short by <b>${missing}</b>. Top up, then continue right here.`,
  /** For shops where nobody can top up. */
  shortAsk: {
    agent: (missing: string) =>
      html`⚠️ Your balance is short by <b>${missing}</b>. Ask your agent for it, then continue right here.`,
    operator: (missing: string) =>
      html`⚠️ Your balance is short by <b>${missing}</b>. Ask the shop for it, then continue right here.`,
  },
  ask: { agent: '🙋 Ask my agent', operator: '🙋 Ask the shop' },
  shortOf: (username: string, missing: string) =>
    html`⚠️ The balance of ${username} is short by <b>${missing}</b>.`,
  topUp: (missing: string) => `💳 Top up ${missing}`,
  giveBalance: (username: string) => `💰 Top up ${username}`,
  disabled: (username: string) => `${username} is disabled and cannot buy anything.`,
  forUser: (username: string) => `🛒 Buy for ${username}`,
}
