import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
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

test('Bots that were made are kept with their tokens, owners, texts and chats; those that were deleted are not', async () => {
  const path = join(await temporaryDirectory(), 'chats.db')
  const ann = { id: 501, firstName: 'Ann', languageCode: 'en' }
  const open = (token: string) => {
    const store = openChatStore(path)
    return { store, telegram: createTelegramEmulator({ token, botUsername: 'shop_bot', store }) }
  }
  const first = open('1:first')
  first.telegram.addUser(ann)
  first.telegram.setCanManageBots(true)
  const make = (username: string) =>
    first.telegram.createManagedBot(ann.id, { manager: 'shop_bot', username, name: 'Hers' })
  const made = make('anns_bot')
  made.send(ann.id, 'to hers')
  first.telegram.send(ann.id, 'to the shop')
  const gone = make('gone_bot')
  gone.send(ann.id, 'to nobody')
  gone.deleteBot()
  first.store.close()

  const second = open('1:second')
  onTestFinished(() => void second.store.close())
  expect(second.telegram.about()).toMatchObject({ token: '1:second', canManageBots: true })
  expect(second.telegram.bots().map(({ botUsername }) => botUsername)).toEqual(['shop_bot', 'anns_bot'])
  expect(second.telegram.bot('anns_bot').about()).toEqual(made.about())
  const textsOf = (username: string) =>
    second.telegram
      .bot(username)
      .messages(ann.id)
      .map(({ text }) => text)
  expect([textsOf('anns_bot'), textsOf('shop_bot')]).toEqual([['to hers'], ['to the shop']])
})
