import { z } from 'zod'
import { randomText } from '../../../core/ids.ts'
import { pack } from '../../kit/callback-data.ts'
import { draft } from '../../session/draft.ts'

/** Actions that begin a renewal or a release of proxies of an order, and that of the buttons that go on with it. */
export const LIFE = { renew: 'renew', release: 'release', go: 'life' } as const

/** A renewal or release under way, as the chat's draft keeps it. */
const Life = z.object({
  /** Buttons of another one are old. */
  id: z.string(),
  /** Another one after each change: what is done is what was shown, and pressing twice does it once. */
  seal: z.string(),
  act: z.enum(['renew', 'release']),
  orderId: z.int(),
  /** Which proxies: their positions in the order, from 0. */
  picked: z.array(z.int()),
  /** Position of the proxy from whose screen it began. */
  at: z.int().optional(),
  /** Of a renewal: for how long, see `packTerm`. */
  term: z.string().optional(),
  /** What came of it. */
  done: z.object({ count: z.int(), amount: z.int(), balance: z.int(), ends: z.array(z.string()) }).optional(),
})

export type Life = Readonly<z.output<typeof Life>>

export const lifeDraft = draft('life', Life)

/** @param at position of the proxy from whose screen it begins */
export function newLife(act: Life['act'], orderId: number, picked: number[], at?: number): Life {
  return { id: randomText(6), seal: randomText(10), act, orderId, picked, ...(at !== undefined && { at }) }
}

export function changedLife(life: Life, changes: Partial<Life>): Life {
  return { ...life, ...changes, seal: randomText(10) }
}

/** A button that goes on with it. */
export function packLife({ id }: Life, verb: string, ...parameters: (string | number)[]): string {
  return pack(LIFE.go, id, verb, ...parameters)
}
