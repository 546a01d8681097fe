import type { Topic } from '../../topic.ts'
import { firstPassword, invitesFeature } from './invites.ts'
import { logInFeature } from './handlers.ts'
import { logOutFeature } from './log-out.ts'
import { LOG_IN, logInDialogue } from './dialogue.ts'
/** Getting into an account and out of it. */
export const logIn: Topic = {
  features: [invitesFeature(), logInFeature(), logOutFeature()],
  questions: [firstPassword],
  dialogues: { [LOG_IN]: logInDialogue },
}
