import { html } from '../html.ts'

/** Promotion codes, as agents and the operator make them. */
export const promo = {
  title: (total: number) => html`🎟 <b>Promotion codes</b>: ${total}`,
  about: {
    agent: html`Your sub-users type such a code when they buy. What it takes off comes out of what you earn by the purchase, and out of your balance as far as you allow it.`,
    shop: html`Whoever buys can type such a code. What yours take off comes out of what the shop gets, and a percentage is one of that: customers of agents pay the agent’s markup on top, without a discount. Codes of agents are paid by the agents.`,
  },
  button: (icon: string, code: string, discount: string) => `${icon} ${code} · ${discount}`,
  icons: { open: '🟢', used_up: '⚪', expired: '⌛', stopped: '⛔' },
  states: { open: 'Open', used_up: 'Used up', expired: 'Expired', stopped: 'Stopped' },
  buttons: {
    codes: '🎟 Promotion codes',
    short: '🎟 Codes',
    create: '➕ New code',
    copy: '📋 Copy an announcement',
    stop: '⛔ Stop this code',
    done: '✅ Make the code now',
  },
  name: (code: string, state: string) => html`🎟 <code>${code}</code> · ${state}`,
  discount: (discount: string) => html`Takes off: <b>${discount}</b> of a purchase`,
  products: (products: string | undefined) =>
    products === undefined ? html`For all products` : html`For: ${products}`,
  uses: (uses: number, most: number | null) =>
    html`Used: <b>${uses}</b>${most === null ? '' : html` of ${most}`}`,
  perUser: (most: number) => html`At most ${most} per customer`,
  until: (until: string | undefined) => (until === undefined ? html`No end` : html`Until ${until}`),
  given: (given: string, agent: string | undefined) =>
    agent === undefined ? html`Has cost: ${given}` : html`Has cost ${agent}: ${given}`,
  ofBalance: (used: string, most: string) => html`From the balance: <b>${used}</b> of ${most}`,
  effects: {
    title: html`At the present prices:`,
    line: (product: string, before: string, after: string, percent: string) =>
      html`• ${product}: ${before} → <b>${after}</b> (−${percent}%)`,
    nothing: (product: string, price: string) => html`• ${product}: ${price}, nothing off`,
    nothingEarned: html`⚠️ It takes nothing off now: you earn nothing by these products. Set a markup under “My prices”, or let your balance pay.`,
    nothingSold: html`⚠️ It takes nothing off now: none of its products is sold at such a price.`,
    atMostEarned: html`<i>It takes off no more than you earn by the purchase. With a larger markup it gives more.</i>`,
    /** @param most an amount */
    covered: (most: string) =>
      html`<i>What is not earned by a purchase comes out of the balance: ${most} more at most.</i>`,
    others: html`<i>Sub-users with prices of their own get it by those.</i>`,
  },
  /** For customers. */
  share: {
    text: (code: string, off: string) => `Promotion code ${code}: ${off}. Type it when you buy.`,
    /** @param products undefined: all of them */
    off: (discount: string, products: string | undefined) =>
      products === undefined ? `${discount} off` : `${discount} off ${products}`,
    offShops: (discount: string, products: string | undefined) =>
      products === undefined
        ? `${discount} off the shop’s prices`
        : `${discount} off the shop’s price of ${products}`,
    upTo: (discount: string) => `up to ${discount}`,
    whileItLasts: (off: string) => `${off}, while it lasts`,
    someProducts: 'some products',
  },
  askStop: html`Stop this code? Nobody can use it any more; what was bought with it stays.`,
  made: html`✅ <b>The code is ready.</b>`,
  newTitle: html`🎟 <b>New promotion code</b>`,
  ask: {
    discount: html`What does it take off a purchase? Send a percentage such as <code>15%</code>, or an amount such as <code>2.50</code>.`,
    balanceLimit: html`What you do not earn by a purchase can come out of <b>your balance</b>. How much may the code cost it in all? Press, or send an amount.`,
    code: html`Which <b>code</b>? Send it, such as <code>SPRING-10</code>, or let me make one up.`,
    maxUses: html`How often may it be used <b>in all</b>?`,
    maxUsesPerUser: html`How often may <b>one customer</b> use it?`,
    days: html`For how many <b>days</b> shall it be valid? Or send its end, such as <code>2026-12-31 23:59</code>; for another time zone, add its distance from UTC: <code>2026-12-31 23:59 +8</code>.`,
    products: html`For which <b>products</b>? Press one, or send several numbers with commas between them.`,
  },
  taken: (code: string) => `There is a code ${code} already. Please choose another one.`,
  none: {
    balanceLimit: '🚫 Nothing',
    code: '🎲 Make one up',
    maxUses: 'No limit',
    maxUsesPerUser: 'No limit',
    days: 'No end',
    products: '✅ For all products',
  },
  problems: {
    discount: 'Please send a whole percentage from 1% to 100%, or an amount such as 2.50.',
    balanceLimit: 'Please send an amount, such as 50.',
    code: 'A code has 3–32 letters, digits, _ or -, such as SPRING-10.',
    days: 'Please send a number of days up to 3650, or a time to come, such as 2026-12-31 23:59.',
    products: 'There is no such product. Please send numbers of products with commas between them.',
  },
}
