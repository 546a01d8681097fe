import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openChatStore } from '../../src/emulators/telegram/chat-store.ts'
import { createTelegramEmulator } from '../../src/emulators/telegram/telegram-emulator.ts'
import { temporaryDirectory } from '../support/service.ts'

test('What is kept of the chats is bounded: the newest messages, and so many bytes of files', async () => {
  const path = join(await temporaryDirectory(), 'chats.db')
  const ann = { id: 501, firstName: 'Ann', languageCode: 'en' }
  const open = () => {
    const store = openChatStore(path, { messages: 3, fileBytes: 1000 })
    return { store, telegram: createTelegramEmulator({ token: '42:secret', store }) }
  }
  const first = open()
  first.telegram.addUser(ann)
  for (const text of ['1', '2', '3', '4']) first.telegram.send(ann.id, text)
  first.store.close()

  const second = open()
  expect(second.telegram.messages(ann.id).map(({ text }) => text)).toEqual(['2', '3', '4'])
  for (const fileName of ['a.txt', 'b.txt'])
    second.telegram.sendFile(ann.id, { fileName, mimeType: 'text/plain', content: Buffer.alloc(600) })
  second.store.close()

  const third = open()
  expect(third.telegram.messages(ann.id).map(({ text, file }) => file?.fileName ?? text)).toEqual([
    '4',
    'b.txt',
  ])
  third.store.close()
})
