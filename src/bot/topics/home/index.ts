import type { Topic } from '../../dialogue/topic.ts'
import { homeButtonFeature, homeFeature } from './handlers.ts'

/** The main menu, and what is reached from everywhere. */
export const home: Topic = {
  features: [homeButtonFeature(), homeFeature()],
}
