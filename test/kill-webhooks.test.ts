import { test } from 'vitest'
import { KILLS, proveKillsOfWebhooks } from './support/kills-of-webhooks.ts'

test('a kill before a result is stored, or as soon as an event is, loses no event of a webhook, and what is repeated has its id', () =>
  proveKillsOfWebhooks([3, 4].flatMap((at) => KILLS[at] ?? [])))
