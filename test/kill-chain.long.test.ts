import { test } from 'vitest'
import { proveKillsOfTwoServices } from './support/kills-of-two-services.ts'

test('two services of which one buys from the other are killed again and again, and agree on every order and its price', () =>
  proveKillsOfTwoServices({ rounds: 4, ordersOfRound: 16, dearRound: 2 }))
