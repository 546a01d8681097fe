import type { State } from '../../../core/operator/readiness.ts'
import type { JobKind } from '../../../core/jobs/job-kinds.ts'
import type { Choice } from '../../../core/operator/choices.ts'
import { html, type Html } from '../html.ts'

const minutesOld = (minutes: number) => (minutes < 1 ? '' : `, the oldest for ${minutes} min`)

/** Texts of a setting. */
interface ChoiceTexts {
  readonly label: string
  /** What holds when nothing was chosen. */
  readonly usual: string
  readonly button: string
  readonly ask: Html
  /** The button for no value; undefined where there must be one. */
  readonly none: string | undefined
  readonly wrong: string
}

/** What the operator's chats say of the machine behind the shop. */
export const machine = {
  buttons: {
    health: '🩺 Health',
    books: '📚 Books',
    checkBooks: '📚 Check the books',
    setup: '⚙️ Settings',
    jobs: (count: number) => `⚠️ Failing jobs (${count})`,
    again: '🔁 Try again',
    drop: '🗑 Drop',
    dropNow: '🗑 Drop it for good',
  },
  jobs: {
    title: (count: number) =>
      html`⚠️ <b>Jobs that keep failing</b>: ${count}\n\nThey are tried again automatically, with growing pauses.`,
    none: html`<b>Jobs that keep failing</b>\n\nThere are none.`,
    button: (kind: string, subject: string) => `${subject} · ${kind}`,
    job: (kind: string, id: number) => html`⚠️ <b>${kind}</b> (job ${id})`,
    about: (what: string) => html`About: <code>${what}</code>`,
    customer: (username: string) => html`Customer: <b>${username}</b>`,
    error: (reason: string) => html`Last error: ${reason}`,
    since: (time: string) => html`Since ${time}`,
    attempts: (attempts: number, failures: number) =>
      html`Attempts: <b>${attempts}</b>, failed in a row: <b>${failures}</b>`,
    next: (time: string) => html`Next attempt: ${time}`,
    underWay: html`It is being tried now.`,
    kept: html`It cannot be dropped: a customer’s money or proxies depend on it. Once the cause is gone, it finishes by itself.`,
    askDrop: html`<b>Drop this job?</b>`,
    retried: html`🔁 It is tried again now. When it is done, it is no longer in the list.`,
    dropped: html`🗑 Dropped.`,
    gone: 'This job is done, or was dropped.',
    /** What failed, by kind. */
    kinds: {
      complete_static_order: 'Order not delivered',
      complete_replacement: 'Replacement not done',
      auto_renew_static_order: 'Automatic renewal',
      complete_renewal: 'Renewal not finished',
      complete_reset: 'New credentials',
      send_activation_mail: 'Activation mail',
      deliver_notice: 'Message not sent',
      deliver_digest: 'Messages not sent',
      send_broadcast: 'Broadcast not sent',
      refresh_screens: 'Screen not updated',
      back_up: 'Backup',
    } satisfies Readonly<Record<JobKind, string>>,
    /** What dropping means, for the kinds that can be dropped. */
    dropping: {
      send_activation_mail: html`The mail is never sent, so the user cannot activate the account.`,
      deliver_notice: html`Nobody gets this message any more. The order, payment or account that it is about stays as it is.`,
      deliver_digest: html`The agent never gets these messages about its sub-users. What they are about stays as it is.`,
      send_broadcast: html`The broadcast stops: those who have not got it yet will not get it.`,
      refresh_screens: html`The screen shows the old state until somebody opens it again.`,
      back_up: html`This backup is not made. The next one is made when it is due.`,
    } as Readonly<Partial<Record<JobKind, Html>>>,
  },
  failing: (count: number) =>
    count === 1
      ? html`🔴 <b>A background job keeps failing</b>`
      : html`🔴 <b>${count} background jobs keep failing</b>`,
  health: {
    title: html`🩺 <b>Health</b>`,
    well: html`🩺 <b>Health: all is well</b>`,
    line: (icon: string, part: string, text: string) => html`${icon} <b>${part}</b>: ${text}`,
    currency: (currency: string) => html`Currency of all amounts: <b>${currency}</b>`,
    parts: {
      database: 'Database',
      bot: 'Bot',
      jobs: 'Jobs',
      messages: 'Messages',
      chats: 'Chats of the shop',
      books: 'Books',
      chain: 'Chain',
      backups: 'Backups',
      gateway: 'Gateway',
      suppliers: 'Suppliers',
      servers: 'Servers',
      disk: 'Disk',
      version: 'Version',
    },
    states: { ok: `works`, degraded: `limited`, down: `does not work` } satisfies Record<State, string>,
    jobs: (failing: number, waiting: number, oldest: number) =>
      `${failing > 0 ? `${failing} ${failing === 1 ? 'keeps' : 'keep'} failing, ` : ''}${waiting} waiting${minutesOld(oldest)}`,
    messages: (waiting: number, oldest: number) => `${waiting} waiting${minutesOld(oldest)}`,
    chats: (all: number, gone: string) =>
      gone === '' ? `${all}, all can be written to` : `cannot be written to: ${gone}`,
    books: (frozen: number, checkedAt: string | undefined) =>
      `${frozen > 0 ? `${frozen === 1 ? '1 account is' : `${frozen} accounts are`} frozen, ` : ''}${checkedAt === undefined ? 'not checked yet' : `checked at ${checkedAt}`}`,
    version: (version: string, newer: string | undefined, unread: boolean) =>
      `${version}${newer === undefined ? '' : `; ${newer} is out`}${unread ? ' (the check for updates failed)' : ''}`,
    chain: (checkedAt: string | undefined) =>
      checkedAt === undefined ? `never read` : `read at ${checkedAt}`,
    backups: (goodAt: string | undefined, regular: boolean) =>
      `${goodAt === undefined ? 'no good one yet' : `the last good one is from ${goodAt}`}${regular ? '' : ', only when asked for'}`,
    gateway: (working: boolean, healthy: number, exits: number) =>
      `${working ? 'runs' : 'does not run'}, ${healthy} of ${exits} exits work`,
    suppliers: (all: number, troubled: string) =>
      troubled === '' ? `${all}, all well` : `trouble with ${troubled}`,
    servers: (alive: number, wrongClocks: number) =>
      `${alive} running${wrongClocks > 0 ? `, the clock of ${wrongClocks} is wrong` : ''}`,
    disk: (free: string, percent: number) => `${free} free (${percent}%)`,
  },
  setup: {
    title: html`⚙️ <b>Settings of the shop</b>`,
    line: (label: string, value: string) => html`${label}: <b>${value}</b>`,
    fixed: html`<i>What the server’s .env file sets can be changed only there.</i>`,
    saved: 'Saved. The shop uses it in a few seconds.',
    currencyInUse: 'There are accounts or products already, and their amounts would not be converted.',
    choices: {
      CURRENCY: {
        label: 'Currency',
        usual: 'USD',
        button: '💱 Currency',
        ask: html`Which currency does the shop use? Send me its code, such as <code>USD</code> or <code>CNY</code>. It cannot be changed once there are accounts or products.`,
        none: undefined,
        wrong: 'A code has three or four letters, such as USD.',
      },
      USDT_WALLET: {
        label: 'USDT wallet',
        usual: 'none: nobody can top up with USDT',
        button: '👛 USDT wallet',
        ask: html`Which address do customers pay USDT (TRC20) to? Send me the address of the shop’s own wallet; it begins with T. Never send me its private key.`,
        none: 'Accept no USDT',
        wrong: 'This is not the address of a TRON wallet: T and 33 more letters and digits.',
      },
      USDT_RATE: {
        label: '1 USDT is worth',
        usual: '1',
        button: '⚖️ USDT rate',
        ask: html`What does one USDT add to a balance, in the shop’s currency? Send me a number, such as <code>1</code> or <code>7.1</code>.`,
        none: 'One to one',
        wrong: 'This is not a number above 0 with at most 6 decimals.',
      },
      PUBLIC_URL: {
        label: 'Public address',
        usual: 'none: no links to proxies, no API from outside',
        button: '🌐 Address',
        ask: html`Where do people reach this server? Send me its address, such as <code>https://shop.example.com</code>.`,
        none: 'Not from outside',
        wrong: 'This is not an address such as https://shop.example.com.',
      },
      SUPPORT_CONTACT: {
        label: 'Support',
        usual: 'tickets in this bot',
        button: '💬 Support',
        ask: html`Where do customers find help? Send me a Telegram username, such as <code>@shop_support</code>, or an address.`,
        none: 'Tickets in this bot',
        wrong: 'This is neither a username such as @shop_support nor an address.',
      },
    } satisfies Record<Choice, ChoiceTexts>,
  },
  books: {
    title: html`📚 <b>Books</b>`,
    about: (currency: string, checkedAt: string | undefined) =>
      html`All amounts are in <b>${currency}</b>. The currency cannot be changed here, because no amount would be converted. If the first start had the wrong one, <code>operator currency</code> in a shell renames it.\n${checkedAt === undefined ? 'The balances have not been checked since the start.' : `The balances were last checked at ${checkedAt}.`}\n\nThe check reads all orders, payments and entries; in a large shop that takes a while.`,
    working: html`⏳ Checking the books…`,
    balance: html`✅ <b>The books balance.</b> Every balance is the sum of its entries, and every entry has its cause.`,
    differences: (count: number) =>
      html`🔴 <b>The books do not balance</b>: ${count === 1 ? '1 difference' : `${count} differences`}`,
    difference: (subject: string, detail: string, rule: string) =>
      html`• <code>${subject}</code>: ${detail} (${rule})`,
    walletBalances: html`✅ The wallet and the books agree.`,
    walletNotYet: html`The wallet has not been compared with the books yet: there was no quiet moment for it.`,
    walletUnread: (reason: string) => html`The wallet was not compared with the books: ${reason}`,
    warning: (text: string) => html`⚠️ ${text}`,
  },
}
