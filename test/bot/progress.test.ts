import { expect, test } from 'vitest'
import { type Progress, progressLine } from '../../src/bot/kit/progress.ts'
import { textsOf } from '../../src/bot/texts/index.ts'

const NOW = new Date('2026-03-01T12:00:00.000Z')
const [en, zh] = (['en', 'zh'] as const).map((language) => textsOf({ chatId: 1, language, timeZone: null }))

/** Work of which so many steps of a hundred took so many seconds. */
const work = (done: number, seconds?: number): Progress => ({
  done,
  total: 100,
  since: seconds === undefined ? undefined : new Date(NOW.getTime() - seconds * 1000),
})

test('a bar says how far work is, and how long the rest takes at the rate so far', () => {
  const line = (progress: Progress, texts = en) => String(texts && progressLine(texts, progress, NOW))
  expect(line(work(48, 18))).toBe('▰▰▰▱▱▱ 48 of 100 · about 20 s')
  expect(line(work(48, 18), zh)).toBe('▰▰▰▱▱▱ 48 / 100 · 约剩 20 秒')
  expect(line(work(10, 60))).toBe('▰▱▱▱▱▱ 10 of 100 · about 9 min')
  expect(line(work(10, 60), zh)).toBe('▰▱▱▱▱▱ 10 / 100 · 约剩 9 分钟')
  expect(line(work(99, 90))).toBe('▰▰▰▰▰▱ 99 of 100 · a few seconds')
  // Full only at the end, empty only before the first step; no rate that was not measured.
  expect(line(work(1, 1))).toBe('▰▱▱▱▱▱ 1 of 100')
  expect(line(work(0, 30))).toBe('▱▱▱▱▱▱ 0 of 100')
  expect(line(work(50))).toBe('▰▰▰▱▱▱ 50 of 100')
  expect(line(work(100, 30))).toBe('▰▰▰▰▰▰ 100 of 100')
})
