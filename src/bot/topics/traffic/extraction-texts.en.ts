import { html, lines } from '../../kit/html.ts'

/** Getting proxies out of dynamic traffic. */
export const extraction = {
  title: html`🔌 <b>Get proxies</b>`,
  product: (name: string) => html`Product: <b>${name}</b>`,
  left: (left: string) => html`Traffic left: <b>${left}</b>`,
  country: (country: string) => html`Country: <b>${country}</b>`,
  anyCountry: '🌍 Any country',
  exit: {
    rotating: html`IP: <b>a new one for every request</b>`,
    sticky: (minutes: number) =>
      html`IP: <b>each proxy keeps its own for ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}</b>`,
  },
  quantity: (quantity: number) => html`Quantity: <b>${quantity}</b>`,
  identical: html`<i>With a rotating IP all lines are the same; one is enough for most tools.</i>`,
  protocol: (protocol: string) => html`Protocol: <b>${protocol}</b>`,
  format: (format: string) => html`Format: <code>${format}</code>`,
  protocols: { http: 'HTTP', socks5: 'SOCKS5' },
  formats: {
    c: 'host:port:user:pass',
    a: 'user:pass@host:port',
    u: 'URL',
    v: 'CSV',
  },
  buttons: {
    country: '🌍 Country',
    quantity: (quantity: number) => `🔢 Quantity: ${quantity}`,
    rotating: '🔄 Rotating IP',
    sticky: '📌 Sticky IP',
    minutes: (minutes: number) => `📌 ${minutes} min`,
    format: (name: string) => `📋 ${name}`,
    show: (quantity: number) => (quantity === 1 ? '✅ Get it here' : `✅ Get ${quantity} here`),
    file: '📄 As .txt file',
    link: '🔗 As link',
    links: '🔗 My links',
    otherCountry: '✏️ Other country',
    other: '✏️ Other number',
    again: '🔁 Again',
    change: '⚙️ Change options',
    revokeNow: '🗑 Revoke the link',
    copyLink: '📋 Copy the link',
    copyLines: (first: number, last: number) => (first === last ? `📋 ${first}` : `📋 ${first}–${last}`),
  },
  askCountry: html`Which country?`,
  typeCountry: html`Send me the name of the country or its code, such as <code>Japan</code> or <code>JP</code>.`,
  unknownCountry: (answer: string) => `There is no country “${answer}”.`,
  tooManyCountries: (answer: string) => `“${answer}” fits too many countries. Please send more of the name.`,
  severalCountries: (answer: string) => html`Which one do you mean by “${answer}”?`,
  askMinutes: html`For how many minutes should each proxy keep its IP?`,
  typeMinutes: (most: number) => html`How many minutes? Send me a number from 1 to ${most}.`,
  askQuantity: html`How many proxies?`,
  askFormat: html`Which format should the lines have?`,
  typeQuantity: (most: number) => html`How many proxies? Send me a number from 1 to ${most}.`,
  notANumber: (answer: string, most: number) => `“${answer}” is not a whole number from 1 to ${most}.`,
  done: (count: number) => html`✅ <b>${count === 1 ? 'Your proxy' : `Your ${count} proxies`}</b>`,
  validUntil: (time: string) => html`The IPs stay the same until <b>${time}</b>.`,
  fileCaption: (count: number, name: string) =>
    html`${count === 1 ? '1 proxy' : `${count} proxies`} of <b>${name}</b>, one per line`,
  link: {
    title: html`🔗 <b>Your link</b>`,
    what: html`Anyone who opens it gets fresh proxies as text and uses your traffic. Keep it secret; it is shown only once.`,
    list: (count: number) =>
      count === 0
        ? html`🔗 <b>My links</b>\n\nThere are no active links. Create one with “As link” in “Get proxies”.`
        : html`🔗 <b>My links</b>\n\nActive links: ${count}. Tap one to revoke it.`,
    button: (quantity: number, place: string, date: string) => `🗑 ${quantity} × ${place} · ${date}`,
    ask: (facts: { product: string; place: string; quantity: number; date: string }) =>
      lines(
        html`<b>Revoke this link?</b>`,
        '',
        html`Product: <b>${facts.product}</b>`,
        html`Gives: ${facts.quantity} × ${facts.place}`,
        html`Created: ${facts.date}`,
        '',
        html`Programs that use it will get nothing from then on. This cannot be undone.`,
      ),
    ended: 'The link is revoked.',
    unreachable: 'Links are not available in this shop. Take the proxies as a file instead.',
    gone: 'This link is no longer active.',
  },
}
