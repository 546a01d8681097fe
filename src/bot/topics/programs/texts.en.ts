import type { StoredFault } from '../../../core/webhooks/webhook-sender.ts'
import { html } from '../../kit/html.ts'

/** What an account has for programs. */
export const programs = {
  title: html`🔌 <b>For programs</b>`,
  about: html`Programs can buy, renew and look up for you what you do here by hand: with an API key, by the REST interface. Webhooks tell them what happens.`,
  address: (url: string) => html`Its address: <code>${url}</code>`,
  buttons: {
    programs: '🔌 For programs',
    keys: (total: number) => `🔑 API keys: ${total}`,
    documents: '📖 How to use it',
    create: '➕ New key',
    make: '✅ Make the key',
    anywhere: '🌐 From any address',
    copy: '📋 Copy the key',
    revoke: '⛔ Revoke this key',
  },
  webhooks: {
    buttons: {
      list: (total: number) => `🪝 Webhooks: ${total}`,
      create: '➕ New webhook',
      open: '🪝 The webhook',
      test: '📨 Send a test',
      log: '📜 Deliveries',
      on: '▶️ Switch on',
      off: '⏸ Switch off',
      secret: '🔑 New secret',
      delete: '🗑 Delete',
      confirmDelete: '🗑 Yes, delete it',
      copy: '📋 Copy the secret',
    },
    list: (total: number) => html`🪝 <b>Webhooks</b>: ${total}`,
    about: html`When something happens to your orders, top-ups, traffic or sub-users, I tell your program at its own address. Each message is signed (standardwebhooks.com).`,
    icons: { active: '🟢', off: '⏸', failing: '🔴', gone: '⛔' },
    statuses: {
      active: 'On',
      off: 'Switched off',
      failing: 'Switched off: nothing arrived for a week',
      gone: 'Switched off: its address says that it is gone',
    },
    url: (url: string) => html`🪝 <code>${url}</code>`,
    status: (status: string) => html`${status}`,
    events: (events: string) => html`Hears: <code>${events}</code>`,
    delivered: (when: string | undefined) =>
      when === undefined ? html`Nothing has arrived yet` : html`Last arrived ${when}`,
    failing: (since: string) => html`⚠️ Nothing has arrived since ${since}`,
    oldSecret: (until: string) => html`The old secret works until ${until}`,
    askUrl: html`🪝 <b>New webhook</b>\n\nWhere shall I send the messages? Send me an address that begins with <code>https://</code>.`,
    made: (secret: string) =>
      html`✅ <b>The webhook is ready.</b> With this secret your program checks the messages. Copy it now: I cannot show it again.\n\n<code>${secret}</code>`,
    askSecret: html`Make a new secret? For 24 hours I sign with both, so that your program can change over.`,
    newSecret: (secret: string) =>
      html`✅ <b>The new secret.</b> Copy it now: I cannot show it again.\n\n<code>${secret}</code>`,
    askDelete: html`Delete this webhook? What still waits for it, and its deliveries, are deleted, too.`,
    log: (total: number) => html`📜 <b>Deliveries</b> of the last 30 days: ${total}`,
    noLog: html`Nothing was sent yet.`,
    marks: { waiting: '🕓', delivered: '✅', failed: '❌' },
    line: (mark: string, time: string, type: string, answer: string) =>
      html`${mark} ${time} <code>${type}</code>${answer}`,
    answered: (status: number) => ` · ${status}`,
    faults: {
      timeout: ' · no answer in time',
      name_not_found: ' · name not found',
      address_not_allowed: ' · address not allowed',
      connection_refused: ' · connection refused',
      connection_failed: ' · connection failed',
      certificate_refused: ' · certificate not valid',
      secret_unreadable: ' · secret unreadable',
    } satisfies Record<StoredFault, string>,
    turnedOff: (host: string) => html`🪝 <b>The webhook to ${host} is switched off</b>`,
    offBecause: {
      failing: html`Nothing I sent it has arrived for a week. Put its address in order, then switch it on again: what still waits is sent then.`,
      gone: html`Its address answered that nobody is there any more (410). Give it another address, or switch it on again.`,
    },
  },
  keys: (total: number) => html`🔑 <b>API keys</b>: ${total}`,
  aboutKeys: html`With a key a program acts for your account, without your password and only as far as the key goes. Make one for each program.`,
  unused: 'unused',
  icons: { active: '🟢', expired: '⌛', revoked: '⛔' },
  states: { active: 'Works', expired: 'Expired', revoked: 'Revoked' },
  scopes: {
    read: 'Look at everything',
    orders: 'Buy, renew, release',
    traffic: 'Use traffic',
    'sub-users': 'Manage sub-users',
    'top-ups': 'Top up',
  },
  key: (start: string, name: string) => html`🔑 <b>${name}</b> · <code>${start}</code>`,
  state: (state: string) => html`${state}`,
  may: (scope: string) => html`• ${scope}`,
  from: (addresses: readonly string[]) =>
    addresses.length === 0
      ? html`Works from any address`
      : html`Works from <code>${addresses.join(', ')}</code> only`,
  until: (until: string | undefined) => (until === undefined ? html`No end` : html`Until ${until}`),
  used: (when: string | undefined) => (when === undefined ? html`Never used` : html`Last used ${when}`),
  since: (date: string) => html`Made ${date}`,
  askRevoke: html`Revoke this key? Programs that use it are refused at once, and it cannot be made to work again.`,
  askName: html`🔑 <b>New API key</b>\n\nWhat is it for? Send me a name, such as <i>order robot</i>.`,
  newKey: (name: string) => html`🔑 <b>New API key</b>: ${name}`,
  askForm: html`What may it do, and how long shall it work? Send me addresses such as <code>203.0.113.7</code> or <code>203.0.113.0/24</code> when it shall work from there only.`,
  term: (days: number | null) => (days === null ? 'No end' : days === 365 ? '1 year' : `${days} days`),
  noScope: 'Please choose at least one thing that it may do.',
  made: (key: string) =>
    html`✅ <b>The key is ready.</b> Copy it now: I cannot show it again.\n\n<code>${key}</code>`,
}
