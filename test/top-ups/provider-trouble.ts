import { expect } from 'vitest'
import { ChainUnavailable } from '../../src/core/top-ups/payment-network.ts'
import type { Fault, FaultKind, TronMethod } from '../../src/emulators/tron/types.ts'
import { openShop, type Shop, type WireTopUp } from '../support/top-ups.ts'

export const MINUTE_MS = 60_000
export const RECEIPT: TronMethod = 'walletsolidity/gettransactioninfobyid'

/** Lets time pass as the watcher does, which goes on when the chain cannot be read. */
export async function endure(shop: Shop, ms: number, stepMs = 6000): Promise<void> {
  for (let left = ms; left > 0; left -= stepMs) {
    shop.clock.advance(Math.min(left, stepMs))
    await shop.scan().catch((error: unknown) => {
      if (!(error instanceof ChainUnavailable)) throw error
    })
  }
}

/** Orders a fault of every answer of a method, until it is taken back. */
export const always = (shop: Shop, fault: Fault) => shop.tron.faults.inject({ ...fault, times: Infinity })

export const watermark = async (shop: Shop) => (await shop.db.read.chainScan.findFirstOrThrow()).watermark

/** A user, and what check-status answers to it. */
export async function customer(shop: Shop) {
  const user = await shop.customer(null)
  const http = await shop.as(user)
  return {
    user,
    check: async ({ order_no }: WireTopUp) => {
      const { body, status } = await http.get(`/usdt/check-status?order_no=${order_no}`)
      expect(status).toBe(200)
      return body.data as unknown as Record<string, unknown>
    },
  }
}

/** The shortest time between two requests of a method, in seconds. */
function shortestPause(shop: Shop, method: TronMethod): number {
  const times = shop.tron.requests(method).map(({ at }) => at.getTime())
  return Math.min(...times.slice(1).map((time, index) => time - (times[index] ?? 0))) / 1000
}

export type Refusal = readonly [seconds: number, FaultKind]

/** Case 36: nothing is lost while the provider refuses, which is left alone for so many seconds. */
export async function withstandRefusals(refusals: readonly Refusal[]): Promise<void> {
  const shop = await openShop({ operatorChats: [9] })
  const { user, check } = await customer(shop)
  for (const [seconds, refusal] of refusals) {
    await shop.scan()
    const before = await watermark(shop)
    const topUp = await shop.open(user)
    shop.pay(topUp)
    const restore = always(shop, { ...refusal, method: 'trc20' })
    shop.tron.clearRequests()
    await endure(shop, 7 * MINUTE_MS, 5000)
    expect(shortestPause(shop, 'trc20')).toBeGreaterThanOrEqual(seconds)
    expect(await watermark(shop)).toEqual(before)
    expect(await check(topUp)).toMatchObject({ status: 'pending', chain_stale: true })
    restore()
    await endure(shop, 2 * MINUTE_MS)
    expect(await check(topUp)).toMatchObject({
      status: 'paid',
      late: false,
      chain_stale: false,
    })
  }
  expect(await shop.entries(user)).toHaveLength(refusals.length)
  const told = refusals.map(([, { kind }]) => [
    ...(kind === 'bad-key' ? ['chain_bad_key'] : []),
    'chain_stale',
    'chain_back',
  ])
  expect(await shop.alerts()).toEqual(told.flat())
  await shop.audited()
}

/** Case 37: nothing is moved by an answer of these kinds. */
export async function withstandAnswers(kinds: readonly FaultKind[]): Promise<void> {
  const shop = await openShop({ timeoutMs: 300 })
  const { user, check } = await customer(shop)
  for (const kind of kinds) {
    const topUp = await shop.open(user)
    await endure(shop, 6000)
    const before = await watermark(shop)
    const listed = always(shop, { ...kind, method: 'trc20' })
    shop.pay(topUp)
    await endure(shop, 12_000)
    expect(await check(topUp)).toMatchObject({ status: 'pending', chain_stale: true })
    expect(await watermark(shop)).toEqual(before)
    listed()

    const proven = always(shop, { ...kind, method: RECEIPT })
    await endure(shop, 90_000, 10_000)
    expect(await check(topUp), kind.kind).toMatchObject({
      status: 'confirming',
      chain_stale: true,
    })
    proven()
    await endure(shop, 2 * MINUTE_MS, 30_000)
    expect(await check(topUp)).toMatchObject({ status: 'paid', chain_stale: false })
  }
  expect(await shop.entries(user)).toHaveLength(kinds.length)
  await shop.audited()
}
