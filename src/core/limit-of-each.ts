/**
 * Returns how much each of several servers may let through, so that all of them together keep a limit (rules 10.23).
 *
 * @returns at least 1
 */
export function limitOfEach(limit: number, servers: number): number {
  return Math.max(1, Math.floor(limit / servers))
}
