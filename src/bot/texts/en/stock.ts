import { html, lines } from '../html.ts'

const proxies = (count: number) => (count === 1 ? '1 proxy' : `${count} proxies`)

/** The stock in the operator's chats. */
export const stock = {
  buttons: {
    stock: '📥 Stock',
    resting: (count: number) => `🛌 Resting proxies (${count})`,
    uses: {
      import: '➕ Add to the stock',
      update: '🔑 New credentials',
      off: '⏸ Take off sale',
      on: '▶️ Put on sale',
      release: '♻️ Sell resting ones as is',
    },
    carryOut: {
      import: (count: number) => `✅ Add ${count}`,
      update: (count: number) => `✅ Change ${count}`,
      off: (count: number) => `✅ Take ${count} off sale`,
      on: (count: number) => `✅ Put ${count} on sale`,
      release: (count: number) => `✅ Sell ${count} as they are`,
    },
    otherUse: 'Something else',
  },
  title: html`<b>Stock</b>`,
  howTo: lines(
    html`Send me proxies as a CSV or text file, or paste them here. Nothing is changed before you confirm.`,
    '',
    html`• with a heading: <code>product_no,ip,port,username,password,country_code,state,city_code,cidr</code>, and <code>cost</code> if you like: what one costs you a month`,
    html`• or just lines such as <code>ip:port:username:password</code>; then I ask for product and place`,
    html`• or only addresses, to take them off sale or put them on sale`,
  ),
  inGroups: html`<i>In a group, send a file; pasting works in a private chat.</i>`,
  totals: (free: number, held: number, resting: number, disabled: number) =>
    html`For sale: <b>${free}</b> · held: ${held} · resting: ${resting} · off sale: ${disabled}`,
  empty: 'There are no proxies in it.',
  notAList: 'This is not a list of proxies: a quotation mark is out of place.',
  gone: 'This list is no longer available. Please send it again.',
  sent: (count: number) => html`📄 <b>${proxies(count)}</b> in your list.`,
  whatFor: html`What should I do with them?`,
  whichProduct: html`Which product are they for?`,
  noProducts: html`No product is sold from your own stock yet. Please add one first.`,
  whichPlace: html`Where are they? Press a place, or send a country code such as <code>US</code>, with state and city if you sell by them: <code>US NY USNYC</code>. A hyphen leaves one out: <code>JP - JPTYO</code>.`,
  notAPlace: 'Please send a country code of two letters, and perhaps a state and a city code.',
  plan: {
    import: (fresh: number, known: number) =>
      html`➕ New: <b>${fresh}</b>${known > 0 ? ` · already in the stock, left as they are: ${known}` : ''}`,
    update: (count: number) =>
      html`🔑 <b>${proxies(count)}</b> get the credentials in this list and go on sale.`,
    off: (count: number) => html`⏸ <b>${count}</b> will be taken off sale. Customers keep what they have.`,
    on: (count: number) => html`▶️ <b>${count}</b> will be put on sale.`,
    release: (count: number) =>
      html`♻️ <b>${count}</b> will be sold with their present credentials, which earlier customers know.`,
  },
  product: (name: string) => html`Product: ${name}`,
  place: (place: string) => html`Place: ${place}`,
  namelessCities: (codes: string) => html`⚠️ Cities without a name, shown as they are: ${codes}`,
  severalPorts: (count: number) => html`ℹ️ Addresses with several ports, each sold by itself: ${count}`,
  cost: (sum: string | undefined, unknown: number) =>
    sum === undefined
      ? html`Cost: not known`
      : html`Cost: <b>${sum}</b> a month for all${unknown > 0 ? `, not known for ${unknown}` : ''}`,
  askCost: html`<i>For your profit: send what one of them costs you a month, such as <code>1.20</code>.</i>`,
  notACost: 'Please send an amount such as 1.20, or press a button.',
  refused: (count: number) =>
    html`❌ <b>Nothing can be taken: ${count === 1 ? '1 line is' : `${count} lines are`} wrong.</b> Correct the list and send it again.`,
  line: (line: number, reason: string) => html`• line ${line}: ${reason}`,
  named: (address: string, reason: string) => html`• <code>${address}</code>: ${reason}`,
  done: {
    import: (count: number) => html`✅ <b>${proxies(count)} added.</b>`,
    update: (count: number) => html`✅ <b>${proxies(count)} changed.</b>`,
    off: (count: number) => html`✅ <b>${proxies(count)} off sale.</b>`,
    on: (count: number) => html`✅ <b>${proxies(count)} on sale.</b>`,
    release: (count: number) => html`✅ <b>${proxies(count)} for sale as they are.</b>`,
  },
  held: (count: number) => html`For ${count} of them, this takes effect when the customer’s order ends.`,
  resting: (count: number) => html`For ${count} of them, this takes effect when they have new credentials.`,
  noneResting: 'No proxy is waiting for new credentials.',
  restingFile: (count: number) =>
    html`${proxies(count)} with credentials that customers have had. Fill in new ones and send the file back; or send it as it is, to sell them as they are.`,
  reasons: {
    bad_product_no: 'the product is missing',
    bad_ip: 'not an IP address that customers could reach',
    bad_port: 'the port must be 1-65535',
    bad_username: 'the username is missing, or has spaces or colons',
    bad_password: 'the password is missing, or has spaces or colons',
    bad_country_code: 'not a country code of two letters',
    bad_state: 'not a state code',
    bad_city_code: 'not a city code',
    bad_cost: 'the cost must be an amount such as 1.20',
    bad_cidr: 'the range does not contain the IP',
    no_product: 'there is no such product',
    by_traffic: 'this product is sold by traffic',
    supplied: 'this product comes from a supplier',
    both_kinds: 'this IP has shared and exclusive proxies',
    twice: 'comes twice',
    delivered: 'a customer has had these credentials',
    in_stock: 'is in the stock already',
    not_in_stock: 'is not in the stock',
    several: 'several proxies on this IP: the port must be that of one',
    in_use: 'is in use',
    empty: 'there are no proxies',
    not_an_ip_address: 'not an IP address',
    not_in_the_stock: 'is not in the stock',
    not_resting: 'is not waiting for new credentials',
  },
}
