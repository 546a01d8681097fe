import { html, type Html, lines } from '../html.ts'

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
  exhausted: html`All of it is used up: buy more, or take traffic back from a sub-account.`,
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
    orType: html`<i>Or type how many GB, such as 2.5.</i>`,
    amountButton: (gigabytes: number, total: string) => `${gigabytes} GB · ${total}`,
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
    asBefore: (quantity: number, place: string, exit: string) => `⚡ ${quantity} · ${place} · ${exit}`,
    again: '🔁 Again',
    change: '⚙️ Change options',
    revokeNow: '🗑 Revoke the link',
    copyLink: '📋 Copy the link',
    copyLines: (first: number, last: number) => (first === last ? `📋 ${first}` : `📋 ${first}–${last}`),
  },
  askCountry: html`Which country? Press or type it.`,
  orType: html`<i>Or type it: a number, a country, or a time such as 30 min.</i>`,
  unknownCountry: (answer: string) => `There is no country “${answer}”.`,
  tooManyCountries: (answer: string) =>
    `“${answer}” matches too many countries. Please send more of the name.`,
  severalCountries: (answer: string) => html`Which one do you mean by “${answer}”?`,
  askMinutes: html`For how many minutes should each proxy keep its IP? Press or type it.`,
  askQuantity: html`How many proxies? Press or type it.`,
  askFormat: html`Which format should the lines have?`,
  /** The answer to a number that cannot be. */
  possible: {
    minutes: (most: number) => `The IPs can stay for 1 to ${most} minutes. Send a whole number.`,
    quantity: (most: number) => `You can get 1 to ${most} proxies at a time. Send a whole number.`,
  },
  done: (count: number) => html`✅ <b>${count === 1 ? 'Your proxy' : `Your ${count} proxies`}</b>`,
  validUntil: (time: string) => html`The IPs stay the same until <b>${time}</b>.`,
  gateway: (address: string, protocol: string) => html`Gateway: <code>${address}</code> (${protocol})`,
  tryIt: html`Try it in a terminal:`,
  fileCaption: (count: number, name: string) =>
    html`${count === 1 ? '1 proxy' : `${count} proxies`} of <b>${name}</b>, one per line`,
  link: {
    title: html`🔗 <b>Your link</b>`,
    what: html`Anyone who opens it gets fresh proxies as text and spends your traffic. Keep it secret.`,
    list: (count: number) =>
      count === 0
        ? html`🔗 <b>My links</b>\n\nThere are no active links. Create one with “As link” in “Get proxies”.`
        : html`🔗 <b>My links</b>\n\nActive links: ${count}. Tap one to see or revoke it.`,
    button: (quantity: number, place: string, date: string) => `🔗 ${quantity} × ${place} · ${date}`,
    facts: (facts: { product: string; place: string; quantity: number; date: string; url: Html }) =>
      lines(
        html`🔗 <b>Link to traffic</b>`,
        '',
        html`Product: <b>${facts.product}</b>`,
        html`Gives: ${facts.quantity} × ${facts.place}`,
        html`Created: ${facts.date}`,
        '',
        facts.url,
        '',
        html`Once it is revoked, programs that use it get nothing. This cannot be undone.`,
      ),
    ended: 'The link is revoked.',
    unreachable: 'Links are not available in this shop. Take the proxies as a file instead.',
    gone: 'This link is no longer active.',
  },
}

