import type { Topic } from '../../dialogue/topic.ts'
import { agentQuestions, agentsFeature } from './handlers.ts'

/** Agents, in the operator's chats. */
export const agents: Topic = { features: [agentsFeature()], questions: agentQuestions }
