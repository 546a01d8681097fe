import { describe, expect, it } from 'vitest'
import { endOfTerm, periodsIn, termOf, UNIT } from '../../src/core/term.ts'

const { day, month, year } = UNIT
const end = (from: string, term: ReturnType<typeof termOf>) => endOfTerm(new Date(from), term).toISOString()

describe('the length of a term', () => {
  it('counts 30 days as one month, and so their multiples', () => {
    expect(termOf(30, day)).toEqual({ months: 1 })
    expect(termOf(30, day, 3)).toEqual({ months: 3 })
    expect(termOf(15, day, 2)).toEqual({ months: 1 })
    expect(termOf(360, day)).toEqual({ months: 12 })
  })

  it('leaves other numbers of days alone', () => {
    expect(termOf(31, day)).toEqual({ days: 31 })
    expect(termOf(7, day, 2)).toEqual({ days: 14 })
  })

  it('counts a year as twelve months', () => {
    expect(termOf(1, year, 2)).toEqual({ months: 24 })
    expect(termOf(1, month, 12)).toEqual(termOf(1, year))
  })
})

describe('billing periods in a term', () => {
  it.each([
    ['a month of 30 days, billed monthly', termOf(30, day), termOf(1, month), 1],
    ['a year, billed monthly', termOf(1, year), termOf(1, month), 12],
    ['a year, billed quarterly', termOf(1, year), termOf(3, month), 4],
    ['a month, billed by the day', termOf(1, month), termOf(1, day), 30],
    ['a month, billed by 15 days', termOf(1, month), termOf(15, day), 2],
    ['a product whose period is 30 days, for 2 months', termOf(2, month), termOf(30, day), 2],
    ['ten years', termOf(10, year), termOf(1, month), 120],
  ])('%s', (_title, term, period, periods) => {
    expect(periodsIn(term, period)).toBe(periods)
  })

  it.each([
    ['45 days, billed monthly', termOf(45, day), termOf(1, month)],
    ['31 days, billed monthly', termOf(31, day), termOf(1, month)],
    ['4 months, billed quarterly', termOf(4, month), termOf(3, month)],
    ['a month, billed by the week', termOf(1, month), termOf(7, day)],
    ['one month less than a period', termOf(2, month), termOf(3, month)],
    ['more than ten years', termOf(121, month), termOf(1, month)],
    ['more than ten years of days', termOf(3630, day), termOf(1, day)],
  ])('%s cannot be ordered', (_title, term, period) => {
    expect(periodsIn(term, period)).toBeUndefined()
  })
})

describe('the end of a term', () => {
  it.each([
    [
      'a month from the middle of a month',
      '2026-03-15T08:30:00.123Z',
      termOf(1, month),
      '2026-04-15T08:30:00.123Z',
    ],
    ['a month from 31 January', '2026-01-31T23:59:59.999Z', termOf(1, month), '2026-02-28T23:59:59.999Z'],
    [
      'a month from 31 January of a leap year',
      '2028-01-31T00:00:00.000Z',
      termOf(1, month),
      '2028-02-29T00:00:00.000Z',
    ],
    ['a month from 28 February', '2026-02-28T00:00:00.000Z', termOf(1, month), '2026-03-28T00:00:00.000Z'],
    ['a year from 29 February', '2028-02-29T12:00:00.000Z', termOf(1, year), '2029-02-28T12:00:00.000Z'],
    ['four years from 29 February', '2028-02-29T12:00:00.000Z', termOf(4, year), '2032-02-29T12:00:00.000Z'],
    [
      'a year from 29 February 2096 (2100 is no leap year)',
      '2096-02-29T00:00:00.000Z',
      termOf(4, year),
      '2100-02-28T00:00:00.000Z',
    ],
    [
      'thirteen months over the turn of the year',
      '2026-12-31T00:00:00.000Z',
      termOf(13, month),
      '2028-01-31T00:00:00.000Z',
    ],
    ['30 days that are a month', '2026-01-31T00:00:00.000Z', termOf(30, day), '2026-02-28T00:00:00.000Z'],
    ['31 days', '2026-01-31T00:00:00.000Z', termOf(31, day), '2026-03-03T00:00:00.000Z'],
    [
      'days over the end of daylight saving time',
      '2026-10-24T22:00:00.000Z',
      termOf(2, day),
      '2026-10-26T22:00:00.000Z',
    ],
  ])('%s', (_title, from, term, expected) => {
    expect(end(from, term)).toBe(expected)
  })
})
