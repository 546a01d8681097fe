import { expect, test, vi } from 'vitest'
import { createPhone } from './support/phone.ts'
import type { ProductProcess } from './support/process.ts'
import { AGENT, ANN } from './support/product.ts'
import { openShopToKill } from './support/shop-to-kill.ts'
import { PATIENCE } from './support/patience.ts'

const CROWD = Array.from({ length: 30 }, (_, index) => 9000 + index)
const NEWS = 'The office is closed today.'
/** Copies that have arrived when the process is killed. */
const KILLED_AT = 7

test('a broadcast begins at its time and goes on after kills before and in the middle: all are told, twice only who was just being told', async () => {
  const {
    beside: { change },
    telegram,
    ids: [id],
    start,
  } = await openShopToKill([AGENT], {
    OPERATOR_CHAT_IDS: String(ANN.id),
  })
  let product: ProductProcess | undefined
  for (const user of CROWD) {
    telegram.addUser({ id: user, firstName: `User ${user}`, languageCode: 'en' })
    telegram.send(user, '/start')
  }

  /** Chats that a copy has reached, as often as it has. */
  const told: number[] = []
  telegram.subscribe((event) => {
    if (event.type !== 'message' || event.chatId === ANN.id || !event.message.text.includes(NEWS)) return
    told.push(event.chatId)
    // The process never learns that this one has arrived.
    if (told.length === KILLED_AT) dead = product?.kill()
  })
  let dead: Promise<void> | undefined

  product = await start()
  const logIn = () =>
    change(
      `INSERT INTO log_ins (chat_id, account_id, account_version, created_at, used_at)
     SELECT id, CAST(? AS integer), 1, created_at, created_at FROM chats WHERE screen_message > 0
     ON CONFLICT (chat_id, account_id) DO UPDATE SET account_version = 1`,
      id,
    )
  await vi.waitUntil(async () => (await logIn()) === CROWD.length, PATIENCE)
  const ops = createPhone(telegram, ANN)
  ops.send('/broadcast')
  await ops.press('Everybody (30)')
  await ops.waitFor('Send me a text')
  ops.send(NEWS)
  await ops.press('🕘 In 1 hour')
  await ops.waitFor('Planned')

  // It is on the schedule, whatever happens to the process meanwhile; then its time comes while nothing runs.
  await product.kill()
  const soon = new Date(Date.now() - 1000).toISOString()
  await change('UPDATE broadcasts SET start_at = ?', soon)
  await change(`UPDATE jobs SET run_at = ? WHERE kind = 'send_broadcast'`, soon)
  expect(told).toEqual([])
  // Nobody is told before the process can be killed.
  telegram.inject({ method: 'sendMessage', kind: 'too-many-requests', times: Infinity })
  product = await start()
  telegram.clearFaults()
  await vi.waitUntil(() => told.length >= KILLED_AT, PATIENCE)
  await dead
  expect(told).toHaveLength(KILLED_AT)
  product = await start()
  await ops.waitFor('✅ Sent', { evenOld: true })
  expect(new Set(told)).toEqual(new Set(CROWD))
  expect(told).toHaveLength(CROWD.length + 1)
})
