import { html } from '../../kit/html.ts'

/** What an account has for programs. */
export const programs = {
  title: html`🔌 <b>For programs</b>`,
  about: html`Programs can buy, renew and look up for you what you do here by hand: with an API key, by the REST interface.`,
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
