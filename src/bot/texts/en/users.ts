import { html, type Html, lines } from '../html.ts'

/** An agent's sub-users. */
export const users = {
  title: (total: number) => html`<b>Sub-users</b>: ${total}`,
  none: html`You have no sub-users yet. Create one step by step, or many at once from a list.`,
  noneFound: html`Nobody found.`,
  searched: (search: string) => html`🔍 ${search}`,
  search: html`<b>Search</b>\n\nSend me part of a <b>username</b>, <b>e-mail address</b> or <b>phone number</b>.`,
  filterTitle: html`<b>Which sub-users?</b>`,
  all: '👥 All',
  statuses: {
    active: '✅ Active',
    disabled: '⛔ Disabled',
    deleted: '🗑 Deleted',
    notActivated: '✉️ Not activated yet',
  },
  button: (icon: string, username: string, balance: string) => `${icon} ${username} · ${balance}`,
  buttons: {
    search: '🔍 Search',
    endSearch: '✖️ End the search',
    create: '➕ New sub-user',
    createMany: '📋 Many at once',
    more: '⋯ More',
    adjust: '💰 Adjust balance',
    prices: '🏷 Prices',
    invite: '🔗 Invitation link',
    rename: '✏️ Username',
    password: '🔑 Password',
    select: '☑️ Select several',
    message: '💬 Message',
    email: '✉️ E-mail',
    phone: '📱 Phone',
    remark: '📝 Remark',
    clear: 'Leave it empty',
    allOrders: '📦 All proxies',
    file: '📄 As a file',
    enable: '✅ Enable',
    disable: '⛔ Disable',
    remove: '🗑 Delete',
    orders: '📦 Proxies',
    traffic: '📶 Traffic',
    records: '📒 Records',
    joinLinks: '📣 Registration links',
    copyLink: '📋 Copy the link',
    copyLogin: '📋 Copy username and password',
    open: '👤 Open',
    another: '➕ Another one',
  },
  name: (username: string) => html`👤 <b>${username}</b>`,
  state: (state: string) => html`${state}`,
  balance: (balance: string) => html`💰 Balance: <b>${balance}</b>`,
  totals: (recharged: string, spent: string) => html`Topped up: ${recharged} · spent: ${spent}`,
  proxies: (active: number) => html`📦 Active proxies: <b>${active}</b>`,
  traffic: (product: string, left: string) => html`📶 ${product}: <b>${left}</b> left`,
  email: (email: string) => html`E-mail: ${email}`,
  phone: (phone: string) => html`Phone: ${phone}`,
  remark: (remark: string) => html`Remark: ${remark}`,
  since: (date: string) => html`Created: ${date}`,
  ownBalance: (before: string, after: string) => html`Your balance: ${before} → <b>${after}</b>`,
  pressButton: 'Please press one of the buttons.',
  parts: {
    username: 'username',
    password: 'password',
    email: 'e-mail',
    phone: 'phone',
    balance: 'balance',
    remark: 'remark',
  },
  create: {
    title: html`<b>New sub-user</b>`,
    username: (username: string) => html`Username: <b>${username}</b>`,
    password: (chosen: boolean) => (chosen ? html`Password: the one you sent` : html`Password: generated`),
    initial: (balance: string) => html`Initial balance: <b>${balance}</b>`,
    ask: {
      username: html`Send me the <b>username</b>: 3 to 50 characters without spaces.`,
      password: html`Send me the <b>password</b>, 6 to 50 characters, or let me generate one. I delete your message at once.`,
      email: html`Send me the <b>e-mail address</b>.`,
      phone: html`Send me the <b>phone number</b>: 11 digits.`,
      balance: html`Send me the <b>initial balance</b>, such as 25 or 12.50.`,
      remark: html`Send me a <b>remark</b> for your own use: at most 255 characters.`,
    },
    buttons: {
      make: '🎲 Generate one',
      skip: 'Skip',
      skipAll: 'Skip the rest ›',
      create: (count: number) => (count === 1 ? '✅ Create the account' : `✅ Create ${count} accounts`),
    },
    created: (username: string, balance: string) =>
      html`✅ <b>${username}</b> has been created with a balance of ${balance}.`,
    made: (password: string) =>
      html`Password: <code>${password}</code>\nIt is shown only once; nobody can read it later.`,
    mailed: (email: string) =>
      html`✉️ The account works as soon as the link in the mail to ${email} is opened.`,
    left: (balance: string) => html`Your balance: <b>${balance}</b>`,
  },
  createMany: {
    ask: lines(
      html`<b>Many sub-users at once</b>`,
      '',
      html`Paste up to 200 lines, or send them as a .csv file in UTF-8, at most 256 KB:`,
      html`<code>username,password,balance,email,phone,remark</code>`,
      '',
      html`Only the username is required. Where the password is missing, I generate one. For example:`,
      html`<code>anna,,25\nben,secret-of-ben,,ben@example.com</code>`,
      '',
      html`Either all are created or none. I delete your message at once.`,
    ),
    title: (count: number) => html`<b>${count === 1 ? '1 new sub-user' : `${count} new sub-users`}</b>`,
    line: (username: string, made: boolean, balance: string) =>
      html`• <b>${username}</b>: ${balance}${made ? ', password generated' : ''}`,
    more: (count: number) => html`… and ${count} more`,
    total: (total: string) => html`Initial balances in total: <b>${total}</b>`,
    addMore: html`<i>Send more lines to add to the list.</i>`,
    empty: 'It has no lines.',
    notTaken: 'None of these lines was added. Please correct this and send them again:',
    badLine: (line: number, problem: string, part?: string) =>
      part === undefined ? `Line ${line}: ${problem}` : `Line ${line}, ${part}: ${problem}`,
    moreFaults: (count: number) => `… and ${count} more`,
    mailed: (count: number) =>
      count === 1
        ? html`✉️ One of them has an e-mail address: it works as soon as the link in the mail is opened.`
        : html`✉️ ${count} of them have an e-mail address: they work as soon as the links in the mails are opened.`,
    working: html`⏳ The accounts are being created…`,
    created: (count: number, total: string) =>
      count === 1
        ? html`✅ <b>1 account</b> is created, with ${total}.`
        : html`✅ <b>${count} accounts</b> are created, with ${total} in total.`,
    passwords: html`The generated passwords are in the file above. It is sent only once; nobody can read them later.`,
    fileLost:
      'The file with the passwords could not be sent. The accounts exist: set new passwords, or send invitation links.',
  },
  adjust: {
    title: (username: string) => html`<b>Balance of ${username}</b>`,
    balances: (theirs: string, own: string) => html`💰 <b>${theirs}</b>\nYour balance: ${own}`,
    askAmount: html`How much? Send me an amount, such as 25 to add or -12.50 to deduct.`,
    missing: (sum: string) => `The missing ${sum}`,
    all: (balance: string) => `Deduct all: ${balance}`,
    askRemark: html`What is it for? Send me a <b>remark</b>; the sub-user can read it.`,
    orRemark: html`<i>Or send me what it is for first; the sub-user can read it.</i>`,
    otherRemark: html`<i>Send another remark to change it.</i>`,
    change: (change: string) => html`Change: <b>${change}</b>`,
    theirs: (username: string, before: string, after: string) =>
      html`${username}: ${before} → <b>${after}</b>`,
    add: (sum: string) => `✅ Add ${sum}`,
    deduct: (sum: string) => `➖ Deduct ${sum}`,
    done: (change: string) => html`✅ Balance changed: <b>${change}</b>`,
  },
  picked: {
    title: (count: number, total: number) =>
      html`<b>${count === 0 ? 'Which sub-users?' : `Picked: ${count}`}</b>\n\nSub-users in the list: ${total}`,
    buttons: {
      all: 'All',
      none: 'None',
      names: '📋 Paste',
      adjust: '💰 Balance',
      renew: '🔄 Renew',
    },
    tooMany: (most: number): string => `At most ${most} at once; the others are not picked.`,
    askNames: html`<b>Who do you want to pick?</b>\n\nSend me the usernames, one per line.`,
    unknown: (names: string): string => `You have no such sub-users: ${names}`,
    adjustTitle: (count: number) =>
      html`<b>Balance of ${count === 1 ? '1 sub-user' : `${count} sub-users`}</b>`,
    askAmount: (own: string) =>
      html`Your balance: <b>${own}</b>\n\nSend the amount for <b>each</b> of them, for example 25 to add or -12.50 to deduct.`,
    total: (total: string) => html`In total: <b>${total}</b>`,
    adjusted: (count: number, total: string) =>
      html`✅ ${count === 1 ? '1 balance' : `${count} balances`} changed, in total <b>${total}</b>.`,
    askStatus: (count: number, status: 'active' | 'disabled') =>
      status === 'active'
        ? html`<b>Enable ${count === 1 ? '1 sub-user' : `${count} sub-users`}?</b>`
        : html`<b>Disable ${count === 1 ? '1 sub-user' : `${count} sub-users`}?</b>\n\nThey cannot log in or buy while they are disabled. Their proxies keep working.`,
    statusSet: (count: number, status: 'active' | 'disabled') =>
      html`✅ ${status === 'active' ? 'Enabled' : 'Disabled'}: <b>${count}</b>`,
    renewTitle: (days: number) =>
      html`<b>Renew what expires within ${days === 1 ? 'a day' : `${days} days`}</b>`,
    renewTerms: html`Each order is renewed by one billing period, and paid by its user. Dead proxies are left out.`,
    days: (days: number): string => `${days} d`,
    renewNow: (total: string): string => `✅ Renew: ${total}`,
    renewal: (username: string, count: number, price: string | undefined, problem: string | undefined) =>
      html`• <b>${username}</b>: ${count} ${count === 1 ? 'proxy' : 'proxies'}${price === undefined ? '' : `, ${price}`}${problem === undefined ? '' : ` – ⚠️ ${problem}`}`,
    nothingExpires: html`No proxy of them expires by then.`,
    moreLater: html`There are more orders; repeat this afterwards.`,
    renewed: (total: string) => html`✅ Renewed for <b>${total}</b>`,
    working: html`⏳ The proxies are being renewed…`,
  },
  /** A request for money, and what becomes of it. */
  asked: {
    give: (sum: string) => `✅ Give ${sum}`,
    decline: '✖️ Decline',
    done: {
      given: (username: string, sum: string) => html`✅ <b>${username}</b> has got ${sum}.`,
      declined: (username: string, sum: string) =>
        html`✖️ Declined: <b>${username}</b> is told that it does not get the ${sum}.`,
    },
    before: {
      given: (username: string, sum: string) =>
        html`You have already given <b>${username}</b> the ${sum}; nothing was done now.`,
      declined: (username: string, sum: string) =>
        html`You have already declined the ${sum} for <b>${username}</b>; nothing was done now.`,
      over: (username: string) =>
        html`This request is over: <b>${username}</b> has asked again, has got money from you since, or was deleted. Nothing was done now.`,
    },
    disabled: html`This sub-user is disabled now: nothing was given. Enable it first, then the button works again.`,
    ownShort: (sum: string) => `Your own balance is short by ${sum}: nothing was given.`,
  },
  /** What an agent writes to its sub-users. */
  message: {
    from: (username: string) => `💬 ${username}:`,
    nobody: 'None of them uses the bot with news switched on.',
    type: (chats: number, text: number, caption: number, perDay: number) =>
      html`<b>Message to your sub-users</b> (${chats === 1 ? '1 chat' : `${chats} chats`})\n\nSend me a text of at most ${text} characters, formatted as you like, or a picture with at most ${caption}. They see your username above it. Whoever has switched news off does not get it. You can write every 10 minutes, and ${perDay} times a day.`,
    preview: (chats: number) =>
      html`👆 <b>This is what they will see</b>: ${chats === 1 ? '1 chat' : `${chats} chats`}.`,
    send: (chats: number) => (chats === 1 ? '💬 Send to 1 chat' : `💬 Send to ${chats} chats`),
    wait: (minutes: number) =>
      minutes <= 90
        ? `You wrote a short while ago: please wait ${minutes} more ${minutes === 1 ? 'minute' : 'minutes'}. The draft stays here.`
        : `That was enough for today: please wait ${Math.ceil(minutes / 60)} more hours. The draft stays here.`,
  },
  askUsername: (username: string) =>
    html`<b>Username of ${username}</b>\n\nSend me the new one: 3 to 50 letters, digits, _ and -. Log-ins stay valid.`,
  renamed: html`✅ Username changed.`,
  askContact: (username: string, field: 'email' | 'phone' | 'remark') =>
    html`<b>${{ email: 'E-mail address', phone: 'Phone number', remark: 'Remark' }[field]} of ${username}</b>`,
  contactSet: (username: string, field: 'email' | 'phone' | 'remark') =>
    html`✅ ${{ email: 'E-mail address', phone: 'Phone number', remark: 'Remark' }[field]} of ${username} changed.`,
  file: (count: number) => html`${count === 1 ? '1 sub-user' : `${count} sub-users`}`,
  columns: {
    id: 'ID',
    username: 'Username',
    status: 'Status',
    balance: 'Balance',
    totalRecharge: 'Topped up',
    totalConsumption: 'Spent',
    activeProxies: 'Active proxies',
    trafficLeft: 'Traffic left (GB)',
    email: 'E-mail',
    phone: 'Phone',
    remark: 'Remark',
    createdAt: 'Created (UTC)',
  },
  askPassword: (username: string) =>
    html`<b>Password of ${username}</b>\n\nSend me a new one, 6 to 50 characters, or let me generate one. I delete your message at once.\n\n⚠️ ${username} will be logged out everywhere.`,
  passwordSet: html`✅ Password changed. They are logged out everywhere.`,
  passwordMade: (username: string, password: string) =>
    html`✅ The new password of <b>${username}</b>:\n\n<code>${password}</code>\n\nIt is shown only once; nobody can read it later. They are logged out everywhere.`,
  invited: (username: string, link: string, until: string) =>
    html`🔗 <b>Invitation for ${username}</b>\n\n<code>${link}</code>\n\nSend it to ${username} only: whoever opens it first is logged in as ${username} and chooses a password. It works once, until ${until}. Earlier links for this user no longer work.`,
  joinLinks: {
    title: (total: number) => html`📣 <b>Registration links</b>: ${total}`,
    about: html`Whoever opens such a link in Telegram can register and becomes your sub-user, with a start balance from you if you like. Publish it wherever your customers are.`,
    button: (icon: string, id: number, uses: number, trial: string | undefined) =>
      `${icon} #${id} · 👥 ${uses}${trial === undefined ? '' : ` · 🎁 ${trial}`}`,
    icons: { open: '🟢', used_up: '⚪', expired: '⌛', revoked: '⛔' },
    states: { open: 'Open', used_up: 'Used up', expired: 'Expired', revoked: 'Ended' },
    buttons: {
      create: '➕ New link',
      createLimited: '🎁 With a gift or limits',
      revoke: '⛔ End this link',
      noTrial: 'No start balance',
      noLimit: 'No limit',
      done: '✅ Make the link now',
    },
    name: (id: number, state: string) => html`📣 <b>Registration link #${id}</b> · ${state}`,
    uses: (uses: number, most: number | null) =>
      html`👥 Registered: <b>${uses}</b>${most === null ? '' : html` of ${most}`}`,
    trial: (trial: string) => html`🎁 Start balance: <b>${trial}</b> each, from your balance`,
    noTrial: html`🎁 No start balance`,
    spent: (spent: string, budget: string | undefined) =>
      html`Spent on it: ${spent}${budget === undefined ? '' : html` of ${budget}`}`,
    until: (until: string | undefined) => (until === undefined ? html`No end` : html`Until ${until}`),
    askRevoke: html`End this link? Nobody can register with it any more; those who have registered stay.`,
    made: (link: string) => html`✅ <b>The registration link</b>\n\n<code>${link}</code>`,
    url: (link: string) => html`<code>${link}</code>`,
    newTitle: html`📣 <b>New registration link</b>`,
    ask: {
      trial: html`Which <b>start balance</b> does each newcomer get from your balance? A Telegram user gets one only.`,
      budget: html`How much may all start balances cost <b>together</b>? After that, newcomers still register, but without one.`,
      maxUses: html`<b>How many</b> may register with it?`,
      days: html`For how many <b>days</b> should it work? At most 365.`,
    },
  },
  askDeletion: ({
    username,
    balance,
    returns,
    activeProxies,
    traffic,
  }: {
    username: string
    balance: string | undefined
    returns: boolean
    activeProxies: number
    traffic: string | undefined
  }): Html =>
    lines(
      html`🗑 <b>Delete ${username}?</b>`,
      '',
      balance === undefined
        ? undefined
        : returns
          ? html`The balance of <b>${balance}</b> returns to you.`
          : html`The balance of <b>${balance}</b> is lost.`,
      activeProxies > 0
        ? html`Active proxies: ${activeProxies}. They keep working until they expire.`
        : undefined,
      traffic === undefined ? undefined : html`Traffic left: <b>${traffic}</b>. It is not refunded.`,
      html`This cannot be undone, and the username can never be used again.`,
      '',
      html`To confirm, send me the username: <code>${username}</code>`,
    ),
  otherName: 'That is not the username. Nothing was deleted.',
  deleted: (username: string, returned: string | undefined) =>
    html`🗑 <b>${username}</b> has been deleted.${returned === undefined ? '' : ` ${returned} returned to your balance.`}`,
}
