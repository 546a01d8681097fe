import { binding } from '../binding.ts'
import type { Essentials } from '../jobs/essentials.ts'
import { mutedIn, setMuted } from './muted.ts'
import { salesMode, setSalesMode } from './sales.ts'

/** Settings of what a chat is told. */
export function mutesPart(deps: Essentials) {
  const bind = binding(deps)
  return {
    muted: bind(mutedIn),
    setMuted: bind(setMuted),
    salesMode: bind(salesMode),
    setSalesMode: bind(setSalesMode),
  }
}
