import { describe, expect, it } from 'vitest'
import { gigabytes, used } from '../../src/bot/kit/traffic-text.ts'
import { textsOf } from '../../src/bot/texts/index.ts'

const texts = (language: 'en' | 'zh' | 'ru') => textsOf({ chatId: 1, language, timeZone: null })

describe('an amount of traffic', () => {
  it.each([
    ['en', 6_250_999_999, '6.25 GB'],
    ['zh', 6_250_999_999, '6.25 GB'],
    ['ru', 6_250_999_999, '6.25 ГБ'],
    ['ru', 999_999, '< 0.001 ГБ'],
  ] as const)('in %s: %i bytes that are left', (language, bytes, text) =>
    expect(gigabytes(bytes, texts(language))).toBe(text),
  )

  it.each([
    ['en', 734, '734 B'],
    ['ru', 734, '734 Б'],
    ['ru', 12_500, '12.5 КБ'],
    ['ru', 7_000_000, '7 МБ'],
    ['ru', 1_234_000_000_000, '1234 ГБ'],
  ] as const)('in %s: %i bytes that were used', (language, bytes, text) =>
    expect(used(bytes, texts(language))).toBe(text),
  )
})
