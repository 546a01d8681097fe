import type { Facts } from './guarded.ts'

/** Fields of inputs that are never kept. */
const SECRETS = new Set(['password', 'secret', 'key', 'url'])

/** Returns what the trail keeps of an input: all fields, with a mask in place of each secret. */
export function about(subject: string | number, input: object = {}, username?: string): Facts {
  const details = Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      SECRETS.has(name) && value !== undefined ? '…' : value,
    ]),
  )
  return { subject: String(subject), details, ...(username !== undefined && { username }) }
}
