import { test } from 'vitest'
import { KILLS, proveKillsOfWebhooks } from './support/kills-of-webhooks.ts'

test('a kill at any step loses no event of a webhook, and what is repeated has its id', () =>
  proveKillsOfWebhooks(KILLS))
