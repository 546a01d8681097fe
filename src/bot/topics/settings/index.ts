import type { Topic } from '../../dialogue/topic.ts'
import { settingsFeature } from './handlers.ts'
import { languageFeature } from './language.ts'
import { ownPasswordFeature, passwordQuestions } from './own-password.ts'
import { zoneFeature, zoneQuestions } from './zone.ts'

/** What each chat decides for itself. */
export const settings: Topic = {
  features: [settingsFeature(), languageFeature(), zoneFeature()],
  ofShop: [ownPasswordFeature()],
  questions: [...passwordQuestions, ...zoneQuestions],
}
