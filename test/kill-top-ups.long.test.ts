import { test } from 'vitest'
import { proveKillsWhileCrediting } from './support/kills-while-crediting.ts'

test('a kill in the middle of crediting loses no payment, credits none twice and tells of each once', () =>
  proveKillsWhileCrediting(3))
