import type { Topic } from '../../dialogue/topic.ts'
import { guideFeature } from './handlers.ts'

/** How proxies are used, and what the words mean. */
export const guide: Topic = { features: [guideFeature()] }
