import { INVITE_MARK as MARK } from '../../core/accounts/invites.ts'

/** The link that opens the chat with the bot and sends it `/start` with a parameter. */
export function startLink(botUsername: string, parameter: string): string {
  return `https://t.me/${botUsername}?start=${parameter}`
}

/** The parameter of `/start` that opens an invitation. */
export function invitation(token: string): string {
  return MARK + token
}

/** The token of an invitation in the parameter of `/start`; undefined for anything else. */
export function invitationIn(parameter: string): string | undefined {
  return parameter.startsWith(MARK) ? parameter.slice(MARK.length) : undefined
}
