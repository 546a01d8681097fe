import type { Database } from '../../src/core/database/database.ts'

/** Logs an account at token version 1 in at a chat that is known, as the bot would by its password. */
export async function logInAt(db: Database, chatId: number, accountId: number): Promise<void> {
  const createdAt = new Date()
  await db.write(async (tx) => {
    await tx.logIn.create({
      data: { chatId, accountId, accountVersion: 1, createdAt, usedAt: createdAt },
    })
    await tx.chat.update({ where: { id: chatId }, data: { accountId } })
  })
}
