import { html, lines } from '../html.ts'

export const language = html`<b>Language</b>`

/** What each chat decides for itself. */
export const settings = {
  title: html`<b>Settings</b>`,
  of: (username: string) =>
    lines(
      html`👤 ${username}`,
      html`Language, time zone, proxy format and notices are those of this chat only.`,
    ),
  buttons: {
    language: (name: string) => `🌐 Language: ${name}`,
    zones: '🕘 Time zone',
    zone: (name: string) => `🕘 Time zone: ${name}`,
    format: (name: string) => `📋 ${name}`,
    notices: (off: number) => (off === 0 ? '🔔 Notices: all on' : `🔔 Notices: ${off} off`),
    password: (isSet: boolean): string => (isSet ? '🔑 Change password' : '🔑 Set a password'),
  },
  zone: {
    question: (now: string) =>
      html`<b>Time zone</b>\n\nHere it is now <b>${now}</b>. If that is not your time, tap your zone, or send me your city or country, or how far you are from UTC: <code>Berlin</code>, <code>Vietnam</code>, <code>+5:30</code>.`,
    unknown: (text: string) => `I know no time zone for “${text}”. Try a large city near you, or +8.`,
  },
  format: html`<b>Proxy format</b>\n\nIn which format should proxies be copied and exported?`,
  formats: {
    colon: 'ip:port:user:pass',
    at: 'user:pass@ip:port',
    http: 'http://user:pass@ip:port',
    socks5: 'socks5://user:pass@ip:port',
    csv: 'ip,port,user,pass',
  },
  notices: html`<b>Notices</b>\n\nWhat should I tell you about in this chat? Tap to switch it on or off.`,
  kinds: {
    order_ready: 'Order ready',
    order_partial: 'Partly delivered',
    order_failed: 'Order failed',
    order_delayed: 'Order delayed',
    renewal_done: 'Auto-renewed',
    renewal_failed: 'Renewal failed',
    credentials_changed: 'New password',
    expiring_72h: 'Expires in 3 days',
    expiring_24h: 'Expires in 24 h',
    expired: 'Expired',
    proxy_dead: 'Proxy is dead',
    replacement_ended: 'Replacement decided',
    traffic_80: 'Traffic at 80%',
    traffic_100: 'Traffic used up',
    low_balance: 'Low balance',
    address_freed: 'White list',
    money_wanted: 'Requests for money',
    sub_user_joined: 'New sub-users',
    top_up_paid: 'Top-up arrived',
    top_up_expired: 'Top-up expired',
    top_up_late: 'Late payment',
    new_log_in: 'New log-ins',
    broadcast: 'News',
    sub_users: 'My sub-users',
  },
}

/** One's own password. */
export const password = {
  askFirst: html`<b>Password</b>\n\nWith a password you log in anywhere, also through the API. After a log-out you then need it here, too.\n\nSend me a <b>password</b>: 6 to 50 characters. I delete your message at once.`,
  askOld: html`<b>New password</b>\n\nFirst send me your <b>current password</b>. I delete your message at once.`,
  askNew: html`<b>New password</b>\n\nNow send me the <b>new password</b>: 6 to 50 characters. I delete your message at once.`,
  wrong: 'Wrong password.',
  done: html`✅ Your new password is set. You stay logged in here and are logged out everywhere else.`,
}
