import type { Topic } from '../../dialogue/topic.ts'
import { peopleFeature } from './handlers.ts'
import { personInvitesFeature } from './invites.ts'
import { personQuestions } from './questions.ts'
import { salesFeature, switchesFeature } from './switches.ts'
import { webLogInsFeature } from './web.ts'
import { trailFeature, trailQuestions } from './trail.ts'

/** Those who run the shop: who they are, what they did, and what they are told. */
export const people: Topic = {
  features: [
    peopleFeature(),
    personInvitesFeature(),
    webLogInsFeature(),
    trailFeature(),
    switchesFeature(),
    salesFeature(),
  ],
  questions: [...personQuestions, ...trailQuestions],
}
