import type { Topic } from '../../dialogue/topic.ts'
import { stockFeature, stockQuestions } from './handlers.ts'

/** Proxies for sale, in the operator's chats. */
export const stock: Topic = { features: [stockFeature()], questions: stockQuestions }
