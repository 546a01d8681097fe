import { html, type Html } from '../html.ts'

/** Orders of static proxies and the proxies in them. */
export const orders = {
  title: (total: number) => html`<b>My orders</b>\n\nOrders: ${total}`,
  titleOf: (username: string, total: number) => html`<b>Orders of ${username}</b>\n\nOrders: ${total}`,
  titleOfAll: (total: number) => html`<b>Orders of all users</b>\n\nOrders: ${total}`,
  emptyOfAll: html`<b>Orders of all users</b>\n\nNobody has bought any proxies yet.`,
  empty: html`<b>My orders</b>\n\nYou have not bought any proxies yet.`,
  noneHere: html`There are no such orders.`,
  emptyOf: (username: string) => html`<b>Orders of ${username}</b>\n\n${username} has no proxies yet.`,
  filterTitle: html`<b>Which orders?</b>`,
  filters: {
    all: 'All',
    processing: '⏳ Preparing',
    active: '✅ Active',
    dead: '🔴 Dead',
    expiring: '⏰ Expiring',
    expired: '⌛ Expired',
    failed: '❌ Failed',
    recycle: '🗑 Ended',
  },
  created: (date: string) => `· ${date}`,
  until: (date: string) => date,
  search: {
    button: '🔎 Search',
    question: html`<b>Search</b>\n\nSend me proxies (<code>ip:port:username:password</code>), IP addresses or order numbers, one per line. Part of one is enough.`,
    nothing: 'Nothing found. Try something else.',
    tooManyLines: (max: number) => `At most ${max} lines at once.`,
    found: (total: number) => html`<b>Found orders:</b> ${total}`,
    more: (shown: number) => html`Only the newest ${shown} are shown.`,
  },
  number: (orderNo: string) => html`Order <code>${orderNo}</code>`,
  status: (status: string) => html`<b>${status}</b>`,
  user: (username: string) => html`👤 <b>${username}</b>`,
  project: (name: string) => html`Project: <b>${name}</b>`,
  total: (total: string) => html`Total: <b>${total}</b>`,
  count: (delivered: number, ordered: number) =>
    delivered === ordered
      ? html`Proxies: <b>${ordered}</b>`
      : html`Proxies: <b>${delivered}</b> of ${ordered}`,
  renewed: (amount: string) => html`Paid for renewals: <b>${amount}</b>`,
  refunded: (amount: string) => html`Refunded: <b>${amount}</b>`,
  expires: (date: string) => html`Valid until: <b>${date}</b>`,
  expireFrom: (first: string, last: string) =>
    html`Valid until: <b>${first}</b> (earliest) – <b>${last}</b> (latest)`,
  expired: (date: string) => html`Expired: <b>${date}</b>`,
  states: (active: number, expired: number, released: number) =>
    html`In use: <b>${active}</b> · expired: ${expired} · released: ${released}`,
  /** How many of the proxies in use are dead. */
  dead: (dead: number, of: number): string => {
    if (dead < of) return `🔴 ${dead} of ${of} proxies ${dead === 1 ? 'is' : 'are'} dead`
    return of === 1 ? '🔴 The proxy is dead' : `🔴 All ${of} proxies are dead`
  },
  renewing: (count: number) =>
    html`🔄 Renewal in progress: <b>${count}</b> ${count === 1 ? 'proxy' : 'proxies'}`,
  renewableUntil: (date: string) => html`Expired proxies can be renewed until ${date}.`,
  autoRenew: (on: number, of: number) =>
    on === 0 ? html`Auto-renew: off` : html`Auto-renew: <b>on</b>${on < of ? ` for ${on} of ${of}` : ''}`,
  autoRenewSet: (on: boolean): string => (on ? 'Auto-renew is on.' : 'Auto-renew is off.'),
  accepted: html`✅ <b>Order accepted and paid</b>`,
  delivery: html`The proxies will come in a message as soon as they are ready; you can also find them in the order.`,
  preparing: html`Your proxies are being prepared. I will send them here in a moment.`,
  showLines: '📋 Show the proxies',
  oneByOne: '🔎 Details',
  instances: (orderNo: string, total: number) =>
    html`<b>Proxies of order</b> <code>${orderNo}</code>\n\nWhich one? There are ${total}.`,
  export: {
    text: '📄 .txt',
    csv: '📊 .csv',
    allText: '📄 Active as .txt',
    allCsv: '📊 Active as .csv',
    lines: (count: number) => html`${count === 1 ? '1 proxy' : `${count} proxies, one per line`}`,
    table: (count: number) => html`${count === 1 ? '1 proxy' : `${count} proxies`}, with a header line`,
    deadLast: (dead: string) => html`${dead}: the last in the file.`,
  },
  noneActive: 'There are no active proxies.',
  instance: {
    health: {
      works: html`Last test: ✅ works`,
      slow: html`Last test: 🐢 works, but slowly`,
      failing: html`Last test: ⚠️ failed. It is tested again in a few minutes.`,
      dead: html`Tests: 🔴 dead`,
      not_tested: html`Not tested yet`,
    },
    dead: '🔴 Dead',
    status: { active: '✅ Active', expired: '⌛ Expired', released: '🗑 Released' },
    address: (ip: string, port: number) => html`IP: <code>${ip}</code>\nPort: <code>${port}</code>`,
    credentials: (username: string, password: string) =>
      html`Username: <code>${username}</code>\nPassword: <code>${password}</code>`,
    protocols: html`Protocols: HTTP, SOCKS5`,
    range: (range: string) => html`IP range: <code>${range}</code>`,
    opened: (date: string) => html`Opened: ${date}`,
    released: (date: string) => html`Released: ${date}`,
    number: (instanceNo: string) => html`Proxy <code>${instanceNo}</code>`,
    line: (line: string) => html`<code>${line}</code>`,
  },
  renew: {
    button: '🔁 Renew',
    title: html`<b>Renew proxies</b>`,
    which: (chosen: number, of: number) => html`Which ones? Chosen: <b>${chosen}</b> of ${of}.`,
    none: 'There is nothing to renew in this order.',
    confirm: (total: string) => `✅ Renew · ${total}`,
    /** What a renewal of one proxy costs, and the button that pays it. */
    offer: (term: string, end: string, price: string) => html`🔁 ${term} more, until ${end}: <b>${price}</b>`,
    now: (term: string, price: string) => `🔁 Renew ${term} · ${price}`,
    otherTerm: '🗓 Other term',
    newEnd: (date: string) => html`New expiry: <b>${date}</b>`,
    newEnds: (first: string, last: string) => html`New expiry: <b>${first}</b> to <b>${last}</b>`,
    done: (count: number) => html`✅ <b>Renewed and paid</b> (${count})`,
    accepted: (count: number) => html`✅ <b>Renewal accepted and paid</b> (${count})`,
    follows: html`The new expiry follows in a message, in a few minutes as a rule. What cannot be renewed is refunded.`,
    paid: (amount: string) => html`Paid: <b>${amount}</b>`,
    /** Asked before dead proxies are renewed. */
    dead: {
      why: html`A renewal costs the same and does not bring it back. A replacement keeps the term: replace first, then renew.`,
      without: (left: number) => `🔁 Only the ${left} others`,
      anyway: (count: number) => (count === 1 ? '🔁 Renew it anyway' : `🔁 Renew all ${count} anyway`),
      which: '🔎 Show the proxies',
    },
  },
  release: {
    button: '🗑 Release',
    title: html`<b>Release proxies</b>`,
    which: (chosen: number, of: number) =>
      html`Which ones do you no longer need? Chosen: <b>${chosen}</b> of ${of}.`,
    none: 'There is nothing to release in this order.',
    confirm: (count: number) => (count === 1 ? '🗑 Release this proxy' : `🗑 Release these ${count} proxies`),
    /** What a release of one proxy gives back, and the button that does it. */
    offer: (refund: string, until: string) =>
      html`🗑 Released now, <b>${refund}</b> comes back (until ${until}). It stops working at once.`,
    now: (refund: string) => `🗑 Release · ${refund} back`,
    final: html`Released proxies stop working at once. This cannot be undone.`,
    refund: (amount: string, until: string) => html`Refund: <b>${amount}</b> (possible until ${until})`,
    keptBack: (amount: string, staying: number) =>
      staying === 1
        ? html`Kept back: <b>${amount}</b>. A single proxy costs more than each did in the larger order.`
        : html`Kept back: <b>${amount}</b>. The ${staying} proxies that stay cost more each than they did in the larger order.`,
    noRefund: (until: string) => html`No refund: it was possible until ${until}.`,
    neverRefund: html`No refund: this product is not refundable.`,
    done: (count: number) => html`🗑 <b>Released</b> (${count})`,
  },
  reset: {
    button: '🔑 New password',
    confirm: '🔑 Change the password',
    question: (address: string) =>
      html`<b>New password</b>\n\nThe proxy <code>${address}</code> gets another password. The old one stops working. This is possible once an hour.`,
    asked: 'The new password comes in a message.',
    tooSoon: 'This is possible once an hour for each proxy.',
  },
  check: {
    button: '🩺 Test',
    again: '🩺 Test again',
    testing: 'Testing… this takes up to 15 seconds.',
    alive: html`✅ <b>The proxy works</b>`,
    dead: html`🔴 <b>The proxy is dead</b>`,
    failed: html`⚠️ <b>The test failed</b>`,
    saysNothing: html`⚠️ <b>The test says nothing</b>`,
    times: (connect: number, firstByte: number) =>
      html`Connected in <b>${connect} ms</b>, answered in <b>${firstByte} ms</b>`,
    exit: (address: string) => html`Exit address: <code>${address}</code>`,
    reasons: {
      refused: html`It refuses connections.`,
      unreachable: html`It cannot be reached.`,
      timeout: html`It does not answer in time.`,
      closed: html`It ends the connection.`,
      not_a_proxy: html`What answers there is no proxy.`,
      credentials_refused: html`It refuses the username or the password.`,
      target_refused: html`It takes the connection and reaches nothing behind it.`,
      wrong_answer: html`It answers with something else than what was asked for.`,
      control_failed: html`Our own test address cannot be reached just now. Please try again in a few minutes.`,
    },
    notYet: html`One failed test is no verdict. I test again every 5 minutes, and tell you when the proxy is dead.`,
  },
  test: {
    button: '🩺 Test all',
    again: '🩺 Test all again',
    underWay: (progress: Html) =>
      html`🩺 <b>Testing the proxies</b>\n${progress}\n\nYou can go on meanwhile; this order has the result.`,
    over: (works: number, of: number) =>
      works === of ? html`✅ <b>All ${of} proxies work</b>` : html`🩺 <b>${works} of ${of} proxies work</b>`,
    unknown: (count: number) =>
      html`Of ${count} nothing is known: our own test address could not be reached. Please try again in a few minutes.`,
    replace: (number: number) => `♻️ Replace ${number}`,
    tooSoon: 'This is possible once a minute.',
  },
  replace: {
    button: '♻️ Replace',
    title: html`<b>Replace the proxy</b>`,
    why: html`What is wrong with it?`,
    reasons: {
      dead: 'It does not connect',
      blocked: 'A site blocks it',
      slow: 'It is too slow',
      place: 'Its location is wrong',
    },
    ownReason: '✍️ Something else',
    typeReason: html`What is wrong with the proxy? Tell me in your own words.`,
    reason: (reason: string) => html`Reason: ${reason}`,
    atOnce: (until: string) =>
      html`You get another proxy of the same product and place at once, valid until <b>${until}</b> like this one. This one stops working.`,
    noneFree: (refund: string) =>
      html`There is no equivalent proxy right now. Instead I can release this one and return <b>${refund}</b> for the rest of its term.`,
    ask: html`The shop decides; I will tell you as soon as it has.`,
    askNoneFree: (refund: string) =>
      html`There is no equivalent proxy right now. If none turns up, this one is released and <b>${refund}</b> for the rest of its term is returned.`,
    now: '♻️ Replace it now',
    refundNow: (refund: string) => `↩️ Release it for ${refund}`,
    askNow: '📨 Ask the shop',
    done: html`✅ <b>The proxy is replaced</b>`,
    refunded: (refund: string) =>
      html`↩️ <b>The proxy is released</b>\n${refund} was returned to the balance.`,
    requested: html`📨 <b>The shop has been asked</b>\nI will tell you as soon as it has decided.`,
    processing: html`⏳ <b>Another proxy is on its way</b>\nI will tell you as soon as it is there; until then nothing changes.`,
    open: '🔎 Open the proxy',
    history: {
      done: (date: string, before: string) => html`♻️ ${date}: replaced, before <code>${before}</code>`,
      refunded: (date: string, refund: string) => html`↩️ ${date}: no equal proxy, ${refund} returned`,
      requested: (date: string) => html`📨 ${date}: another proxy asked for`,
      processing: (date: string) => html`⏳ ${date}: another proxy on its way`,
      declined: (date: string, note: string) =>
        html`✖️ ${date}: not replaced${note === '' ? '' : `: ${note}`}`,
    },
  },
  choose: {
    all: '☑️ All',
    none: '⬜️ None',
    goOn: (count: number) => `Continue with ${count} ›`,
    nothing: 'Choose at least one first.',
  },
  order: (count: number, of: number) => html`Proxies: <b>${count}</b> of ${of}`,
}

