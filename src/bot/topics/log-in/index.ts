import type { Topic } from '../../topic.ts'
import { LOG_IN, logInDialogue } from './dialogue.ts'
import { logInFeature } from './handlers.ts'
import { firstPassword, invitesFeature } from './invites.ts'
import { logOutFeature } from './log-out.ts'

/** Logging in, by password or invitation, and logging out. */
export const logIn: Topic = {
  features: [invitesFeature(), logInFeature(), logOutFeature()],
  questions: [firstPassword],
  dialogues: { [LOG_IN]: logInDialogue },
}
