import { z } from 'zod'
import { MAX_GIGABYTES } from '../../../core/bytes.ts'
import type { TrafficChoice } from '../../actions/traffic-choice.ts'
import { draft } from '../../session/draft.ts'

/** The conversation of a purchase of traffic. */
export const BUYING_TRAFFIC = 'buy-traffic'

/** What the conversation knows of the screen; without `asks`, an amount is typed there. */
export interface BuyingTraffic extends TrafficChoice {
  readonly asks?: 'promo'
}

/** What is bought unless somebody says otherwise. */
export const FIRST_GIGABYTES = 1

/** What is remembered of a purchase (rules 5.26). */
export const Remembered = z.object({ gigabytes: z.number().positive().max(MAX_GIGABYTES) })

/** The promotion code that was typed last. */
export const promoDraft = draft('trafficPromo', z.object({ name: z.string(), code: z.string() }))
