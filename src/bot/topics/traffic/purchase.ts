import { z } from 'zod'
import { MAX_GIGABYTES } from '../../../core/bytes.ts'
import type { TrafficChoice } from '../../actions/traffic-choice.ts'
import { draft } from '../../session/draft.ts'

/** Name of the conversation of a purchase of traffic. */
export const BUYING_TRAFFIC = 'buy-traffic'

/** State of the conversation; without `asks`, what is typed is an amount. */
export interface BuyingTraffic extends TrafficChoice {
  readonly asks?: 'promo'
}

/** Default amount of a first purchase, in GB. */
export const FIRST_GIGABYTES = 1

/** What is remembered of a purchase (rules 5.26). */
export const Remembered = z.object({ gigabytes: z.number().positive().max(MAX_GIGABYTES) })

/** The promotion code that was typed last. */
export const promoDraft = draft('trafficPromo', z.object({ name: z.string(), code: z.string() }))
