import { binding } from '../binding.ts'
import type { Essentials } from '../jobs/essentials.ts'
import { openPersonInvite } from './person-invites.ts'
import { endWebLogIn, openWebLogIn, operatorOfToken } from './web-log-ins.ts'
import { operatorIn, operatorNamed } from './who-acts.ts'

/** Who runs the shop. */
export function peoplePart(deps: Essentials) {
  const bind = binding(deps)
  return {
    /** Who acts in a chat; undefined for customers. */
    operatorIn: bind(operatorIn),
    /** A person at the command line. */
    operatorNamed: bind(operatorNamed),
    /** Whoever opens a link becomes a person. */
    openInvite: bind(openPersonInvite),
    /** Sessions outside of Telegram. */
    openLogIn: bind(openWebLogIn),
    endLogIn: bind(endWebLogIn),
    /** Who acts with the token of a session. */
    operatorOfToken: bind(operatorOfToken),
  }
}
