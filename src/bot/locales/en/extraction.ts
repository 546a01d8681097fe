import { html, lines } from '../../html.ts'

/** Getting proxies out of dynamic traffic. */
export const extraction = {
  title: html`🔌 <b>Get proxies</b>`,
  product: (name: string) => html`Product: <b>${name}</b>`,
  left: (left: string) => html`Traffic left: <b>${left}</b>`,
  country: (country: string) => html`Country: <b>${country}</b>`,
  anyCountry: '🌍 Any country',
  exit: {
    rotating: html`Exit: <b>a new IP for every request</b>`,
    sticky: (minutes: number) =>
      html`Exit: <b>each proxy keeps its IP for ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}</b>`,
  },
  quantity: (quantity: number) => html`Number: <b>${quantity}</b>`,
  identical: html`<i>Rotating lines are all the same; one is enough for most tools.</i>`,
  protocol: (protocol: string) => html`Protocol: <b>${protocol}</b>`,
  format: (format: string) => html`Line: <code>${format}</code>`,
  protocols: { http: 'HTTP', socks5: 'SOCKS5' },
  formats: {
    c: 'host:port:user:pass',
    a: 'user:pass@host:port',
    u: 'URL',
    v: 'CSV',
  },
  buttons: {
    country: '🌍 Country',
    quantity: (quantity: number) => `🔢 Number: ${quantity}`,
    rotating: '🔄 New IP each time',
    sticky: '📌 Keep the IP',
    minutes: (minutes: number) => `📌 ${minutes} min`,
    show: (quantity: number) => (quantity === 1 ? '✅ Get it here' : `✅ Get ${quantity} here`),
    file: '📄 As .txt file',
    link: '🔗 As link',
    links: '🔗 My links',
    otherCountry: '✏️ Another country',
    other: '✏️ Another number',
    again: '🔁 Once more',
    change: '⚙️ Change',
    revokeNow: '🗑 Yes, end it',
    copyLink: '📋 Copy the link',
    copyLines: (first: number, last: number) => (first === last ? `📋 ${first}` : `📋 ${first}–${last}`),
  },
  askCountry: html`Which country shall the proxies be in?`,
  typeCountry: html`Send me the name of the country or its code, such as <code>Japan</code> or <code>JP</code>.`,
  unknownCountry: (answer: string) => `There is no country “${answer}”.`,
  tooManyCountries: (answer: string) => `“${answer}” fits too many countries. Please send more of the name.`,
  severalCountries: (answer: string) => html`Which one do you mean by “${answer}”?`,
  askMinutes: html`For how many minutes shall each proxy keep its IP?`,
  typeMinutes: (most: number) => html`How many minutes? Send me a number from 1 to ${most}.`,
  askQuantity: html`How many proxies?`,
  typeQuantity: (most: number) => html`How many proxies? Send me a number from 1 to ${most}.`,
  notANumber: (answer: string, most: number) => `“${answer}” is not a whole number from 1 to ${most}.`,
  done: (count: number) => html`✅ <b>${count === 1 ? 'Your proxy' : `Your ${count} proxies`}</b>`,
  validUntil: (time: string) => html`The IPs stay the same until <b>${time}</b>.`,
  fileCaption: (count: number, name: string) => html`${count} lines for <b>${name}</b>`,
  link: {
    title: html`🔗 <b>Your link</b>`,
    what: html`Whoever opens it gets fresh proxies as text, and uses your traffic. Keep it secret; it is shown here once.`,
    list: (count: number) =>
      count === 0
        ? html`🔗 <b>My links</b>\n\nNo link is in use. “As link” in “Get proxies” makes one.`
        : html`🔗 <b>My links</b>\n\nLinks in use: ${count}. Press one to end it.`,
    button: (quantity: number, place: string, date: string) => `🗑 ${quantity} × ${place} · ${date}`,
    ask: (facts: { product: string; place: string; quantity: number; date: string }) =>
      lines(
        html`<b>End this link?</b>`,
        '',
        html`Product: <b>${facts.product}</b>`,
        html`Gives: ${facts.quantity} × ${facts.place}`,
        html`Made: ${facts.date}`,
        '',
        html`Programs that use it get nothing from then on. It cannot be undone.`,
      ),
    ended: 'The link is ended.',
    gone: 'That link is not in use any more.',
  },
}
