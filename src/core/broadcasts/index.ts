import { binding } from '../binding.ts'
import type { Essentials } from '../jobs/essentials.ts'
import {
  cancelMessage,
  countSubUserChats,
  draftMessage,
  readMessage,
  startMessage,
} from './message-sub-users.ts'

/** What agents write to their sub-users. */
export function messagesPart(deps: Essentials) {
  const bind = binding(deps)
  return {
    count: bind(countSubUserChats),
    draft: bind(draftMessage),
    read: bind(readMessage),
    start: bind(startMessage),
    cancel: bind(cancelMessage),
  }
}
