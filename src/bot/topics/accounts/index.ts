import type { Topic } from '../../dialogue/topic.ts'
import { accountsFeature, devicesFeature } from './handlers.ts'

/** Several accounts in one chat, and the chats of one account. */
export const accounts: Topic = {
  features: [accountsFeature(), devicesFeature()],
}
