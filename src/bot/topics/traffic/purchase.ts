import { MAX_GIGABYTES } from '../../../core/traffic/bytes.ts'
import { pack, wholeNumber } from '../../kit/callback-data.ts'
import { USERS } from '../users/place.ts'

/** Actions of buying traffic, step by step; each button carries all that was chosen before it. */
export const BUY_TRAFFIC = {
  /** Without a product: which one; with one: how much. */
  amounts: 'db',
  /** The same for a sub-user. */
  forUser: USERS.buyTrafficFor,
  typeAmount: 'dbi',
  confirm: 'dbq',
  pay: 'db!',
} as const

/** Name of the question how many GB. */
export const HOW_MUCH_TRAFFIC = 'traffic.how-much'

/** What is bought, and for whom. */
export interface WantedTraffic {
  readonly productId: number
  /** A direct sub-user; undefined for the person itself. */
  readonly userId: number | undefined
}

/** All that a purchase of traffic needs. */
export interface TrafficChoice extends WantedTraffic {
  readonly gigabytes: number
}

/** A button about a product for somebody, and whatever else its action needs. */
export function packWanted(
  action: string,
  { productId, userId }: WantedTraffic,
  ...more: (string | number)[]
): string {
  return userId === undefined && more.length === 0
    ? pack(action, productId)
    : pack(action, productId, userId ?? '', ...more)
}

/** A button about a whole purchase. Traffic is counted in thousandths of a GB, which are whole numbers. */
export function packChoice(action: string, choice: TrafficChoice, ...more: string[]): string {
  return packWanted(action, choice, Math.round(choice.gigabytes * 1000), ...more)
}

/** What a button's parameters want; undefined when they were forged. */
export function wantedOf([product, user]: readonly string[]): WantedTraffic | undefined {
  const [productId, userId] = [wholeNumber(product), wholeNumber(user)]
  if (productId === undefined || (user && userId === undefined)) return undefined
  return { productId, userId }
}

/** The choice in a button's parameters; undefined when they were forged. */
export function choiceOf(parameters: readonly string[]): TrafficChoice | undefined {
  const wanted = wantedOf(parameters)
  const thousandths = wholeNumber(parameters[2])
  if (!wanted || !thousandths || thousandths > MAX_GIGABYTES * 1000) return undefined
  return { ...wanted, gigabytes: thousandths / 1000 }
}
