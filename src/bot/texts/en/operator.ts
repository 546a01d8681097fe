import type { DayFigures } from '../../../core/facts/operator-facts.ts'
import type { ProbeStage } from '../../../core/checks/prober.ts'
import type { ExitFaultPhrase } from '../../../core/gateway/wire.ts'
import type { Broadcast } from '../../../core/notices/content.ts'
import { html, type Html, lines } from '../html.ts'

const proxies = (count: number) => (count === 1 ? '1 proxy' : `${count} proxies`)
/** Names a network where there are several. */
const of = (network: string | undefined) => (network === undefined ? '' : ` (${network})`)
const daysOf = (count: number) => (count === 1 ? '1 day' : `${count} days`)

/** What the operator's chats show. */
export const operator = {
  buttons: {
    payments: (count: number) => `💸 Unmatched payments${count > 0 ? ` (${count})` : ''}`,
    decide: (count: number) => `🛎 To decide${count > 0 ? ` (${count})` : ''}`,
    broadcast: '📣 Broadcast',
    figures: '📊 Today so far',
    operator: '🛠 Operator',
    assign: '✅ Assign to a top-up',
    assignNow: (credit: string) => `✅ Credit ${credit}`,
    ignore: 'Ignore',
    ignoreNow: 'Ignore this payment',
    reopen: '↩️ Put it back',
    refund: 'Refunded manually',
    replacements: (count: number) => `♻️ Replacements${count > 0 ? ` (${count})` : ''}`,
    payouts: (count: number) => `🏦 Payouts${count > 0 ? ` (${count})` : ''}`,
    payoutPaid: '✅ Paid',
    refusePayout: '✖️ Refuse',
    copyAddress: '📋 Address',
    copyAmount: '📋 Amount',
    allow: '✅ Allow',
    decline: '✖️ Decline',
    withoutReason: 'Without a reason',
    refundRest: '↩️ Refund the rest',
    send: (chats: number) => (chats === 1 ? '📣 Send to 1 chat' : `📣 Send to ${chats} chats`),
    stop: 'Stop sending',
    doNotSend: '✖️ Do not send',
    inAnHour: '🕘 In 1 hour',
    tomorrow: '🕘 Tomorrow 9:00',
    otherTime: '🕘 Another time',
    broadcasts: '🗂 Sent and planned',
    newBroadcast: '📣 New broadcast',
    suppliers: '🏭 Suppliers',
    profit: '💹 Profit',
    exits: '🚪 Exits',
    gateway: '📡 Gateway',
    setUp: '⚙️ Set-up',
    backups: '💾 Backups',
    backUp: '💾 Back up now',
    addSupplier: '➕ Add a supplier',
    editSupplier: '✏️ Change',
    removeSupplier: '🗑 Remove',
    removeSupplierNow: '🗑 Remove it for good',
    editExit: '✏️ Change',
    whiteLists: '🛡 White lists',
    usageFile: '📄 Usage file',
    addExit: '➕ Add an exit',
    removeExit: '🗑 Remove',
    removeExitNow: (id: number) => `🗑 Remove exit ${id}`,
    openSupplier: '🏭 Supplier',
    openCall: '🔎 Call',
    offers: '📦 Offers',
    doubtful: (count: number) => `⚠️ Calls in doubt (${count})`,
    sync: '🔄 Sync',
    reconcile: '⚖️ Compare',
    callback: '🔗 Callback',
    test: '🩺 Test',
    pause: '⏸ Pause',
    resume: '▶️ Resume',
    pauseOffer: '⏸ Take it off sale',
    resumeOffer: '▶️ Sell it again',
    found: '✅ Found',
    absent: '❌ Not there',
    absentNow: '❌ Count as refused, refund',
    periods: { today: 'Today', week: '7 days', month: 'Month' },
  },
  setUp: html`<b>Set-up</b>\n\nWho runs the shop, what it stands on, and how this chat is told.`,
  decide: html`<b>To decide</b>`,
  nothingToDecide: html`Nothing waits for a decision.`,
  home: lines(
    html`<b>Operator</b>`,
    '',
    html`This chat is told about payments that match no top-up, problems with the chain or the books, low stock, and the figures of each day.`,
  ),
  chatId: (id: number, known: boolean) =>
    known
      ? html`This is an operator chat. Its id: <code>${id}</code>`
      : html`Id of this chat: <code>${id}</code>\nTo make it an operator chat, add the id to <code>OPERATOR_CHAT_IDS</code> and restart the service.`,
  notNamed:
    'You do not run this shop. An owner can add you; /chatid in a private chat with me shows your id.',
  inGroups: html`<i>In a group, send it as a reply to this message.</i>`,
  figures: {
    ofDay: (day: string) => html`📊 <b>${day}</b> (UTC)`,
    orders: ({ staticOrders, dynamicOrders }: DayFigures) =>
      html`Orders: <b>${staticOrders + dynamicOrders}</b> (static ${staticOrders}, traffic ${dynamicOrders})`,
    money: (revenue: string, refunds: string) => html`Revenue: <b>${revenue}</b> · refunds: ${refunds}`,
    agents: (part: string) => html`Agents earned on top of that: ${part}`,
    margin: (cost: string, margin: string) =>
      html`Cost at suppliers: ${cost} · margin there: <b>${margin}</b>`,
    topUps: (count: number, sum: string) => html`USDT top-ups: <b>${count}</b> (${sum})`,
    traffic: (used: string) => html`Traffic used: <b>${used}</b>`,
    gateway: (works: boolean, healthy: number, exits: number) =>
      html`${works ? '' : '⚠️ '}Gateway: ${works ? 'works' : 'does not work'} · healthy exits now: <b>${healthy} of ${exits}</b>`,
    exit: (id: number, bytes: string, errors: number) =>
      html`• Exit ${id}: ${bytes}, ${errors === 1 ? '1 error' : `${errors} errors`}`,
    users: (count: number) => html`New users: <b>${count}</b>`,
    jobs: (count: number) => html`⚠️ Background jobs that keep failing: <b>${count}</b>`,
    job: (id: number, kind: string, reason: string) => html`• ${kind} (${id}): ${reason}`,
    stock: html`Stock:`,
    product: (name: string, free: number, resting: number) =>
      resting > 0
        ? html`• ${name}: <b>${free}</b> (and ${resting} waiting for new credentials)`
        : html`• ${name}: <b>${free}</b>`,
    resting: (name: string, resting: number) => html`• ${name}: <b>${resting}</b>`,
    more: (count: number) => html`… and ${count} more products`,
  },
  notices: {
    account_credited_anyway: (username: string, credited: string, orderNo: string) =>
      html`ℹ️ <b>A disabled account has topped up</b>\n${username} got ${credited} for top-up <code>${orderNo}</code>: the money belongs to this user.`,
    money_wanted: (username: string, missing: string) =>
      html`🙋 <b>${username} asks for money</b>\nThe balance is short by <b>${missing}</b>.`,
    chain_stale: (network: string | undefined, since: string | undefined, reason: string) =>
      html`🔴 <b>The chain${of(network)} cannot be read</b>\n${since === undefined ? 'It has never been read.' : `Last read: ${since}.`} Payments will be credited as soon as it can be read again.\n${reason}`,
    chain_back: (network: string | undefined, since: string) =>
      html`🟢 <b>The chain${of(network)} can be read again</b>\nIt had been unreadable since ${since}. Payments from that time are being credited now.`,
    chain_bad_key: (setting: string) =>
      html`🔴 <b>The chain's provider refuses the API key</b>\nPlease check <code>${setting}</code>.`,
    top_up_slots_low: (amount: string, free: number) =>
      free > 0
        ? html`⚠️ <b>Few amounts are left around ${amount} USDT</b>\nTop-ups that can still be opened there: ${free}. After that people have to choose another amount, until some are paid or expire.`
        : html`🔴 <b>No amount is left around ${amount} USDT</b>\nPeople have to choose another amount, until some top-ups there are paid or expire.`,
    reconciliation_mismatch: (network: string | undefined, chain: string, books: string, since: string) =>
      html`🔴 <b>The wallet${of(network)} and the books differ</b>\nOn the chain: ${chain} USDT\nIn the books: ${books} USDT\nThey last agreed at ${since}.`,
    books_wrong: (count: number) =>
      html`🔴 <b>The books are wrong</b>: ${count === 1 ? '1 difference' : `${count} differences`}`,
    example: (text: string) => html`• ${text}`,
    stock_resting: html`⚠️ <b>Proxies are waiting for new credentials</b>\nEarlier customers know the present ones, so these proxies are not sold. Change the credentials where you buy the proxies, and then here.`,
    stock_low: (name: string, free: number) =>
      free === 0 ? html`🔴 <b>${name} is sold out</b>` : html`⚠️ <b>${name} is running out</b>: ${free} left`,
    supplier_incident: (supplier: string, failing: number, checked: number) =>
      html`🔴 <b>Many proxies of ${supplier} fail at once</b>: ${failing} of ${checked}\nNone of them counts as dead until this is over.`,
    /** Which request to a supplier a notice is about. */
    call: (callNo: string, orderNo: string) =>
      callNo === orderNo
        ? html`Order <code>${orderNo}</code>`
        : html`Call <code>${callNo}</code> for order <code>${orderNo}</code>`,
    supplier_in_doubt: (supplier: string, count: number, cost: string) =>
      html`🔴 <b>It is not known whether ${supplier} has carried out a request</b>\n${proxies(count)}, about ${cost}. Please look it up at the supplier and enter here what you find.`,
    supplier_slow: (supplier: string, count: number, since: string) =>
      html`⏱ <b>${supplier} has not finished a request</b>\n${proxies(count)}, accepted there and open since ${since}. Nothing is lost: I keep asking. Please ask the supplier as well.`,
    supplier_price_changed: (supplier: string, expected: string, charged: string) =>
      html`⚠️ <b>${supplier} charged more than it quoted</b>\n${charged} instead of ${expected}. The offer is paused until you resume it.`,
    supplier_extra: (supplier: string, ordered: number, extra: number) =>
      html`⚠️ <b>${supplier} delivered proxies that nobody gets</b>\n${proxies(extra)} too many or in use already; ordered: ${ordered}`,
    supplier_short_term: (supplier: string, until: string, bought: string) =>
      html`⚠️ <b>Proxies of ${supplier} expire too early</b>\n${until} instead of ${bought}`,
    disk_low: (full: boolean, megabytes: number, percent: number) =>
      full
        ? html`🔴 <b>The disk of the server is full</b> (${megabytes} MB left)\nNothing can be bought, credited or changed until there is room. What was accepted is safe.`
        : html`⚠️ <b>The disk of the server is nearly full</b>: ${megabytes} MB (${percent}%) left\nWhen it is full, nothing can be bought, credited or changed. Please make room.`,
    chat_gone: (who: string, ofPerson: boolean) =>
      ofPerson
        ? html`🔴 <b>I cannot write to ${who}</b>\nThe bot was blocked there or never started. Messages for ${who} are kept until it is started again.`
        : html`🔴 <b>I cannot write to the chat <code>${who}</code></b>\nThe bot was removed there or may not write. Messages for this chat are kept until it may write again. If the chat is no longer used, remove it from <code>OPERATOR_CHAT_IDS</code>.`,
    chat_back: (who: string) =>
      html`🟢 <b>I can write to ${who} again</b>\nThe messages that were kept have been sent.`,
    agent_bot_stopped: (agent: string, username: string) =>
      html`🤖 <b>The bot of ${agent} has stopped</b> · @${username}`,
    message_refused: (reason: string, chat: number, kind: string, subject: string) =>
      html`🔴 <b>Telegram refused a message</b>\nIt is not sent again. Telegram says: <i>${reason}</i>\nTo the chat <code>${chat}</code>, about <code>${kind} ${subject}</code>`,
    backup_failed: (problem: string, detail: string) =>
      html`🔴 <b>The backup failed: ${problem}</b>\n${detail}`,
    backup_stands: (places: string) => html`It is stored in: ${places}`,
    person_joined: (name: string, role: string, telegram: number) =>
      html`👥 <b>${name} runs the shop now</b> · ${role}\nThe link was opened by the Telegram user <code>${telegram}</code>. If that is somebody else, remove this person.`,
    backup_works: (size: string, places: string) =>
      html`🟢 <b>Backups work</b>\nA test restore of the last one succeeded: ${size} in ${places}.`,
    backup_old: (since: string | undefined) =>
      since === undefined
        ? html`🔴 <b>There is no good backup yet</b>\nIf the disk fails now, everything is lost.`
        : html`🔴 <b>The last good backup is old</b>\nIt was made at ${since}. If the disk fails now, everything since then is lost.`,
    version_newer: (newest: string, running: string) =>
      html`🆕 <b>Version ${newest} is out</b>\nThis shop runs ${running}. Read <i>Upgrading</i> in its CHANGELOG before you update.`,
    stock_low_in: (name: string, place: string, free: number) =>
      free === 0
        ? html`🔴 <b>${name} is sold out in ${place}</b>`
        : html`⚠️ <b>${name} is running out in ${place}</b>: ${free} left`,
    supplier_balance_expires: (connection: string, day: string, over: boolean, balance: string | undefined) =>
      over
        ? html`🔴 <b>The balance at ${connection} has expired</b>\nIts last day was ${day}. Pay in there and enter the new date. Otherwise orders for its products fail and are refunded.`
        : html`💰 <b>The balance at ${connection} expires soon</b>\nIts last day is ${day}${balance === undefined ? '' : `; ${balance} is left`}. Pay in there before that day and enter the new date.`,
    supplier_balance_short: (connection: string) =>
      html`🔴 <b>${connection} refuses orders: the balance there is too low</b>\nCustomers are refunded. The balance that was read last seemed high enough; it may have expired. This is told once a day.`,
    supplier_balance_low: (connection: string, balance: string, days: number | undefined) =>
      html`⚠️ <b>The balance at ${connection} is low</b>: ${balance}${days === undefined ? '' : `\nAt the rate of the last 7 days it lasts ${daysOf(days)}.`}\nWhen it is used up, none of the products of this supplier can be sold.`,
    gateway_silent: (since: string) =>
      html`🔴 <b>The gateway has been silent since ${since}</b>\nCustomers cannot use their traffic.`,
    gateway_back: (since: string) => html`🟢 <b>The gateway is back</b>\nIt had been silent since ${since}.`,
    pool_without_exit: (pool: string) =>
      html`🔴 <b>No exit of ${pool} works</b>\nCustomers cannot use this pool.`,
    pool_with_exit: (pool: string, since: string) =>
      html`🟢 <b>${pool} has a working exit again</b>\nThere had been none since ${since}.`,
    webhooks_late: (since: string, webhooks: number) =>
      html`🔴 <b>Deliveries to webhooks have been late since ${since}</b>\nWebhooks waiting: ${webhooks}. Either deliveries have stopped, or there are more than these webhooks can take.`,
    webhooks_back: (since: string) =>
      html`🟢 <b>Deliveries to webhooks are on time again</b>\nSome had been late since ${since}.`,
    supplier_differences: (connection: string) => html`🔴 <b>${connection} and our books differ</b>`,
  },
  suppliers: {
    title: html`<b>Suppliers</b>`,
    none: html`<b>Suppliers</b>

There are none.`,
    line: (icon: string, name: string, balance: string, days: number | undefined) =>
      html`${icon} <b>${name}</b>: ${balance}${days === undefined ? '' : ` · ${daysOf(days)}`}`,
    unknownBalance: 'balance unknown',
    doubtful: (count: number) => html`⚠️ Calls in doubt at suppliers: <b>${count}</b>`,
    name: (name: string, driver: string) => html`🏭 <b>${name}</b> (${driver})`,
    states: { active: html`🟢 Active`, paused: html`⏸ Paused: nothing is sold or bought there` },
    failing: (faults: number, until: string | undefined) =>
      html`🔴 Requests that failed in a row: ${faults}${until === undefined ? '' : `; nothing is sent until ${until}`}`,
    lastError: (reason: string) => html`Last error: ${reason}`,
    balance: (balance: string, at: string) => html`Balance: <b>${balance}</b> (${at})`,
    noBalance: html`Balance: not known yet`,
    expires: (day: string, over: boolean) =>
      over ? html`🔴 Expired: its last day was <b>${day}</b>` : html`Can be spent until <b>${day}</b>`,
    forecast: (days: number) => html`Lasts about <b>${daysOf(days)}</b> at the rate of the last 7 days`,
    mirror: (offers: number, at: string) => html`Offers: <b>${offers}</b>, read at ${at}`,
    noMirror: html`Offers: not read yet`,
    products: (count: number) => html`Products: <b>${count}</b>`,
    calls: (open: number, doubtful: number) =>
      html`Calls under way: <b>${open}</b> · in doubt: <b>${doubtful}</b>`,
    reconciled: (at: string) => html`Compared with our books at ${at}`,
    refused: (reason: string) => `The supplier did not answer as it should: ${reason}`,
    gone: 'This is no longer there.',
    failed: (reason: string) => html`🔴 <b>The supplier did not answer as it should</b>\n${reason}`,
    working: html`⏳ Asking the supplier…`,
    synced: (offers: number, gone: number) =>
      html`✅ Offers read: <b>${offers}</b>${gone > 0 ? `, no longer listed: ${gone}` : ''}`,
    tested: (balance: string, offers: number) =>
      html`✅ It answers. Balance: <b>${balance}</b>, offers: <b>${offers}</b>. Nothing was bought.`,
    offers: (supplier: string, count: number) => html`📦 <b>Offers of ${supplier}</b>: ${count}`,
    noOffers: (supplier: string) => html`📦 <b>Offers of ${supplier}</b>\n\nNone has been read yet.`,
    offerLine: (icon: string, place: string, type: number, cost: string, stock: number) =>
      html`${icon} ${place}, type ${type}: ${cost}, stock ${stock}`,
    offer: (name: string, offerNo: string) => html`📦 <b>${name}</b> <code>${offerNo}</code>`,
    place: (place: string) => html`Place: ${place}`,
    cost: (cost: string) => html`Cost: <b>${cost}</b>`,
    stock: (stock: number, most: number) => html`Stock: <b>${stock}</b> · at most ${most} an order`,
    seen: (at: string) => html`Listed last at ${at}`,
    soldAs: (products: string) => html`Sold as: ${products}`,
    notSold: html`No product sells it.`,
    byOperator: 'by the operator',
    foundAbsent: 'the operator found that the supplier does not have it',
    offerPaused: (reason: string) => html`⏸ Off sale: ${reason}`,
    doubtfulTitle: (count: number) => html`⚠️ <b>Calls in doubt</b>: ${count}`,
    noneDoubtful: html`<b>Calls in doubt</b>\n\nThere are none.`,
    call: (kind: string, callNo: string) => html`<b>${kind}</b> <code>${callNo}</code>`,
    kinds: { open: 'Order', renew: 'Renewal', release: 'Release', reset: 'New credentials' },
    callStates: {
      intended: html`⏳ Not sent yet`,
      sent: html`⏳ Sent, no answer yet`,
      accepted: html`⏳ Accepted, under way`,
      settled: html`✅ Done`,
      refused: html`❌ Refused`,
      in_doubt: html`⚠️ In doubt: nobody knows whether the supplier has carried it out. Look into your account there.`,
    },
    callFor: (supplier: string, orderNo: string, username: string) =>
      html`Supplier: ${supplier}\nOrder: <code>${orderNo}</code> of ${username}`,
    callCount: (count: number, cost: string) => html`Proxies: <b>${count}</b>, expected cost ${cost}`,
    callCost: (cost: string) => html`Charged: ${cost}`,
    callSince: (at: string, attempts: number) => html`Since ${at}, attempts: ${attempts}`,
    providerNumber: (number: string) => html`Number at the supplier: <code>${number}</code>`,
    reason: (reason: string) => html`Reason: ${reason}`,
    typeNumber: html`Send me the number that the order has at the supplier. I look it up there and deliver what it brought.`,
    confirmAbsent: html`<b>Are you sure that the supplier has not carried it out?</b>\n\nIt then counts as refused, and the customer gets the money back. If the supplier has it after all, you pay for proxies that nobody uses.`,
    callback: (url: string) =>
      html`🔗 <b>Callback address</b>\nEnter it in your account at the supplier:\n<code>${url}</code>`,
    callbackPath: (path: string, local: string | undefined) =>
      lines(
        html`🔗 <b>Callback address</b>`,
        local === undefined
          ? html`<code>PUBLIC_URL</code> is not set: nobody outside knows where this server is.`
          : html`<code>PUBLIC_URL</code> is ${local}, which only this machine can open: set the address under which others reach it.`,
        html`The path below it is`,
        html`<code>${path}</code>`,
      ),
    same: (orders: number, running: number) =>
      html`✅ <b>Our books and the supplier’s agree</b>: orders there in 7 days: ${orders}, running proxies: ${running}.`,
    differ: (count: number) => html`🔴 <b>Our books and the supplier’s differ</b>: ${count}`,
    decided: html`✅ Decided. The rest is done within seconds.`,
    differences: {
      counted: (what: string, count: number) => html`• ${what}: <b>${count}</b>`,
      example: (what: string, ours: string, theirs: string) =>
        html`<code>${what}</code>: ${ours} here, ${theirs} there`,
      /** Values of either side that are words of the service; others stand as they are. */
      states: { settled: 'settled', refused: 'refused', released: 'released', unknown: 'unknown' },
      kinds: {
        unknown_order: 'orders that we did not make',
        missing_order: 'orders of ours that it does not know',
        refused_order: 'refused orders that it carried out',
        amount: 'orders with a different amount',
        not_ours: 'proxies that run there and belong to nobody',
        released_runs: 'released proxies that still run there',
        not_running: 'customers’ proxies that do not run there',
        expiry: 'proxies with a different expiry',
      },
    },
  },
  supplierForm: {
    ask: (drivers: string) =>
      lines(
        html`➕ <b>New supplier</b>`,
        '',
        html`Send me these lines in one message:`,
        html`<code>name: acme\nkind: ipipv\nurl: https://api.example.com\nkey: …\nsecret: …</code>`,
        '',
        html`Kinds: ${drivers}. Optional: <code>rate</code>, <code>refund hours</code>, <code>requests</code>, <code>alarm balance</code>, <code>alarm days</code>, <code>balance until</code> (a day such as 2026-12-31, or no).`,
        html`I delete your message, because it holds a secret; in a group I have to be an administrator for that.`,
      ),
    askChange: (name: string) =>
      lines(
        html`✏️ <b>${name}</b>`,
        '',
        html`Send me what changes, one per line, such as <code>alarm balance: 50</code>: <code>url</code>, <code>key</code>, <code>secret</code>, <code>rate</code>, <code>refund hours</code>, <code>requests</code>, <code>alarm balance</code>, <code>alarm days</code>, <code>balance until</code> (its last day, such as 2026-12-31, or no). What you leave out stays as it is.`,
        '',
        html`I delete your message; in a group I have to be an administrator for that.`,
      ),
    askRemove: (name: string) =>
      html`<b>Remove ${name} with its credentials?</b>\n\nThis is possible only while no product uses it and it has delivered nothing.`,
    added: html`✅ <b>Added.</b> Its offers are read within seconds. Nothing is bought until a product uses them.`,
    changed: html`✅ <b>Changed.</b>`,
    notALine:
      'A line is not like “name: value” with one of the names above. I do not repeat it, because it may be a secret.',
    labels: {
      name: 'name',
      driver: 'kind',
      url: 'url',
      key: 'key',
      secret: 'secret',
      rate: 'rate',
      refundHours: 'refund hours',
      concurrency: 'requests',
      alarmBalance: 'alarm balance',
      alarmDays: 'alarm days',
      balanceExpiresOn: 'balance until',
    },
    /** Keys are the core's names of the rules. */
    rules: {
      not_a_supplier_name: '2-32 characters of a-z, 0-9 and -',
      name_of_own_stock: 'this is the name of your own stock',
      supplier_exists: 'another supplier has this name',
      no_such_driver: 'there is no such kind',
      not_a_supplier_url: 'an address like https://api.example.com, without a username, ? and #',
      supplier_url_not_encrypted: 'it must be https; http is for this machine and private networks only',
      supplier_is_this_service: 'this is the address of this service, which cannot buy from itself',
      not_a_date: 'a day such as 2026-12-31',
      not_a_rate: 'a number above 0 with at most 6 decimals',
      credentials_cannot_be_read:
        'send key and secret again: those that are stored were encrypted with another SECRETS_KEY',
      supplier_has_products: 'Products still use it. Pause it instead.',
      supplier_has_calls: 'It has delivered proxies, and its records stay. Pause it instead.',
      nothing_to_change: 'nothing to change was named',
    },
  },
  exits: {
    title: html`🚪 <b>Exits</b>`,
    none: html`There are none: traffic cannot leave.`,
    pool: (pool: string) => html`<b>${pool}</b>`,
    line: (icon: string, id: number, place: string) => html`${icon} #${id} ${place}`,
    button: (icon: string, id: number, country: string) => `${icon} #${id} ${country}`,
    anywhere: 'no particular place',
    exit: (id: number, pool: string) => html`🚪 <b>Exit ${id}</b> of ${pool}`,
    states: {
      healthy: html`🟢 Works`,
      failing: html`🔴 Does not work`,
      paused: html`⏸ Paused: no new connections`,
      unknown: html`⚪ The gateway has not tested it yet`,
    },
    kind: (kind: string) => html`Kind: ${kind}`,
    kinds: {
      direct: 'direct, from the gateway itself',
      proxy: 'proxy',
      vendor: 'gateway of a vendor',
    },
    address: (address: string) => html`Address: <code>${address}</code>`,
    place: (place: string) => html`Place: ${place}`,
    template: (template: string) => html`Username template: <code>${template}</code>`,
    remoteOnly: html`⚠️ Only the exit resolves the names of targets: its users reach every internal address that it reaches.`,
    lastError: (reason: string) => html`Last error: ${reason}`,
    connect: (ms: number) => html`Connected in ${ms} ms`,
    today: (bytes: string, errors: number) => html`Today: <b>${bytes}</b>, errors: <b>${errors}</b>`,
    total: (bytes: string, errors: number, connections: number) =>
      html`Total: ${bytes}, errors: ${errors}, connections: ${connections}`,
    reported: (at: string) => html`Reported at ${at}`,
    gone: 'This exit is no longer there.',
    removed: (id: number) => `Exit ${id} is removed.`,
    trying: html`⏳ Testing the exit…`,
    works: (connectMs: number, totalMs: number, address: string | undefined) =>
      html`✅ <b>It works</b>: connected after ${connectMs} ms, at the target after ${totalMs} ms${address === undefined ? '' : `, seen as ${address}`}.`,
    fails: (reason: Html, stage: string) => html`🔴 <b>It does not work</b> (${stage}): ${reason}`,
    stages: {
      connect: 'connecting',
      handshake: 'handshake with the proxy',
      credentials: 'username and password',
      echo: 'reaching the test address',
      done: 'done',
    } satisfies Record<ProbeStage, string>,
    faults: {
      'no connection': 'no connection',
      'no connection in time': 'no connection in time',
      'no answer in time': 'no answer in time',
      'no TLS connection': 'no TLS connection',
      'it ended the connection': 'it ended the connection',
      'it does not speak this protocol': 'it does not speak this protocol',
      'it does not speak HTTP': 'it does not speak HTTP',
      'its address is malformed': 'its address is malformed',
      'it refuses the credentials': 'it refuses the username or the password',
      'it answered': 'it answered with an error',
    } satisfies Record<ExitFaultPhrase, string>,
    faultOf: (fault: string, code?: string) => (code === undefined ? fault : `${fault} (${code})`),
    askRemove: html`<b>Remove this exit with its credentials?</b>\n\nIt gets no new connections; open ones continue.`,
    added: html`✅ <b>Added.</b> The gateway uses it within seconds.`,
    askLine: lines(
      html`➕ <b>New exit</b>`,
      '',
      html`Send me one line like one of these:`,
      html`<code>--pool dynamic_1 --url socks5://user:pass@host:port --country us</code>`,
      html`<code>--pool dynamic_1 --direct</code>`,
      html`<code>--pool dynamic_1 --url http://user:pass@host:port --template {user}-country-{country}-session-{session}</code>`,
      '',
      html`You can add <code>--city</code>, and <code>--resolve remote-only</code> if only the exit can resolve names. I delete your message, because it holds a password; in a group I have to be an administrator for that.`,
    ),
    notALine: 'Please send --pool with a pool, and either --url with an address or --direct.',
    askChange: (id: number) =>
      lines(
        html`✏️ <b>Exit ${id}</b>`,
        '',
        html`Send me what changes, such as <code>--country us --city Dallas</code> or <code>--url socks5://user:pass@host:port</code>.`,
        html`<code>--direct</code> takes the address away, <code>--city -</code> the city. What you leave out stays as it is.`,
        '',
        html`I delete your message; in a group I have to be an administrator for that.`,
      ),
    notAChange: 'Please send options such as --country us, not --url and --direct together.',
    changed: html`✅ <b>Changed.</b> The gateway uses it at once.`,
    /** Keys are the core's names of the rules. */
    rules: {
      no_such_pool: 'The pool must be dynamic_1, dynamic_2 or dynamic_3.',
      not_an_exit_url:
        'The address must be like socks5://user:pass@host:port, http:// or https://; write @ : / ? # in user and pass as %40 %3A %2F %3F %23.',
      not_a_country_code: 'The country must be a code of two letters, such as us.',
      not_a_city: 'The city must be a city code or an English city name.',
      city_without_country: 'A city needs --country as well.',
      not_a_template:
        'The template consists of letters, digits, - _ . @ = + ~ and {user}, {country}, {city}, {session}, {lifetime}, each once.',
      template_without_user: 'The template must contain {user}.',
      template_without_credentials: 'A template needs an address with a username.',
      place_of_a_vendor: 'A vendor’s gateway reaches every place by its template: leave --country out.',
      not_a_way_to_resolve: '--resolve takes gateway or remote-only.',
      resolve_of_the_gateway: '--resolve remote-only is for proxies: leave it out with --direct.',
      exit_cannot_be_read:
        'Its credentials were encrypted with another SECRETS_KEY: remove it, and add it again.',
    },
  },
  /** Requests for money of those who have no agent. */
  askedMoney: {
    other: '✏️ Other sum',
    done: {
      given: (username: string, sum: string) => html`✅ <b>${username}</b> has got ${sum} and is told.`,
      declined: (username: string, sum: string) =>
        html`✖️ Declined: <b>${username}</b> is told that it does not get the ${sum}.`,
    },
    before: {
      given: (username: string, sum: string) =>
        html`<b>${username}</b> has already got the ${sum}; nothing was done now.`,
      declined: (username: string, sum: string) =>
        html`What <b>${username}</b> asked for (${sum}) has already been declined; nothing was done now.`,
      over: (username: string) =>
        html`This request is over: <b>${username}</b> has asked again, has got money since, or was deleted. Nothing was done now.`,
    },
    disabled:
      'This account is disabled now: nothing was given. Enable it first, then the button works again.',
  },
  backups: {
    title: html`💾 <b>Backups</b>`,
    every: (minutes: number) =>
      minutes % 60 === 0
        ? minutes === 60
          ? html`Every hour`
          : html`Every ${minutes / 60} hours`
        : html`Every ${minutes} minutes`,
    onlyAsked: html`Only when you ask: <code>BACKUP_EVERY</code> is off.`,
    none: html`There is none yet.`,
    restore: (command: string, asRoot: boolean) =>
      html`<b>To restore the last good one</b>, type in a shell of the server${asRoot ? ', as root' : ''}:\n<pre>${command}</pre>`,
    restoreStopped: (command: string) =>
      html`<b>To restore the last good one</b>, stop the server, then type in a shell:\n<pre>${command}</pre>`,
    restoreFile: html`For <code>FILE</code>, save the file from the backups’ chat on the server.`,
    restoreStart: (command: string) =>
      html`It names what was sold since; do what it says about that, then start again:\n<pre>${command}</pre>`,
    underWay: html`⏳ One is being made.`,
    good: (time: string, size: string, places: string) => html`✅ ${time} · ${size} · ${places}`,
    failed: (time: string, problem: string, detail: string) =>
      html`🔴 ${time} · <b>${problem}</b>\n<i>${detail}</i>`,
    places: { folder: 'folder', s3: 'S3', chat: 'chat' },
    problems: {
      no_room: 'too little space on the disk',
      damaged: 'it cannot be restored',
      unbalanced: 'its books do not balance',
      folder: 'not stored in the folder',
      s3: 'not stored at S3',
      chat: 'not stored in the chat',
      failed: 'it was interrupted',
    },
  },
  usageFile: {
    ask: html`📄 <b>Traffic that another gateway reports</b>\n\nSend me a file, or lines, with the heading <code>account,bytes,report_id</code>: the username that the client sent, the bytes that it used, and the gateway’s number of the report. Either everything is counted or nothing, and each report only once, however often you send it.`,
    counted: (traffic: string, reports: number) =>
      html`✅ <b>${traffic}</b> counted, of ${reports === 1 ? '1 report' : `${reports} reports`}.`,
    known: (reports: number) => html`Counted before: ${reports}`,
    beyond: (traffic: string) => html`Beyond what was left: ${traffic}`,
    refused: html`❌ <b>Nothing is counted.</b> Correct the file and send it again.`,
  },
  whiteLists: {
    ask: html`🛡 <b>White lists</b>\n\nSend me an address or a range, such as <code>203.0.113.7</code>: I tell you whose white list it is on.`,
    title: html`🛡 <b>On white lists</b>`,
    line: (cidr: string, username: string, product: string, day: string) =>
      html`• <code>${cidr}</code>: <b>${username}</b>, ${product}, since ${day}`,
    nobody: html`🛡 This address is on no white list.`,
    free: (cidr: string) => `✂️ ${cidr}`,
    other: '🔎 Another address',
    askFree: (cidr: string, username: string) =>
      html`<b>Take ${cidr} from the white list of ${username}?</b>\n\nClients there then need a username and a password. The customer is told and can add the address again unless somebody else has it.`,
    freeNow: '✂️ Take it off the list',
    freed: (cidr: string, username: string) => `${cidr} is free; ${username} is told.`,
  },
  gateway: {
    title: html`📡 <b>Gateway</b>`,
    running: (since: string) => html`🟢 Gateway: running since ${since}`,
    silent: (since: string) => html`🔴 Gateway: <b>silent since ${since}</b>`,
    stopped: (since: string) => html`⏹ Gateway: stopped since ${since}`,
    never: html`⚪ Gateway: none has connected yet`,
    connections: (connections: number, workers: number) =>
      html`Connections: <b>${connections}</b> · processes: ${workers}`,
    today: (bytes: string) => html`Traffic today: <b>${bytes}</b>`,
    accepted: (count: number) => html`Accepted so far: ${count}`,
    refused: html`Refused so far:`,
    reason: (reason: string, count: number) => html`• ${reason}: <b>${count}</b>`,
    /** Keys are the gateway's names of the reasons. */
    reasons: {
      bad_request: 'not a request of a proxy client',
      coding_unknown: 'transfer coding not understood',
      bad_target: 'not a valid target',
      bad_parameter: 'unknown parameter in the username',
      unknown_country: 'country not offered',
      unknown_city: 'city not offered',
      credentials_needed: 'no username',
      credentials_wrong: 'wrong username or password',
      too_many_failed_logins: 'too many wrong passwords',
      traffic_exhausted: 'no traffic left',
      target_refused: 'target not allowed',
      port_refused: 'port not allowed',
      too_many_connections: 'too many connections',
      target_unreachable: 'target unreachable',
      target_timeout: 'target did not answer',
      exit_failed: 'exit failed',
      exit_timeout: 'exit did not answer',
      no_exit: 'no exit for this place',
      shop_unreachable: 'shop unreachable',
      draining: 'gateway was stopping',
    },
  },
  sales: {
    title: {
      sales: (count: number, sum: string) =>
        html`🛒 <b>${count === 1 ? '1 sale' : `${count} sales`}</b>: ${sum}`,
      sales_of_day: (count: number, sum: string) =>
        html`🛒 <b>Since the last digest: ${count === 1 ? '1 sale' : `${count} sales`}</b>, ${sum}`,
    },
    who: (username: string, agent: string | null) =>
      agent === null ? username : `${username} (agent ${agent})`,
    what: {
      order: (count: number, product: string) => `${count} × ${product}`,
      renewal: (count: number, product: string) => `renewed ${count} × ${product}`,
      traffic: (traffic: string, product: string) => `${traffic} of ${product}`,
    },
    line: (who: string, what: string, sum: string) => html`• <b>${who}</b>: ${what}, ${sum}`,
    more: (count: number) => html`… and ${count} more`,
  },
  profit: {
    title: (from: string, to: string) =>
      html`💹 <b>Profit</b> ${from === to ? from : `${from} – ${to}`} (UTC)`,
    none: html`Nothing was sold.`,
    product: (name: string, revenue: string, refunds: string) =>
      html`<b>${name}</b>\nRevenue ${revenue}, refunds ${refunds}`,
    agents: (part: string) => html`Agents earned on top of that: ${part}`,
    margin: (cost: string, margin: string) => html`Cost ${cost}, margin <b>${margin}</b>`,
    unknownCost: html`Cost unknown`,
    unknownFor: (count: number) =>
      html`Cost unknown for ${count === 1 ? '1 proxy' : `${count} proxies`} of your own stock: the margin includes no cost for them`,
    expected: (cost: string) => html`Of the cost, ${cost} is expected and not charged yet`,
    more: (count: number) => html`… and ${count} more products`,
    total: (revenue: string, refunds: string) =>
      html`<b>Total</b>\nRevenue <b>${revenue}</b>, refunds ${refunds}`,
    totalMargin: (cost: string, margin: string) =>
      html`Where the cost is known: cost ${cost}, margin <b>${margin}</b>`,
  },
  payouts: {
    title: (count: number) => html`🏦 <b>Payouts to make</b>: ${count}`,
    none: html`🏦 <b>Payouts to make</b>\n\nThere are none.`,
    button: (username: string, usdt: string) => `${username} · ${usdt} USDT`,
    wanted: (username: string, sum: string) => html`🏦 <b>${username} wants a payout of ${sum}</b>`,
    number: (payoutNo: string) => html`Payout <code>${payoutNo}</code>`,
    send: (usdt: string, address: string) =>
      html`Send <code>${usdt}</code> <b>USDT</b> (TRC20) to\n<code>${address}</code>`,
    requestedAt: (time: string) => html`Requested: ${time}`,
    origin: html`<b>Where the money came from</b> (agent and sub-users)`,
    toppedUp: (sum: string) => html`Topped up: ${sum}`,
    creditedAsPaid: (sum: string) => html`Credited by you as paid: ${sum}`,
    paidOut: (sum: string) => html`Other payouts: ${sum}`,
    byAgent: (sum: string, all: string) =>
      html`Earned by orders that the agent itself placed for sub-users: ${sum} of ${all}`,
    gone: 'This payout has already been decided or cancelled.',
    askTxid: html`Send it from your wallet first. Then send me the <b>id of the transaction</b>: 64 digits and letters.`,
    whyNot: html`Why not? Send me the reason; the agent will see it. The amount goes back to the agent’s earnings.`,
    paid: (username: string, usdt: string) => html`✅ Noted: ${username} got ${usdt} USDT and is told.`,
    refused: (username: string) => html`✖️ Refused. ${username} is told.`,
  },
  replacements: {
    title: (count: number) => html`<b>Replacements to decide</b>: ${count}`,
    none: html`<b>Replacements to decide</b>\n\nThere are none.`,
    wanted: (username: string) => html`♻️ <b>${username} wants another proxy</b>`,
    proxy: (address: string, product: string) => html`Proxy: <code>${address}</code> (${product})`,
    reason: (reason: string) => html`Reason: ${reason}`,
    ground: {
      dead: html`Our checks say that it is dead.`,
      young: html`It was delivered within the last 24 hours.`,
      none: html`Our checks do not say that it is dead.`,
    },
    gone: 'This has already been decided.',
    noneFree: html`⚠️ There is no equivalent proxy.`,
    whyNot: html`Why not? Send me the reason; the customer will see it.`,
    results: {
      done: html`✅ The proxy is replaced and the customer is told.`,
      processing: html`⏳ Another proxy is being bought.`,
      refunded: html`↩️ The rest of the term is refunded and the customer is told.`,
      declined: html`✖️ Declined. The customer is told.`,
    },
  },
  payments: {
    title: (count: number) => html`<b>Unmatched payments</b>: ${count}`,
    none: html`<b>Unmatched payments</b>\n\nThere are none.`,
    arrived: (usdt: string) => html`💸 <b>${usdt} USDT arrived and matches no top-up</b>`,
    why: {
      no_order: html`No open top-up asks for this amount.`,
      duplicate_payment: html`Its top-up has been paid already.`,
      user_deleted: html`The account of its top-up was deleted.`,
      not_creditable: html`Its top-up can no longer be credited automatically.`,
      absurd_amount: html`The amount is far too large: probably a forged transfer.`,
    },
    facts: (from: string, time: string) => lines(html`From: <code>${from}</code>`, html`Time: ${time}`),
    txid: (network: string, txid: string) => html`Transaction on ${network}: <code>${txid}</code>`,
    claims: html`🙋 <b>Claimed as the payment for:</b>`,
    near: html`Possibly meant for:`,
    nearTopUp: (orderNo: string, username: string, amount: string, status: string) =>
      html`${status} <code>${orderNo}</code>: ${username}, ${amount} USDT`,
    nearButton: (status: string, username: string, amount: string) =>
      `${status} ${username} · ${amount} USDT`,
    button: (usdt: string, date: string) => `${usdt} USDT · ${date}`,
    gone: 'This payment has already been decided.',
    whichTopUp: (near: boolean) =>
      near
        ? html`Which top-up does it pay? Press it, or send me the number of another one.`
        : html`Send me the number of the top-up that it pays.`,
    noTopUp: 'There is no top-up with this number.',
    confirm: ({ username, orderNo, asked, received, credit }: Record<string, string>) =>
      lines(
        html`<b>Assign the payment?</b>`,
        '',
        html`Top-up: <code>${orderNo ?? ''}</code>`,
        html`User: <b>${username ?? ''}</b>`,
        html`Asked for: ${asked ?? ''} USDT`,
        html`Received: ${received ?? ''} USDT`,
        html`Will be credited: <b>${credit ?? ''}</b>`,
      ),
    assigned: (credit: string, username: string) =>
      html`✅ <b>${credit}</b> credited to <b>${username}</b>. The user is told.`,
    ignore: html`<b>Ignore this payment?</b>\n\nNobody is credited, and it disappears from the list.`,
    ignored: html`The payment is ignored.`,
    refundNote: html`<b>Refunded manually</b>\n\nSend the money back from your wallet first. Then send me a note about it, such as the transaction of the refund. The payment then disappears from the list.`,
    refunded: html`✅ The refund is noted.`,
  },
  broadcast: {
    title: html`<b>Broadcast</b>`,
    toWhom: html`To whom? Only chats where somebody is logged in and news is switched on are counted.`,
    anyLanguage: 'All',
    audiences: {
      all: (count: number) => `Everybody (${count})`,
      agents: (count: number) => `Agents (${count})`,
      users: (count: number) => `Users (${count})`,
      sub_users: () => 'Sub-users of an agent…',
      with_proxies: (count: number) => `With active proxies (${count})`,
      with_traffic: (count: number) => `With traffic left (${count})`,
      short: (count: number) => `Short of money (${count})`,
      idle: (count: number) => `Idle for 30 days (${count})`,
    },
    nobody: 'Nobody would get it now.',
    audience: {
      all: () => 'everybody',
      agents: () => 'agents',
      users: () => 'users',
      sub_users: (agent: string) => `sub-users of ${agent}`,
      with_proxies: () => 'those with active proxies',
      with_traffic: () => 'those with traffic left',
      short: () => 'those whose purchase waits for money',
      idle: () => 'those who have not bought anything for 30 days',
      picked: (agent: string) => `some sub-users of ${agent}`,
    },
    whichAgent: html`Whose sub-users? Send me the username of the agent.`,
    type: (text: number, caption: number) =>
      html`Send me a text of at most ${text} characters, or a picture with at most ${caption}. It is sent exactly as you format it.`,
    when: (now: string) =>
      html`When? For example <code>09:30</code> or <code>2026-11-24 09:30</code>. Here it is now ${now}; for another time zone, add its distance from UTC: <code>09:30 +8</code>.`,
    noTime: 'This is not a time. Write it like 09:30 or 2026-11-24 09:30.',
    preview: (chats: number) =>
      html`👆 <b>This is what they will see</b>: ${chats} ${chats === 1 ? 'chat' : 'chats'}.`,
    to: (audience: string, language: string | undefined) =>
      html`To: ${audience}${language === undefined ? '' : ` (${language})`}`,
    states: {
      draft: html`Not sent.`,
      scheduled: html`🕘 <b>Planned</b>`,
      sending: html`⏳ <b>Sending…</b>`,
      done: html`✅ <b>Sent</b>`,
      cancelled: html`🚫 <b>Stopped</b>`,
    },
    icons: { draft: '✏️', scheduled: '🕘', sending: '⏳', done: '✅', cancelled: '🚫' },
    startsAt: (time: string) => html`Begins: <b>${time}</b>`,
    list: html`<b>Broadcasts</b>, with the time at which they begin or began.`,
    none: html`There are none yet.`,
    progress: ({ sent, blocked, left, status }: Broadcast) =>
      html`Sent: <b>${sent}</b> · blocked the bot: ${blocked}${status === 'sending' ? ` · left: ${left}` : left > 0 ? ` · not sent: ${left}` : ''}`,
  },
}
