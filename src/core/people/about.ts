import type { Facts } from './guarded.ts'

/** Fields of inputs that are never kept. */
const SECRETS = new Set(['password', 'secret', 'key', 'url'])

/** What the trail keeps of an input: all of it but what is secret, of which only the fact that it was given. */
export function about(subject: string | number, input: object = {}, username?: string): Facts {
  const details = Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      SECRETS.has(name) && value !== undefined ? '…' : value,
    ]),
  )
  return { subject: String(subject), details, ...(username !== undefined && { username }) }
}
