import { expect, it, vi } from 'vitest'
import { MEMBER, startBot } from '../support/bot.ts'
import { PATIENCE } from '../support/patience.ts'
import { ANN, BEN } from '../support/product.ts'

it('A stored dialogue goes on in the chat in which it began, and in no other', async () => {
  const { phone, core, db } = await startBot()
  const [ann, ben] = [phone(ANN), phone(BEN)]
  ben.send('/help')
  await ben.waitFor('帮助')
  ann.send('/login')
  await ann.waitFor('your username')
  const stored = await vi.waitUntil(async () => (await core.chats.session(ANN.id, 'en')).dialogue, PATIENCE)
  // Whoever can write to the database, but not read what is encrypted in it, can give it to another chat.
  await db.write((tx) =>
    tx.dialogue.create({ data: { key: String(BEN.id), value: stored, updatedAt: new Date() } }),
  )
  ben.send(MEMBER.username)
  await ben.waitFor('请重新开始')
  expect((await core.chats.session(BEN.id, 'zh')).dialogue).toBeNull()
  ann.send(MEMBER.username)
  await ann.waitFor('your password')
})
