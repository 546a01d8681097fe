import { expect, test } from 'vitest'
import { Windows } from '../../src/core/windows.ts'

test('A key is counted in windows, each of which knows the one right before it', () => {
  const windows = new Windows(10, 100)
  const count = (...times: number[]) => times.map((time) => windows.count('key', time)).at(-1)
  expect(count(0, 1, 9)).toEqual({ begun: 0, count: 3, before: 0, msLeft: 1 })
  expect(count(12)).toEqual({ begun: 12, count: 1, before: 3, msLeft: 10 })
  expect(count(32)).toEqual({ begun: 32, count: 1, before: 0, msLeft: 10 })
  expect(count(30)).toEqual({ begun: 30, count: 1, before: 0, msLeft: 10 })
})

test('Only so many keys are remembered, and the oldest windows go first', () => {
  const windows = new Windows(10, 2)
  for (const key of ['a', 'b', 'a', 'c']) windows.count(key, 0)
  expect(windows.count('b', 1).count).toBe(2)
  expect(windows.count('a', 1).count).toBe(1)
})
