import { html } from '../html.ts'

/** Promotion codes, as agents and the operator make them. */
export const promo = {
  title: (total: number) => html`🎟 <b>Promotion codes</b>: ${total}`,
  about: {
    agent: html`Your sub-users type such a code when they buy. The discount comes out of your earnings from the purchase, and out of your balance as far as you allow.`,
    shop: html`Any buyer can type such a code. The discount comes out of the shop’s price, and a percentage is one of that price: customers of agents pay the agent’s markup on top in full. Agents pay for their own codes.`,
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
    agent === undefined ? html`Cost so far: ${given}` : html`Cost so far for ${agent}: ${given}`,
  ofBalance: (used: string, most: string) => html`From the balance: <b>${used}</b> of ${most}`,
  effects: {
    title: html`At today’s prices:`,
    line: (product: string, before: string, after: string, percent: string) =>
      html`• ${product}: ${before} → <b>${after}</b> (−${percent}%)`,
    nothing: (product: string, price: string) => html`• ${product}: ${price}, nothing off`,
    nothingEarned: html`⚠️ No discount at the moment: you earn nothing on these products. Set a markup under “My prices”, or let your balance pay.`,
    nothingSold: html`⚠️ No discount at the moment: none of its products is sold at such a price.`,
    atMostEarned: html`<i>The discount is never more than you earn on the purchase. A larger markup allows a larger one.</i>`,
    /** @param most an amount */
    covered: (most: string) =>
      html`<i>What the purchase does not earn comes out of the balance: at most ${most} more.</i>`,
    others: html`<i>For sub-users with their own prices, it applies to those.</i>`,
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
    balanceLimit: html`What you do not earn on a purchase can come out of <b>your balance</b>. How much may the code cost it in all? Press, or send an amount.`,
    code: html`Which <b>code</b>? Send it, such as <code>SPRING-10</code>, or let me make one up.`,
    maxUses: html`How often may it be used <b>in all</b>?`,
    maxUsesPerUser: html`How often may <b>one customer</b> use it?`,
    days: html`For how many <b>days</b> should it be valid? Or send its end, such as <code>2026-12-31 23:59</code>; for another time zone, add its distance from UTC: <code>2026-12-31 23:59 +8</code>.`,
    products: html`For which <b>products</b>? Press one, or send several numbers separated by commas.`,
  },
  taken: (code: string) => `The code ${code} already exists. Please choose another one.`,
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
    products: 'There is no such product. Please send product numbers separated by commas.',
  },
}