/** Sub-accounts of dynamic traffic. */
export const subAccounts = {
  title: (product: string, total: number, left: string) =>
    lines(
      html`🔑 <b>Sub-accounts</b>`,
      '',
      html`Product: <b>${product}</b>`,
      html`In the main account: <b>${left}</b>`,
      html`Sub-accounts: <b>${total}</b>`,
    ),
  empty: html`A sub-account is a separate login for part of your traffic: for a program, a colleague or a customer.`,
  button: (icon: string, name: string, left: string) => `${icon} ${name} · ${left}`,
  icons: { active: '🟢', disabled: '⏸' },
  status: { active: '🟢 Active', disabled: '⏸ Disabled' },
  buttons: {
    create: '➕ New sub-account',
    anyName: '🎲 Random name',
    give: '➕ Give traffic',
    take: '➖ Take back',
    disable: '⏸ Disable',
    enable: '▶️ Enable',
    password: '🔁 New password',
    remove: '🗑 Delete',
    removeNow: (name: string) => `🗑 Delete ${name}`,
    setPassword: '🔁 Set a new password',
    amount: (gigabytes: number) => `${gigabytes} GB`,
    all: (left: string) => `All: ${left}`,
    other: '✏️ Other amount',
    confirm: '✅ Move it',
    open: '🔑 Open the sub-account',
    copy: '📋 Copy the line',
  },
  name: (name: string) => html`Login: <code>${name}</code>`,
  gateway: (host: string, port: number) => html`Gateway: <code>${host}:${port}</code>`,
  bar: (bar: string) => html`${bar} used`,
  left: (left: string, limit: string) => html`Left: <b>${left}</b> of ${limit}`,
  remark: (remark: string) => html`Remark: ${remark}`,
  created: (date: string) => html`Created: ${date}`,
  askName: (amount: string) =>
    lines(
      html`➕ <b>New sub-account</b>`,
      '',
      html`Traffic: <b>${amount}</b>`,
      html`Which login name? Send me 3 to 32 letters, digits or underscores, or use a random one.`,
    ),
  badName: (answer: string) =>
    `“${answer}” is not possible: 3 to 32 letters, digits or underscores, and not like the random names.`,
  askFirstTraffic: (left: string) =>
    lines(
      html`➕ <b>New sub-account</b>`,
      '',
      html`How many GB should it start with? You have <b>${left}</b>. Press a button or send me a number, such as <code>0.5</code>.`,
    ),
  askAmount: {
    give: (name: string, left: string) =>
      html`➕ How many GB for <b>${name}</b>?\n\nIn the main account: <b>${left}</b>`,
    take: (name: string, left: string) =>
      html`➖ How many GB to take back from <b>${name}</b>?\n\nIt has <b>${left}</b>.`,
  },
  typeAmount: {
    give: (name: string) =>
      html`➕ How many GB for <b>${name}</b>? Send me a number, such as <code>0.5</code>.`,
    take: (name: string) =>
      html`➖ How many GB to take back from <b>${name}</b>? Send me a number, such as <code>0.5</code>.`,
  },
  notAnAmount: (answer: string, most: number) =>
    `“${answer}” is not an amount of traffic: send a number up to ${most}, with at most three decimals.`,
  onlyLeft: (most: number) => `Only ${most} GB are left. Send a number up to that.`,
  move: {
    give: (name: string, amount: string) => html`➕ Give <b>${amount}</b> to <b>${name}</b>?`,
    take: (name: string, amount: string) => html`➖ Take <b>${amount}</b> back from <b>${name}</b>?`,
    main: (before: string, after: string) => html`Main account: ${before} → <b>${after}</b>`,
    sub: (before: string, after: string) => html`Sub-account: ${before} → <b>${after}</b>`,
    tooMuch: (left: string) => html`⚠️ Only <b>${left}</b> is available.`,
    done: '✅ Done.',
  },
  secret: {
    created: html`✅ <b>Sub-account created</b>`,
    changed: html`✅ <b>New password set</b>\n\nThe old one no longer works.`,
    line: html`Copy it now: the password is shown only once.`,
  },
  askPassword: (name: string) =>
    html`🔁 <b>Set a new password for ${name}?</b>\n\nThe current one stops working at once, for everyone who uses it.`,
  askDelete: (name: string, left: string) =>
    html`🗑 <b>Delete ${name}?</b>\n\nIts login stops working at once and for good. <b>${left}</b> goes back to the main account.`,
  deleted: (name: string, returned: string) =>
    `${name} is deleted; ${returned} went back to the main account.`,
}

