import type { Topic } from '../../dialogue/topic.ts'
import { answerCustomer, deskFeature } from './desk.ts'
import { supportFeature, writeToSupport } from './handlers.ts'

/** Questions of customers, and the answers of their agents and the shop. */
export const support: Topic = {
  features: [supportFeature(), deskFeature()],
  questions: [writeToSupport, answerCustomer],
}
