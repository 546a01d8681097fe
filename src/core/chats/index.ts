import { chatSession, isFollowing, logInChat, setChatBlocked, setChatLanguage } from './chat-sessions.ts'
import { setProxyFormat, setTimeZone } from './chat-settings.ts'
import { deleteDialogue, writeDialogue } from './dialogues.ts'
import { changeDraft, readDraft } from './draft.ts'
import { forgetWaiting } from './forget-waiting.ts'
import { moveChat } from './move-chat.ts'
import { currentId } from '../people/moved-chats.ts'
import { sealing } from '../sealed.ts'
import { binding } from '../binding.ts'
import type { AccountDeps } from '../accounts/deps.ts'

/** What is known of a chat. */
export function chatsPart(deps: AccountDeps, jwtSecret: string) {
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
    /** Keeps a pasted list of proxies, which holds credentials, readable to its chat only. */
    sealedLists: sealing(jwtSecret, 'lists of proxies'),
  }
}
