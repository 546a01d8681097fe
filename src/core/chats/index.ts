import type { AccountDeps } from '../accounts/deps.ts'
import { binding } from '../binding.ts'
import { currentId } from '../people/moved-chats.ts'
import type { Sealing } from '../sealed.ts'
import { chatSession, isFollowing, logInChat, setChatBlocked, setChatLanguage } from './chat-sessions.ts'
import { setProxyFormat, setTimeZone } from './chat-settings.ts'
import { deleteDialogue, writeDialogue } from './dialogues.ts'
import { changeDraft, readDraft } from './draft.ts'
import { forgetWaiting } from './forget-waiting.ts'
import { moveChat } from './move-chat.ts'

/**
 * State and settings of chats, and log-ins by password.
 *
 * @param sealedLists keeps a pasted list of proxies, which holds credentials, readable to its chat only
 */
export function chatsPart(deps: AccountDeps, sealedLists: Sealing) {
  const bind = binding(deps)
  return {
    session: bind(chatSession),
    logIn: bind(logInChat),
    setLanguage: bind(setChatLanguage),
    isFollowing: bind(isFollowing),
    setBlocked: bind(setChatBlocked),
    moved: bind(moveChat),
    currentId: bind(currentId),
    setProxyFormat: bind(setProxyFormat),
    setTimeZone: bind(setTimeZone),
    writeDialogue: bind(writeDialogue),
    deleteDialogue: bind(deleteDialogue),
    readDraft: bind(readDraft),
    changeDraft: bind(changeDraft),
    forgetWaiting: bind(forgetWaiting),
    sealedLists,
  }
}
