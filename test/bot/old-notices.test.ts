import { test } from 'vitest'
import { databaseBefore } from '../support/old-database.ts'
import { startProduct } from '../support/product.ts'

const OLGA = { id: 900, firstName: 'Olga', languageCode: 'zh' }
/** Facts of notices that an older version has left, in which names have a field for each language. */
const FACTS = {
  stock_low: { productNo: 'p', nameEn: 'Static', nameZh: '静态', free: 3 },
  stock_resting: { products: [{ nameEn: 'Dynamic', nameZh: '动态', resting: 2 }] },
}

test('notices that a blocked chat gets after an update have the names in the language of the chat', async () => {
  const notices = Object.entries(FACTS).map(
    ([kind, facts]) => `INSERT INTO notices (chat_id, kind, subject, data, status, created_at)
      VALUES (${OLGA.id}, '${kind}', '${kind}', '${JSON.stringify(facts)}', 'blocked', '2026-11-20T17:57:00.000Z');`,
  )
  const chat = `INSERT INTO chats (id, language, blocked, created_at, updated_at) VALUES (${OLGA.id}, 'zh', true, '', '');`
  const path = await databaseBefore('names', chat + notices.join(''))
  const product = await startProduct({}, { databaseUrl: `file:${path}`, operatorChats: [OLGA.id] })
  const olga = product.phone(OLGA)
  olga.send('/start')
  await olga.waitFor('静态')
  await olga.waitFor('动态')
})
