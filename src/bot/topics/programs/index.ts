import type { Topic } from '../../dialogue/topic.ts'
import { apiKeysFeature } from './api-keys.ts'
import { programsFeature } from './handlers.ts'
import { apiKeyQuestions } from './new-api-key.ts'
import { webhookQuestions } from './new-webhook.ts'
import { webhooksFeature } from './webhooks.ts'

/** An account's API keys and webhooks, reached from its settings. */
export const programs: Topic = {
  features: [programsFeature(), apiKeysFeature(), webhooksFeature()],
  questions: [...apiKeyQuestions, ...webhookQuestions],
}
