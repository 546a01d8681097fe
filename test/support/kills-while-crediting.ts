import { expect, vi } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { createTronEmulator } from '../../src/emulators/tron/tron-emulator.ts'
import { createPhone } from './phone.ts'
import { onPostgres } from './postgres.ts'
import type { ProductProcess } from './process.ts'
import { operator } from './processes.ts'
import { ANN, logIn } from './product.ts'
import { openShopToKill } from './shop-to-kill.ts'
import { API_KEY, serve, unitsOf, WALLET, type WireTopUp } from './top-ups.ts'
import { PATIENCE } from './patience.ts'

const USERS = ['ann', 'bob', 'cid', 'dee'] as const
/** As many as a user may have open at once. */
const EACH = 3
const PASSWORD = 'password-of-the-tests'
const RECEIPT = 'walletsolidity/gettransactioninfobyid'
const SOLID_MS = 57_000

/** Kills a shop in so many rounds while it credits payments: none is lost, credited twice, or told not at all. */
export async function proveKillsWhileCrediting(rounds: number): Promise<void> {
  const tron = createTronEmulator({ clock: systemClock, wallet: WALLET })
  const { database, beside, telegram, start } = await openShopToKill(
    USERS.map((username) => ({ username, password: PASSWORD })),
    {
      USDT_WALLET: WALLET,
      TRON_API_URL: await serve(tron),
      TRON_API_KEY: API_KEY,
      RATE_LIMIT_READS: '0',
      RATE_LIMIT_WRITES: '0',
    },
  )
  let product: ProductProcess | undefined
  const call = async (path: string, token = '', body?: object) => {
    const response = await fetch(`${product?.address}/api${path}`, {
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(token && { authorization: `Bearer ${token}` }),
      },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    return ((await response.json()) as { data: WireTopUp & { token: string } }).data
  }

  /** Kills the process when it asks for so many receipts more, while the ones before are being booked. */
  function killAtReceipt(count: number, { kill }: ProductProcess): Promise<void> {
    return new Promise((resolve, reject) => {
      let left = count
      tron.faults.inject({
        kind: 'hang',
        method: RECEIPT,
        when: () => {
          left -= 1
          // The request itself gets its answer.
          if (left === 0) kill().then(resolve, reject)
          return false
        },
      })
    })
  }

  const { rows } = beside
  product = await start()
  const phone = createPhone(telegram, ANN)
  await logIn(phone, { username: USERS[0], password: PASSWORD })
  const tokens: string[] = []
  for (const username of USERS)
    tokens.push((await call('/auth/login', '', { username, password: PASSWORD })).token)
  const paid = new Map<string, WireTopUp>()
  for (let round = 0; round < rounds; round += 1) {
    const open = await Promise.all(
      tokens.flatMap((token) =>
        Array.from({ length: EACH }, () => call('/usdt/create-order', token, { amount: '25' })),
      ),
    )
    const killed = killAtReceipt(2 + round * 4, product)
    // Of the block that has just become irreversible: 57 to 60 seconds old, and a payment may be so much older than its top-up.
    for (const topUp of open)
      paid.set(
        tron.chain.transfer({ units: unitsOf(topUp.pay_amount), at: new Date(Date.now() - SOLID_MS) }),
        topUp,
      )
    // Whoever looks makes the loop look too, until nobody answers any more.
    const look = () => call(`/usdt/check-status?order_no=${open[0]?.order_no}`, tokens[0])
    await vi.waitUntil(
      () =>
        look().then(
          () => false,
          () => true,
        ),
      PATIENCE,
    )
    await killed
    const credited = (await rows("SELECT 1 FROM usdt_transfers WHERE state = 'matched'")).length
    expect(credited).toBeGreaterThan(round * open.length)
    expect(credited).toBeLessThan((round + 1) * open.length)
    product = await start()
    await vi.waitUntil(
      async () =>
        (await rows("SELECT 1 FROM top_ups WHERE status <> 'paid'")).length === 0 &&
        (await rows('SELECT 1 FROM jobs')).length === 0,
      PATIENCE,
    )
  }
  expect(await product.terminate()).toBe(0)

  const entries = await rows<{ source: string; orderNo: string; amount: number; username: string }>(
    `SELECT e.source, e.order_no AS "orderNo", e.amount, a.username FROM ledger_entries e JOIN accounts a ON a.id = e.account_id`,
  )
  expect(entries.map(({ source }) => source).toSorted()).toEqual(
    [...paid.keys()].map((txid) => `usdt:TRC20:${txid}:0`).toSorted(),
  )
  for (const { source, orderNo, amount } of entries) {
    const topUp = paid.get(source.split(':')[2] ?? '')
    expect([orderNo, amount]).toEqual([topUp?.order_no, Math.round((topUp?.credit_amount ?? 0) * 1e6)])
  }
  const anns = entries.filter(({ username }) => username === USERS[0])
  const notices = await rows<{ kind: string; subject: string; status: string }>(
    'SELECT kind, subject, status FROM notices',
  )
  expect(notices.map(({ subject }) => `usdt:${subject}`).toSorted()).toEqual(
    anns.map(({ source }) => source).toSorted(),
  )
  expect(new Set(notices.map(({ kind, status }) => `${kind} ${status}`))).toEqual(
    new Set(['top_up_paid sent']),
  )
  const told = telegram.messages(ANN.id).map(({ text }) => text)
  for (const { orderNo } of anns)
    expect(told.filter((text) => text.includes(orderNo)).length).toBeGreaterThan(0)
  // What was sent and not yet written down when the process died is sent again: no more than that.
  expect(
    told.filter((text) => anns.some(({ orderNo }) => text.includes(orderNo))).length,
  ).toBeLessThanOrEqual(anns.length + rounds)
  if (!onPostgres) expect(await rows('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
  expect(await operator(['audit'], { database })).toMatchObject({ status: 0, stdout: 'The books balance\n' })
}
