import { z } from 'zod'
import type { Actor } from '../access/actor.ts'
import { currentBalance } from '../accounts/balance.ts'
import { type Held, Money, Time } from '../record.ts'
import { isClaimRefused, type OfferedTransfer, offeredTo } from './offered-transfers.ts'
import { getTopUp, type TopUp } from './top-up.ts'
import { scannerOf } from './create-top-up.ts'
import type { NetworkTraits } from './payment-network.ts'
import { networkOf } from './transfer-names.ts'
import type { TopUpDeps } from './deps.ts'

/** Fields shown of a look at a top-up: how far the chain was read. */
export const CHECKED = {
  chainCheckedAt: Time.nullable().meta({ description: 'When the chain was read last' }),
  chainStale: z.boolean().meta({ description: 'The chain could not be read just now' }),
  /** Its own block included; estimated from the time until it is irreversible. */
  confirmations: z.int(),
  balance: Money.meta({ description: 'Of the caller' }),
}

export interface CheckedTopUp extends TopUp, Held<typeof CHECKED> {
  /** While it is not paid: a transfer that paid no top-up and may have been meant for this one. */
  readonly offered: OfferedTransfer | undefined
  /** Whether the shop has decided that a transfer claimed for this top-up is not its payment. */
  readonly claimRefused: boolean
}

/**
 * Returns a top-up after a scan of the chain, which concurrent requests share (rules 8.9). Waits a few seconds at most, and answers
 * from the database when the chain cannot be read.
 *
 * @throws order_not_found
 */
export async function checkTopUp(deps: TopUpDeps, actor: Actor, orderNo: string): Promise<CheckedTopUp> {
  const { status, network } = await getTopUp(deps, actor, orderNo)
  const fresh = status === 'paid' || (await scannerOf(deps, network)?.fresh()) === true
  const topUp = await lookAtTopUp(deps, actor, orderNo)
  return { ...topUp, chainStale: topUp.chainStale || !fresh }
}

/**
 * Returns a top-up as of the last scan of the chain.
 *
 * @throws order_not_found
 */
export async function lookAtTopUp(deps: TopUpDeps, actor: Actor, orderNo: string): Promise<CheckedTopUp> {
  const [topUp, { balance }] = await Promise.all([
    getTopUp(deps, actor, orderNo),
    currentBalance(deps, actor),
  ])
  const chain = await scannerOf(deps, topUp.network)?.state()
  const open = topUp.status !== 'paid' && topUp.status !== 'confirming'
  const offered = open ? await offeredTo(deps.db.read, topUp.orderNo) : undefined
  return {
    ...topUp,
    chainCheckedAt: chain?.checkedAt ?? null,
    chainStale: chain?.stale ?? true,
    confirmations: confirmationsOf(networkOf(deps.networks, topUp.network), topUp, deps.clock.now()),
    balance,
    offered,
    claimRefused: open && !offered && (await isClaimRefused(deps.db.read, topUp.id)),
  }
}

/** Estimates the confirmations: the full number only with an irreversible receipt, until then at most one less. */
function confirmationsOf(
  { confirmations, blockMs }: NetworkTraits,
  { status, blockTime }: TopUp,
  now: Date,
): number {
  if (status === 'paid') return confirmations
  if (status !== 'confirming' || blockTime === null) return 0
  const blocks = Math.floor((now.getTime() - Date.parse(blockTime)) / blockMs) + 1
  return Math.min(Math.max(blocks, 1), confirmations - 1)
}
