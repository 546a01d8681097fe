import { searchUsers, usersFeature } from './handlers.ts'
import type { Topic } from '../../topic.ts'
import { createUsersFeature, creationQuestions } from './create.ts'
import { adjustQuestions, adjustUserFeature } from './adjust.ts'
import { editQuestions, editUserFeature } from './edit.ts'
/** An agent's sub-users. */
export const users: Topic = {
  features: [usersFeature(), createUsersFeature(), adjustUserFeature(), editUserFeature()],
  questions: [searchUsers, ...creationQuestions, ...adjustQuestions, ...editQuestions],
}
