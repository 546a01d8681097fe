import { html, lines } from '../html.ts'

/** Customers in the operator's chats. */
export const customers = {
  buttons: {
    find: '🔎 Find',
    all: 'All',
    allTopUps: '💳 All top-ups',
    create: '➕ New customer',
    createNow: '✅ Create the customer',
    agent: '🤝 The agent',
    contact: '📇 Contact',
    customer: (name: string) => `👤 ${name}`,
    order: '📦 The order',
    proxies: (count: number) => `🌐 Proxies: ${count}`,
    refundAndEnd: '✅ Refund and end it',
    replaceOrRefund: '✅ Replace or refund',
  },
  lists: {
    orders: (count: number) => `📦 Orders: ${count}`,
    proxies: (count: number) => `🌐 In use: ${count}`,
    entries: () => '📒 Entries',
    traffic: () => '📊 Traffic',
    topUps: (count: number) => `💳 Top-ups: ${count}`,
    chats: (count: number) => `💬 Chats: ${count}`,
  },
  titles: {
    orders: (name: string, count: number) => html`📦 <b>Orders</b> of ${name}: ${count}`,
    proxies: (name: string, count: number) => html`🌐 <b>Proxies in use</b> of ${name}: ${count}`,
    entries: (name: string, count: number) => html`📒 <b>Entries</b> of ${name}: ${count}`,
    traffic: (name: string, count: number) =>
      html`📊 <b>Traffic</b> of ${name}: ${count === 1 ? '1 product' : `${count} products`}`,
    topUps: (name: string, count: number) => html`💳 <b>Top-ups</b> of ${name}: ${count}`,
    chats: (name: string, count: number) => html`💬 <b>Chats</b> of ${name}: ${count}`,
  },
  ask: lines(
    html`🔎 <b>Find</b>`,
    '',
    html`Send a username, e-mail address or Telegram name, the number of an order or a top-up, an address or a line of a proxy, or a transaction. You can paste it at any time, without coming here first.`,
  ),
  askInGroup: lines(
    html`🔎 <b>Find</b>`,
    '',
    html`Write <code>/find</code> followed by a username, e-mail address or Telegram name, the number of an order or a top-up, an address or a line of a proxy, or a transaction.`,
  ),
  nothing: (text: string) => html`🔎 Nothing was found for <code>${text}</code>.`,
  found: (text: string) => html`🔎 <b>Found</b> for <code>${text}</code>`,
  gone: 'That is no longer there.',
  stockState: {
    free: 'on sale',
    resting: 'waiting for new credentials',
    off_sale: 'off sale',
  },
  stock: (address: string, product: string, state: string) =>
    html`🗄 In stock: <code>${address}</code>, ${product}, ${state}`,
  transfer: (usdt: string, txid: string, state: string) =>
    html`💵 ${usdt} USDT in <code>${txid}</code>: ${state}`,
  transferState: {
    matched: 'credited',
    unmatched: 'matches no top-up',
    ignored: 'ignored',
    refunded: 'sent back',
  },
  proxyOf: (icon: string, address: string, name: string) => `${icon} ${address} · ${name}`,
  orderOf: (icon: string, date: string, name: string) => `${icon} ${date} · ${name}`,
  traffic: (icon: string, name: string, owner: string) => `${icon} ${name} · ${owner}`,
  states: {
    active: html`✅ Active`,
    disabled: html`🚫 Disabled: cannot log in`,
    deleted: html`🗑 Deleted`,
  },
  notActivated: html`✉️ Has not opened the link in the activation mail`,
  frozen: html`⚠️ Cannot spend: its books are in doubt`,
  customer: (name: string) => html`👤 <b>${name}</b>`,
  agentAccount: (name: string, users: number) =>
    html`🤝 <b>${name}</b>, an agent with ${users === 1 ? '1 sub-user' : `${users} sub-users`}`,
  ofAgent: (agent: string) => html`Agent: <b>${agent}</b>`,
  ofShop: html`A customer of the shop`,
  balance: (balance: string) => html`Balance: <b>${balance}</b>`,
  totals: (received: string, spent: string) => html`Received: ${received} · spent: ${spent}`,
  trafficLeft: (left: string) => html`Traffic left: ${left}`,
  contact: (text: string) => html`📇 ${text}`,
  since: (date: string) => html`Since ${date}`,
  empty: html`There is nothing here.`,
  entry: (amount: string, kind: string, time: string, about: string) =>
    html`<b>${amount}</b> · ${kind} · <i>${time}</i>${about === '' ? '' : ` · ${about}`}`,
  trafficLine: (product: string, left: string, total: string) =>
    html`${product}: <b>${left}</b> left of ${total}`,
  chat: (who: string, id: string, language: string, date: string) =>
    html`💬 ${who} · <code>${id}</code> · ${language} · ${date}`,
  blocked: html`(has blocked the bot)`,
  orderButton: (icon: string, product: string, total: string, date: string) =>
    `${icon} ${product} ${total} ${date}`,
  topUpButton: (icon: string, usdt: string, what: string) => `${icon} ${usdt} USDT ${what}`,
  allTopUps: (count: number) =>
    html`💳 <b>Top-ups of everybody</b>: ${count}\n⏳ not paid yet · 🔎 seen on the chain · ✅ paid`,
  trafficOrder: (amount: string) => html`Traffic: <b>${amount}</b>`,
  refundable: (amount: string) => html`Can still be refunded: <b>${amount}</b>`,
  proxy: (line: string) => html`🌐 <code>${line}</code>`,
  until: (time: string) => html`Until ${time}`,
  before: (address: string, date: string) => html`Before ${date}: ${address}`,
  topUpStates: {
    pending: 'not paid yet',
    confirming: 'seen on the chain',
    paid: 'paid',
    expired: 'expired',
    cancelled: 'cancelled',
  },
  topUp: (orderNo: string, name: string) => html`💳 Top-up <code>${orderNo}</code> of <b>${name}</b>`,
  toPay: (usdt: string, credit: string) => html`To pay: <b>${usdt} USDT</b>, for ${credit}`,
  created: (time: string) => html`Created: ${time}`,
  askNew: lines(
    html`➕ <b>New customer</b>`,
    '',
    html`Send the username, or several lines:`,
    html`<pre>username: somebody\nagent: reseller\nbalance: 10\nemail: a@example.com\nphone: 13800138000\nremark: met at the fair</pre>`,
    html`Without an agent it is a customer of the shop. The customer sets the password with a link that you pass on.`,
  ),
  labels: {
    username: 'username',
    agent: 'agent',
    balance: 'balance',
    email: 'email',
    phone: 'phone',
    remark: 'remark',
  },
  confirmNew: (typed: string) => html`<b>Create this customer?</b>\n\n<pre>${typed}</pre>`,
  newReason: 'New customer',
  createdNow: html`✅ <b>The customer is created.</b>`,
  askContact: (contact: string) =>
    lines(
      html`📇 <b>Contact</b>`,
      '',
      html`Send what changes; to remove something, leave nothing after its colon:`,
      html`<pre>${contact}</pre>`,
    ),
  changed: html`✅ Changed.`,
  unknownLine: (line: string) =>
    `I do not understand “${line}”. Please send lines such as “username: somebody”.`,
  notAnAgent: 'This account is not an agent. Send the username of one.',
  why: html`<b>Why?</b> Choose or write the reason. It is kept in the trail.`,
  whyTold: html`<b>Why?</b> Choose or write the reason. The customer will see it.`,
  partToo: html`For a part, write the amount first: <code>0.5 slow for a day</code>`,
  reason: (reason: string) => html`Reason: ${reason}`,
  sure: html`<b>Do it?</b>`,
  tooMuch: (most: string) => `At most ${most} can be refunded.`,
  notAnAmount: 'Please send an amount such as 10 or -2.5.',
  notACredential: 'Please send the password, or username:password.',
  askAmount: (name: string, balance: string) =>
    html`💰 <b>${name}</b> has <b>${balance}</b>.\n\nHow much should be added? With a minus sign, it is taken away.`,
  askAgent: (name: string, agent: string) =>
    html`🔀 <b>${name}</b> is a customer of ${agent}.\n\nTo which agent? Send the username, or choose.`,
  askCredentials: (address: string) =>
    html`🔑 What is the password of <b>${address}</b> now? Send it, or <code>username:password</code>. The proxy itself must have it already.`,
  shop: 'the shop itself',
  link: (link: string, until: string) =>
    html`🔑 Pass this link on: it opens the bot, logs in and lets the customer set a password. It works once, until ${until}.\n<code>${link}</code>`,
  begins: {
    adjust: '💰 Adjust',
    link: '🔑 Link',
    logOut: '🚪 Log out',
    disable: '🚫 Disable',
    enable: '▶️ Enable',
    move: '🔀 Move',
    delete: '🗑 Delete',
    clear: '🧹 Take it back',
    refundOrder: '↩️ Refund',
    endOrder: '⏹ End all',
    end: '⏹ End',
    refund: '↩️ Refund',
    replace: '♻️ Replace',
    credentials: '🔑 Credentials',
  },
  confirms: {
    adjust: '✅ Adjust the balance',
    link: '✅ Make the link',
    logOut: '✅ Log out everywhere',
    disable: '🚫 Disable',
    enable: '▶️ Enable',
    move: '✅ Move',
    delete: '🗑 Delete for good',
    clear: '🧹 Take it back',
    refundOrder: '✅ Refund',
    endOrder: '⏹ End without refund',
    end: '⏹ End without refund',
    refund: '✅ Refund',
    replace: '✅ Replace',
    credentials: '✅ Change credentials',
  },
  usualReasons: {
    adjust: () => ['Correction', 'Compensation', 'Paid another way'],
    link: () => ['Password forgotten', 'First log-in', 'New phone'],
    logOut: () => ['Phone lost', 'Asked by the customer', 'Suspected misuse'],
    disable: () => ['Misuse', 'Payment in dispute', 'Asked by the customer'],
    enable: () => ['Cleared up', 'Paid', 'Disabled by mistake'],
    move: () => ['Asked by the customer', 'Agent has left', 'Wrong agent'],
    delete: () => ['Asked by the customer', 'Second account', 'Misuse'],
    clear: () => ['Money for sub-users changes', 'Books put in order'],
    refundOrder: () => ['Does not work', 'Slow', 'Bought by mistake'],
    endOrder: () => ['Misuse', 'Payment in dispute', 'Asked by the customer'],
    end: () => ['Misuse', 'Payment in dispute', 'Asked by the customer'],
    refund: () => ['Does not work', 'Slow', 'Bought by mistake'],
    replace: () => ['Does not work', 'Blocked by a site', 'Wrong place'],
    credentials: () => ['Known to others', 'Do not work', 'Asked by the customer'],
  },
  changes: {
    adjust: {
      preview: (name: string, change: string, before: string, after: string) =>
        html`💰 <b>${name}</b>: ${change}, ${before} → <b>${after}</b>`,
      /** Also shown on the screen of an agent. */
      aboutPaid: html`<i>What agents earn with money that was paid can be paid out in USDT; what they earn with money that was given can only go to their balance.</i>`,
      paid: (way: 'in' | 'out'): string =>
        way === 'in' ? '💵 Add: it was paid' : '💵 Deduct: it was paid back',
      done: (balance: string) => html`✅ The balance is <b>${balance}</b>.`,
    },
    link: {
      preview: (name: string) =>
        html`🔑 A link for <b>${name}</b> to log in and set a password? Earlier links end; the password stays valid until then.`,
    },
    logOut: {
      preview: (name: string) => html`🚪 End all log-ins of <b>${name}</b>, in chats and for programs?`,
      done: html`✅ Logged out everywhere.`,
    },
    disable: {
      preview: (name: string, proxies: number) =>
        html`🚫 Disable <b>${name}</b>? It cannot log in or order. Its proxies in use (${proxies}) go on until they expire.`,
      done: html`✅ Disabled.`,
    },
    enable: {
      preview: (name: string) => html`▶️ Enable <b>${name}</b> again?`,
      done: html`✅ Enabled.`,
    },
    move: {
      preview: (name: string, from: string, to: string) =>
        html`🔀 Move <b>${name}</b>\nfrom: ${from}\nto: <b>${to}</b>\n\nFrom then on the prices of the new agent apply. What the old one has earned stays with it. The balance moves as well. Links, addresses and passwords that the old agent made or may know end, and the customer is told.`,
      done: (to: string) => html`✅ Moved. Agent: <b>${to}</b>`,
      noPassword: html`⚠️ The old agent had chosen the password, so it no longer works. Make a log-in link for the customer.`,
    },
    delete: {
      preview: (name: string, balance: string) =>
        html`🗑 Delete <b>${name}</b> for good? The balance of ${balance} goes back to the agent who gave it; otherwise it stays on record. Proxies work until they expire.`,
      done: html`✅ Deleted.`,
    },
    clear: {
      preview: (name: string, users: number, total: string) =>
        html`🧹 <b>${name}</b> has <b>${users === 1 ? '1 deleted sub-user' : `${users} deleted sub-users`}</b> with <b>${total}</b> left that the shop issued. Take it back? Nobody gets it.`,
      user: (name: string, balance: string) => html`• ${name}: ${balance}`,
      more: (users: number) => html`… and ${users} more`,
      done: (total: string) => html`✅ <b>${total}</b> taken back. Deleted sub-users have nothing left.`,
    },
    refundOrder: {
      preview: (name: string, amount: string, most: string) =>
        html`↩️ Refund <b>${amount}</b> of ${most} for this order to <b>${name}</b>?`,
    },
    refund: {
      preview: (name: string, amount: string, most: string, address: string) =>
        html`↩️ Refund <b>${amount}</b> of ${most} for <code>${address}</code> to <b>${name}</b>?`,
      done: (amount: string, balance: string) =>
        html`✅ <b>${amount}</b> refunded; the balance is ${balance}.`,
    },
    end: {
      preview: (name: string, proxies: number) =>
        html`⏹ <b>${name}</b>: end ${proxies === 1 ? '1 proxy' : `${proxies} proxies`} now <b>without a refund</b>? What ends cannot be started again; the customer is told.`,
      done: (proxies: number) => html`✅ Ended: ${proxies}. Nothing was refunded.`,
    },
    replace: {
      preview: (name: string, address: string) =>
        html`♻️ Replace <code>${address}</code> of <b>${name}</b> with another one of the same product and place?`,
      done: {
        done: (address: string) => html`✅ Replaced by <code>${address}</code>.`,
        processing: html`⏳ Another one is being bought or checked; the customer is told.`,
        refunded: (amount: string) => html`✅ None was free: <b>${amount}</b> refunded.`,
      },
    },
    credentials: {
      preview: (name: string, address: string) =>
        html`🔑 New credentials for <code>${address}</code> of <b>${name}</b>? The old ones stop working; the customer is told.`,
      done: {
        now: html`✅ They are valid now; the customer is told.`,
        asked: html`⏳ The supplier is asked; the customer is told.`,
      },
    },
  },
}
