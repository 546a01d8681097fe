import type { Topic } from '../../topic.ts'
import { settingsFeature } from './handlers.ts'
import { languageFeature } from './language.ts'
import { ownPasswordFeature, passwordQuestions } from './own-password.ts'

/** What each chat decides for itself. */
export const settings: Topic = {
  features: [settingsFeature(), languageFeature(), ownPasswordFeature()],
  questions: passwordQuestions,
}
