import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromNumber, fromText, MAX_AMOUNT, times, toNumber, toText } from '../../src/core/money.ts'

const MAX_ENTERED = MAX_AMOUNT * 1e6

describe('amounts from JSON numbers', () => {
  it.each([
    [0, 0],
    [-0, 0],
    [0.1, 100_000],
    [0.3, 300_000],
    [0.000001, 1],
    [-12.5, -12_500_000],
    [1e9, 1e15],
    [-1e9, -1e15],
    [999_999_999.999999, 999_999_999_999_999],
  ])('%d is exactly %d micros', (value, micros) => {
    expect(fromNumber(value)).toBe(micros)
  })

  it.each([
    0.1 + 0.2,
    1e-7,
    0.30000000000000004,
    0.0000015,
    9_007_199_254_740_992,
    Infinity,
    -Infinity,
    Number.NaN,
    1e21,
    1_000_000_000.000001,
    -1_000_000_001,
    Number.MIN_VALUE,
  ])('%d is refused, not rounded', (value) => {
    expect(fromNumber(value)).toBeUndefined()
  })

  it('never answers with a negative zero, a fraction or something inexact', () => {
    fc.assert(
      fc.property(fc.double(), (value) => {
        const micros = fromNumber(value)
        if (micros === undefined) return
        expect(Number.isSafeInteger(micros) && !Object.is(micros, -0)).toBe(true)
        expect(toNumber(micros)).toBe(value + 0)
      }),
    )
  })

  it('takes back every amount that it gave out', () => {
    fc.assert(
      fc.property(fc.integer({ min: -MAX_ENTERED, max: MAX_ENTERED }), (micros) => {
        expect(fromNumber(toNumber(micros))).toBe(micros)
        expect(fromNumber(JSON.parse(JSON.stringify(toNumber(micros))) as number)).toBe(micros)
      }),
    )
  })
})

describe('amounts as people type them', () => {
  it.each([
    ['12', 12_000_000],
    ['12.5', 12_500_000],
    ['-0.000001', -1],
    ['-0', 0],
    ['007', 7_000_000],
    ['1000000000', 1e15],
    ['－１２．５', -12_500_000],
    ['12。5', 12_500_000],
    ['1,5', 1_500_000],
    ['1,234', 1_234_000_000],
  ])('%s is understood', (text, micros) => {
    expect(fromText(text)).toBe(micros)
  })

  it.each([
    '',
    '1e3',
    '5 USD',
    '.5',
    '5.',
    '--5',
    '0x10',
    '①',
    '5²',
    '十',
    '1.0000001',
    '1000000000.000001',
    '99999999999',
    'NaN',
  ])('%j is not guessed at', (text) => {
    expect(fromText(text)).toBeUndefined()
  })

  it('reads what it writes', () => {
    fc.assert(
      fc.property(fc.integer({ min: -MAX_ENTERED, max: MAX_ENTERED }), (micros) => {
        expect(fromText(toText(micros))).toBe(micros)
      }),
    )
  })

  it.each([
    [0, '0.00'],
    [1, '0.000001'],
    [-1, '-0.000001'],
    [1_234_500_000, '1234.50'],
    [5_000_000, '5.00'],
    [100_010, '0.10001'],
    [9_000_000_000_000_000, '9000000000.00'],
  ])('%d micros are written %s', (micros, text) => {
    expect(toText(micros)).toBe(text)
  })
})

describe('amounts times whole numbers', () => {
  it('stays exact up to the largest balance and refuses beyond it', () => {
    expect(times(9_000_000_000_000_000, 1)).toBe(9_000_000_000_000_000)
    expect(times(9_000_000_000_000_000, 2)).toBeUndefined()
    expect(times(1_000_000_000_000_000, 500, 3650)).toBeUndefined()
  })

  it('a thousand times the smallest amount is a thousandth of a unit', () => {
    expect(times(1, 1000)).toBe(1000)
  })

  it('agrees with exact arithmetic', () => {
    fc.assert(
      fc.property(fc.nat(MAX_ENTERED), fc.nat(500), fc.nat(3650), (price, count, periods) => {
        const exact = BigInt(price) * BigInt(count) * BigInt(periods)
        expect(times(price, count, periods)).toBe(exact <= 9_000_000_000_000_000n ? Number(exact) : undefined)
      }),
    )
  })
})
