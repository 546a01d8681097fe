import { expect, test } from 'vitest'
import { startNode } from '../support/scripted-node.ts'
import { withstandAnswers, withstandRefusals } from './provider-trouble.ts'

test('case 36: a provider that refuses is left alone for as long as it says, and nothing is lost', async () => {
  await withstandRefusals([
    [30, { kind: 'suspended', seconds: 30 }],
    [30, { kind: 'status', status: 429, body: 'slow down' }],
    [30, { kind: 'status', status: 403 }],
    [60, { kind: 'bad-key' }],
  ])
})

test('case 37: an answer that is none moves nothing, whatever it looks like, and is asked for again', async () => {
  const trap = await startNode(() => ({ data: [] }))
  await withstandAnswers([
    { kind: 'node-error' },
    { kind: 'html' },
    { kind: 'lite-node' },
    { kind: 'empty' },
    { kind: 'truncated' },
    { kind: 'hang' },
    { kind: 'drip' },
    { kind: 'redirect', to: trap.url },
    { kind: 'oversize' },
    { kind: 'drop' },
    { kind: 'status', status: 502 },
    { kind: 'status', status: 404 },
  ])
  expect(trap.asked).toEqual([])
})