/** The one list of proxies. */
export const proxies = {
  title: html`<b>My proxies</b>`,
  titleOf: (username: string) => html`<b>Proxies of ${username}</b>`,
  titleOfAll: html`<b>Proxies of all users</b>`,
  nothingYet: html`There are no proxies yet.`,
  counts: (active: number, dead: number, expiring: number, expired: number) =>
    html`✅ In use: <b>${active}</b>${dead > 0 ? ` · 🔴\u00a0dead:\u00a0${dead}` : ''}${expiring > 0 ? ` · ⏰\u00a0expiring:\u00a0${expiring}` : ''}${expired > 0 ? ` · ⌛\u00a0expired:\u00a0${expired}` : ''}`,
  processing: (orders: number) =>
    html`⏳ ${orders === 1 ? '1 order is' : `${orders} orders are`} being prepared`,
  chosen: (what: string) => html`🎛 ${what}`,
  noneHere: html`None match this filter.`,
  filters: {
    active: 'In use',
    works: 'Works',
    slow: 'Slow',
    failing: 'Failed',
    dead: 'Dead',
    not_tested: 'Untested',
    expiring: 'Ending',
    manual: 'Manual',
    noted: 'Noted',
    expired: 'Expired',
    released: 'Gone',
  },
  filterTitle: html`<b>Which proxies?</b>\n\n⏰ end within 7 days, ✋ do not renew themselves.`,
  counted: (name: string, count: number) => `${name} ${count}`,
  mine: 'Mine',
  everybody: '👥 All users',
  ends: {
    active: (date: string) => `until ${date}`,
    expired: (date: string) => `expired ${date}`,
    released: (date: string) => `released ${date}`,
  },
  button: (sign: string, ip: string, note: string, date: string) =>
    `${sign} ${ip} ${note === '' ? `→ ${date}` : note}`,
  found: (total: number) => html`<b>Found proxies:</b> ${total}`,
  foundMore: (shown: number) => html`Only the newest ${shown} are shown.`,
  whatToFind: html`<b>Search</b>\n\nSend me an IP address, a proxy, a note, a username or an order number, one per line. Part of it is enough. You can also send it from any other screen.`,
  exportText: html`Files hold what is in use now.`,
  noteLine: (note: string) => html`📝 <b>${note}</b>`,
  noteSet: 'Saved.',
  noteTooLong: (max: number) => `At most ${max} characters.`,
  whatNote: (address: string, note: string) =>
    html`<b>Note</b>\n\nWhat do you call <code>${address}</code>? Only you and your agent see it.${note === '' ? '' : `\n\nNow: ${note}`}`,
  formatsTitle: (address: string) => html`<b>Copy</b> <code>${address}</code>`,
  buttons: {
    filter: '🎛 Filter',
    noFilter: '✖️ No filter',
    export: '📤 Export',
    orders: '🧾 Orders',
    formats: '🔤 Formats',
    note: '📝 Note',
    noNote: '✖️ Remove the note',
    again: '🛒 Buy again',
  },
}

