import { expect, it } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { ChainUnavailable } from '../../src/core/top-ups/chain-reader.ts'
import { createTronChain } from '../../src/tron/tron-chain.ts'
import { startNode } from '../support/scripted-node.ts'

it('Whoever keeps the distance between requests without a key waits no longer when the process is to end', async () => {
  const closing = new AbortController()
  const node = await startNode(() => ({ block_header: { raw_data: { number: 1 } } }))
  const chain = createTronChain({ apiUrl: node.url, clock: systemClock, closing: closing.signal })
  await chain.solidBlock()
  const begun = performance.now()
  const asked = [1, 2, 3].map(() => chain.solidBlock().catch((error: unknown) => error))
  closing.abort()
  for (const error of await Promise.all(asked)) expect(error).toBeInstanceOf(ChainUnavailable)
  expect(performance.now() - begun).toBeLessThan(1900)
  expect(node.asked).toHaveLength(1)
})
