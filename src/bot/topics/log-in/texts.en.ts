import { html } from '../../kit/html.ts'

/** For whoever opens the link that an agent handed out. */
export const invite = {
  welcome: (username: string) =>
    html`<b>Welcome, ${username}!</b>\n\nYou are logged in. Now send me a <b>password of your own</b>: 6 to 50 characters. I delete your message at once.`,
  otherAccount: (current: string, invited: string) =>
    html`This invitation is for <b>${invited}</b>, but you are logged in as <b>${current}</b>.\n\nLog out here and log in as ${invited}?`,
  switch: 'Use the invitation',
  used: 'This link has already been used. If that was not you, please ask your agent for a new one.',
  expired: 'This link has expired. Please ask your agent for a new one.',
  unknown: 'This link is not valid. Please check that it is complete, or ask your agent for a new one.',
}