/** Many proxies at once. */
export const selection = {
  title: html`<b>Renew proxies</b>`,
  chosen: (count: number, of: number) => html`Chosen: <b>${count}</b> of ${of}`,
  more: (most: number) => html`These are the ${most} that expire first.`,
  nothing: html`Choose some to see the price.`,
  none: 'There is nothing that can be renewed.',
  line: (product: string, count: number, price: string, periods: number) =>
    html`${product} × ${count}: ${price}${periods > 1 ? ` × ${periods}` : ''}`,
  refused: (count: number, why: string) => html`⚠️ ${count} cannot be renewed like this: ${why}`,
  asBought: 'As bought',
  term: (term: string) => html`For: <b>${term}</b>`,
  orType: html`<i>Or type it: a term, IP addresses, a note.</i>`,
  notFound: (text: string) =>
    `Nothing here is called “${text}”, and it is not a term that all of these can have.`,
  confirm: (count: number, total: string) => `✅ Renew ${count} · ${total}`,
  done: (count: number) => html`✅ <b>Renewed and paid: ${count} ${count === 1 ? 'proxy' : 'proxies'}</b>`,
  waiting: (count: number) =>
    html`⏳ ${count} of them wait for their supplier; a message follows in a few minutes as a rule. What cannot be renewed is refunded.`,
  failed: (count: number, refund: string) =>
    html`⚠️ ${count} could not be renewed. <b>${refund}</b> is back on the balance.`,
  autoSet: (on: boolean, count: number) =>
    on ? `${count} renew themselves now.` : `${count} do not renew themselves any more.`,
  autoNone: 'Only proxies in use can renew themselves.',
  noteQuestion: (count: number) =>
    html`<b>Note</b>\n\nWhat do you call these <b>${count}</b> proxies? All of them get this note, in place of the one they have. Send it to me at any time to find them.`,
  buttons: {
    soon: (count: number) => `⏰ End ${count}`,
    all: '☑️ All',
    none: '⬜️ None',
    autoOn: '🔁 Auto on',
    autoOff: '✋ Auto off',
    note: '📝 Note',
  },
}

export const proxyLinks = {
  newLink: '🔗 As link',
  title: html`🔗 <b>Link to proxies</b>`,
  all: html`All proxies in use`,
  what: html`It always gives what is in use at that moment: after renewals, replacements and releases you need no new link.`,
  ask: html`What should it give? Text comes in the format you copy proxies in.`,
  keep: html`Anyone who opens it gets these proxies with their passwords. Keep it secret.`,
  contents: { txt: '📄 Text', csv: '📊 CSV', json: '🧩 JSON' },
  list: (count: number) =>
    count === 0
      ? html`🔗 <b>Links to proxies</b>\n\nThere are no active links.`
      : html`🔗 <b>Links to proxies</b>\n\nActive links: ${count}. Tap one to see or revoke it.`,
  button: (content: string, date: string, order: string | undefined) =>
    `🔗 ${content} ${date} ${order === undefined ? 'all' : `…${order}`}`,
  unknown: html`This link was made by an earlier version, which did not keep it. Make a new one if you need it again.`,
  facts: (content: string, date: string) => html`Gives: ${content}\nCreated: ${date}`,
  revokeWarning: html`Once it is revoked, programs that use it get nothing. This cannot be undone.`,
}
