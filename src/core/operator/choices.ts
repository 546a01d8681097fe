/** Settings that an owner may choose without a file, named as in the environment (rules 9.11). */
export const CHOICES = ['CURRENCY', 'USDT_WALLET', 'USDT_RATE', 'PUBLIC_URL', 'SUPPORT_CONTACT'] as const
export type Choice = (typeof CHOICES)[number]
/** Values of the chosen settings, spelled as in the environment. */
export type Chosen = Readonly<Partial<Record<Choice, string>>>

/** What the process knows of the settings that can be chosen. */
export interface Setup {
  /** Values that the environment sets; they take precedence. */
  readonly environment: Chosen
  /** Tells whether the service would start with these choices beside the environment. */
  readonly fits: (chosen: Chosen) => boolean
  /** Called when something else was chosen, which holds from the next start on. */
  readonly changed: () => void
}
