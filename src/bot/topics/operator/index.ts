import type { Topic } from '../../topic.ts'
import { broadcastFeature, broadcastQuestions } from './broadcast.ts'
import { chatIdFeature, operatorFeature, operatorGroupFeature } from './handlers.ts'
import { paymentQuestions, paymentsFeature } from './payments.ts'
import { replacementQuestions, replacementsFeature } from './replacements.ts'

/** What those who run the shop do in their chats. */
export const operator: Topic = {
  features: [
    chatIdFeature(),
    operatorFeature(),
    operatorGroupFeature(),
    paymentsFeature(),
    replacementsFeature(),
    broadcastFeature(),
  ],
  questions: [...paymentQuestions, ...replacementQuestions, ...broadcastQuestions],
}
