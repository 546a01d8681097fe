import type { Topic } from '../../dialogue/topic.ts'
import { LOG_IN, logInDialogue } from './dialogue.ts'
import { logInFeature } from './handlers.ts'
import { firstPassword, invitesFeature } from './invites.ts'
import { joinFeature, logInToFeature } from './join.ts'
import { JOIN, joinDialogue } from './join-dialogue.ts'
import { logOutFeature } from './log-out.ts'
import { personLinkFeature } from './person-link.ts'
import { pricesFeature } from './prices.ts'

/** Logging in, by password or invitation, registering by a link of an agent, and logging out. */
export const logIn: Topic = {
  features: [invitesFeature(), joinFeature(), logInToFeature(), logOutFeature(), pricesFeature()],
  ofShop: [personLinkFeature(), logInFeature()],
  questions: [firstPassword],
  dialogues: { [LOG_IN]: logInDialogue, [JOIN]: joinDialogue },
}
