/**
 * What one of several servers may let through, so that all of them together keep a limit (rules 10.23).
 *
 * @returns 1 at least
 */
export function limitOfEach(limit: number, servers: number): number {
  return Math.max(1, Math.floor(limit / servers))
}
