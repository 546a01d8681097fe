import { binding } from '../binding.ts'
import type { Essentials } from '../jobs/essentials.ts'
import { setChatScreen } from './set-screen.ts'

/** What the live screen of a chat shows. */
export function screensPart(deps: Essentials) {
  const bind = binding(deps)
  return {
    setScreen: bind(setChatScreen),
  }
}
