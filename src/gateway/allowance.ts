/** What a credential may still use, shared by all of its connections in this process (rules 12.6). */
export interface Allowance {
  /**
   * Takes bytes before they are passed on, and counts them as used for the host.
   *
   * @returns how many may be passed on: fewer than wanted when less is left here; the rest may come with {@link Allowance.more}
   */
  take(wanted: number, host: string): number
  /** Settles when there may be more to take; false when nothing is left, or the credential has ended. */
  more(): Promise<boolean>
}
