import type { Topic } from '../../dialogue/topic.ts'
import { adjustQuestions, adjustUserFeature } from './adjust.ts'
import { askedMoneyFeature } from './asked-money.ts'
import { createUsersFeature, creationQuestions } from './create.ts'
import { editQuestions, editUserFeature } from './edit.ts'
import { findUser } from './find.ts'
import { joinLinkQuestions, joinLinksFeature } from './join-links.ts'
import { searchUsers, usersFeature } from './handlers.ts'
import { messageQuestions, messageUsersFeature } from './message.ts'
import { pickQuestions, pickUsersFeature } from './picked.ts'
import { withPickedFeature, withPickedQuestions } from './with-picked.ts'

/** An agent's sub-users. */
export const users: Topic = {
  features: [
    usersFeature(),
    createUsersFeature(),
    adjustUserFeature(),
    askedMoneyFeature(),
    editUserFeature(),
    joinLinksFeature(),
    pickUsersFeature(),
    withPickedFeature(),
    messageUsersFeature(),
  ],
  finds: [findUser],
  questions: [
    searchUsers,
    ...creationQuestions,
    ...adjustQuestions,
    ...editQuestions,
    ...joinLinkQuestions,
    ...pickQuestions,
    ...withPickedQuestions,
    ...messageQuestions,
  ],
}
