import { readFileSync } from 'node:fs'

/** The usual limit, for systems that do not tell theirs. */
const USUAL = 1_024

/** How many descriptors this process may have open at once. */
export function openFileLimit(): number {
  try {
    const [, limit] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return Number(limit ?? USUAL)
  } catch {
    // Not Linux.
    return USUAL
  }
}
