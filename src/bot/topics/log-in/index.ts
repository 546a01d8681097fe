import type { Topic } from '../../topic.ts'
import { LOG_IN, logInDialogue } from './dialogue.ts'
import { logInFeature } from './handlers.ts'
import { firstPassword, invitesFeature } from './invites.ts'
import { logOutFeature } from './log-out.ts'

/** Getting into an account and out of it. */
export const logIn: Topic = {
  features: [invitesFeature(), logInFeature(), logOutFeature()],
  questions: [firstPassword],
  dialogues: { [LOG_IN]: logInDialogue },
}
