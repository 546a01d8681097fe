/** What an owner may choose without a file, by the names of the environment (rules 9.11). */
export const CHOICES = ['CURRENCY', 'USDT_WALLET', 'USDT_RATE', 'PUBLIC_URL', 'SUPPORT_CONTACT'] as const
export type Choice = (typeof CHOICES)[number]
/** As the environment would say them. */
export type Chosen = Readonly<Partial<Record<Choice, string>>>

/** What the process knows of its settings; undefined where nothing can be chosen. */
export interface Setup {
  /** What the environment says: it wins. */
  readonly environment: Chosen
  /** Whether the service would start with this beside the environment. */
  readonly fits: (chosen: Chosen) => boolean
  /** Called when something else was chosen, which holds from the next start on. */
  readonly changed: () => void
}