/** What traffic is used for. */
export const usage = {
  title: html`📊 <b>Use of traffic</b>`,
  noTraffic: html`There is no traffic yet.`,
  today: (used: string) => html`Used today: <b>${used}</b>`,
  lastDays: (days: number) => html`<b>Last ${days} days</b> (UTC)`,
  perDay: html`📈 <b>Traffic used per day</b>`,
  nothing: (days: number) => html`Nothing was used in the last ${days} days.`,
  day: (day: string, bar: string, used: string) => html`<code>${day}</code> ${bar} ${used}`,
  asOf: (time: string) => html`<i>As of ${time}</i>`,
  hosts: html`🎯 <b>Most used hosts</b>`,
  range: (from: string, to: string) =>
    from === to ? html`Day: <b>${from}</b> (UTC)` : html`Days: <b>${from} – ${to}</b> (UTC)`,
  total: (used: string) => html`Used: <b>${used}</b>`,
  host: (place: number, host: string, used: string) => html`${place}. ${host}: <b>${used}</b>`,
  others: (used: string) => html`All others: ${used}`,
  noHosts: html`Nothing was used.`,
  kept: (days: number) => html`<i>Names of hosts only, kept for ${days} days.</i>`,
  notKept: html`Hosts are not kept. Switch it on to see from now on where the traffic goes.`,
  askForget: html`🙈 <b>Stop keeping hosts?</b>\n\nThose kept so far are deleted now. Daily usage is still counted.`,
  switched: { on: 'Hosts are kept from now on.', off: 'Hosts are no longer kept.' },
  buttons: {
    open: '📊 Usage',
    hosts: '🎯 Hosts',
    chart: '📈 Chart',
    today: 'Today',
    week: '7 days',
    forget: '🙈 Keep no hosts',
    forgetNow: '🙈 Delete, keep no more',
    keep: '👁 Keep hosts from now on',
  },
}

/** Addresses from which traffic is used without a password. */
export const allowed = {
  title: html`🛡 <b>Allowed IPs</b>`,
  what: html`Whoever connects from these addresses uses this traffic without username and password.`,
  none: html`There are none. Send me addresses to add them.`,
  count: (count: number, most: number) => html`Addresses: <b>${count}</b> of ${most}`,
  address: (place: number, address: string) => html`${place}. <code>${address}</code>`,
  country: (country: string) => html`Their traffic leaves in: <b>${country}</b>`,
  anywhere: html`Their traffic leaves in any country.`,
  ask: html`Send me addresses or ranges, several at once if you like: <code>203.0.113.7 198.51.100.0/24</code>\n\nA country behind them, such as <code>US</code>, is where the traffic of all allowed addresses leaves.`,
  removed: (address: string) => `${address} is removed.`,
  problems: {
    none: 'Please send at least one address, such as 203.0.113.7.',
    tooMany: (most: number) => `At most ${most} addresses are possible. Remove some, or use a range.`,
    /** Keys are the core's names of the rules. */
    rules: {
      not_an_address_range: (address: string) =>
        `“${address}” is not an address like 203.0.113.7 and not a range like 198.51.100.0/24.`,
      address_range_too_wide: (address: string) =>
        `${address} is too wide: ranges go up to /24, those of IPv6 up to /48.`,
      not_of_a_client: (address: string) =>
        `${address} is a private address. Send the public one, which sites like ipinfo.io show.`,
      named_twice: (address: string) => `${address} is already in the list, or overlaps with a range there.`,
      address_of_another_account: (address: string) =>
        `${address} is already used for other traffic. An address belongs to one product of one account.`,
    },
  },
  buttons: {
    open: '🛡 Allowed IPs',
    add: '➕ Add addresses',
    remove: (address: string) => `🗑 ${address}`,
    anywhere: '🌍 Leave in any country',
  },
}
