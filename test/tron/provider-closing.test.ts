import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { ChainUnavailable } from '../../src/core/top-ups/payment-network.ts'
import { RATES } from '../../src/networks/tron/rates.ts'
import { createTronChain } from '../../src/networks/tron/tron-chain.ts'
import { startNode } from '../support/scripted-node.ts'

it('Whoever keeps the distance between requests without a key waits no longer when the process is to end', async () => {
  const closing = new AbortController()
  const node = await startNode(() => ({ block_header: { raw_data: { number: 1 } } }))
  const chain = createTronChain({ apiUrl: node.url, clock: systemClock, closing: closing.signal })
  await chain.solidBlock()
  const asked = [1, 2, 3].map(() => chain.solidBlock().catch((error: unknown) => error))
  const nextTurn = sleep(RATES.withoutKey.distanceMs).then(() => [])
  closing.abort()
  const errors = await Promise.race([Promise.all(asked), nextTurn])
  expect(errors).toHaveLength(3)
  for (const error of errors) expect(error).toBeInstanceOf(ChainUnavailable)
  expect(node.asked).toHaveLength(1)
})
