/** How people and programs call a network. */
export interface NetworkName {
  /** `BNB Chain (BEP20)`. */
  readonly full: string
  /** As wallets and exchanges offer it: `BEP20`. */
  readonly short: string
  /** `BNB Chain`. */
  readonly chain: string
  /** Its own coin, which is no USDT: `BNB`. */
  readonly coin: string
}
