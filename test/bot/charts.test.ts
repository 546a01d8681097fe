import { describe, expect, it } from 'vitest'
import { agentSvg, spendingSvg } from '../../src/bot/topics/records/account-pictures.ts'
import { shortAmount, tickLabels } from '../../src/bot/kit/charts/figures.ts'
import { toPng } from '../../src/bot/kit/charts/png.ts'
import { axisFor } from '../../src/bot/kit/charts/scale.ts'
import type { Dashboard, SubUserFigures } from '../../src/core/records/dashboard.ts'
import { daysOfPeriod } from '../../src/core/periods.ts'

const UNIT = 1_000_000
const CENT = 10_000

const DAYS = Array.from({ length: 30 }, (_, day) => ({
  date: new Date(Date.UTC(2026, 0, 2 + day)).toISOString().slice(0, 10),
  orders: 0,
  amount: 0,
}))
const SUMS = {
  totalRecharge: 0,
  totalConsumption: 0,
  monthRecharge: 0,
  monthConsumption: 12.5 * UNIT,
  lastMonthConsumption: 8_640_000_000 * UNIT,
}
const AGENT: Dashboard = {
  balance: 9_999.99 * UNIT,
  dynamic1Bytes: 0,
  dynamic3Bytes: 0,
  currency: 'USDT',
  statistics: SUMS,
  dynamicResources: [],
  staticResources: [],
  dailyStats: DAYS,
  orders: {
    static: { total: 0, processing: 0, active: 0, partial: 0, failed: 0, expired: 0, cancelled: 0 },
    dynamic: { total: 0, processing: 0, active: 0, exhausted: 0, cancelled: 0, failed: 0 },
  },
  subUsers: null,
  expiringSoon: 3,
}
const ITS_USERS: SubUserFigures = {
  ...SUMS,
  total: 12_345,
  active: 12_345,
  disabled: 0,
  balance: 0,
  dailyStats: DAYS,
  expiringSoon: 0,
}

/** Pictures of an agent with the given amounts a day, in units of the currency; the last one is today's. */
function pictures(own: readonly number[], subUsers: readonly number[] = []) {
  const filled = (amounts: readonly number[]) =>
    DAYS.map((day, index) => ({
      ...day,
      amount: Math.round((amounts[index - (DAYS.length - amounts.length)] ?? 0) * UNIT),
    }))
  const figures = { ...AGENT, dailyStats: filled(own) }
  return {
    spending: spendingSvg(figures) ?? '',
    agent: agentSvg(figures, { ...ITS_USERS, dailyStats: filled(subUsers) }) ?? '',
  }
}

interface Bar {
  readonly x: number
  readonly y: number
  readonly height: number
}

/** The bars of a series, which are all that has its colour. */
function barsOf(svg: string, color: string): Bar[] {
  const found = svg.matchAll(
    /<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)" rx="3" fill="(#\w+)"\/>/g,
  )
  return [...found].flatMap(([, x, y, , height, fill]) =>
    fill === color ? { x: Number(x), y: Number(y), height: Number(height) } : [],
  )
}

const textsOf = (svg: string) =>
  [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text ?? '')
const OWN = '#5ba8ff'
const SUB_USERS = '#f7b955'

describe('the pictures of an account', () => {
  it('have bars in proportion to what was spent, stacked, with the highest day written above', () => {
    const { agent, spending } = pictures([10, 0, 20, 5], [5, 0, 20, 0])
    const [first, third, today] = barsOf(spending, OWN)
    expect(barsOf(spending, OWN)).toHaveLength(3)
    expect((third?.height ?? 0) / (first?.height ?? 1)).toBeCloseTo(2, 1)
    expect((today?.height ?? 0) / (first?.height ?? 1)).toBeCloseTo(0.5, 1)
    expect(textsOf(spending)).toContain('20.00')

    const [ownFirst] = barsOf(agent, OWN)
    const [theirFirst] = barsOf(agent, SUB_USERS)
    expect((theirFirst?.y ?? 0) + (theirFirst?.height ?? 0)).toBeCloseTo(ownFirst?.y ?? 1, 0)
    expect(theirFirst?.x).toBe(ownFirst?.x)
    expect(textsOf(agent)).toContain('40.00')
    expect([...agent.matchAll(/>(Σ [^<]*)</g)].map(([, sum]) => sum)).toEqual(['Σ 35.00', 'Σ 25.00'])
    expect(textsOf(agent)).toContain('USDT')
  })

  it('are none where nothing was spent, also of an agent whose sub-users have spent something', () => {
    expect(pictures([], [])).toEqual({ spending: '', agent: '' })
    expect(pictures([], [3])).toEqual({ spending: '', agent: expect.stringContaining('Σ 3.00') })
  })

  it('stay inside their frame with one day, refunds, and amounts beyond all sense', async () => {
    for (const [own, theirs] of [
      [[4.5], [1]],
      [[0.000001], [0.01]],
      [
        [-80, 20],
        [11, -30],
      ],
      [
        [8e9, 9e9],
        [9e9, 8e9],
      ],
      [Array.from({ length: 30 }, (_, day) => day), Array.from({ length: 30 }, () => 99_999.99)],
    ] as const) {
      for (const svg of Object.values(pictures(own, theirs))) {
        for (const { x, y, height } of [...barsOf(svg, OWN), ...barsOf(svg, SUB_USERS)]) {
          expect(x).toBeGreaterThan(100)
          expect(x).toBeLessThan(760)
          expect(y).toBeGreaterThanOrEqual(96)
          expect(y + height).toBeLessThanOrEqual(461)
          expect(height).toBeGreaterThanOrEqual(3)
        }
        expect(svg).not.toMatch(/NaN|Infinity|undefined/)
        // No word of any language: digits, dates, the letters of magnitudes, and the code of the currency.
        for (const text of textsOf(svg))
          expect(text).toMatch(/^-?[\d.,]+[kMBT]?$|^\d\d-\d\d$|^USDT$|^Σ -?[\d.,]+[kMBT]?$/)
        const png = Buffer.from(await toPng(svg), 'base64')
        expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([800, 520])
      }
    }
  })

  it('divide their axis by round numbers and write amounts short', () => {
    const ticksFor = (...values: number[]) =>
      tickLabels(
        axisFor(
          values.map((value) => value * UNIT),
          CENT,
        ).ticks,
      )
    expect(ticksFor()).toEqual(['0'])
    expect(ticksFor(0.07)).toEqual(['0', '0.02', '0.04', '0.06', '0.08'])
    expect(ticksFor(3)).toEqual(['0', '1', '2', '3'])
    expect(ticksFor(100)).toEqual(['0', '50', '100'])
    expect(ticksFor(-80, 51)).toEqual(['-100', '-50', '0', '50', '100'])
    expect(ticksFor(1_400_000)).toEqual(['0', '0.5M', '1.0M', '1.5M'])
    expect(ticksFor(0.000001)).toEqual(['0', '0.01'])
    expect(
      [0, 4.5, 999.995, 9_876.5, 10_000, 999_999, 1e6, 8_640_000_000].map((value) =>
        shortAmount(value * UNIT),
      ),
    ).toEqual(['0.00', '4.50', '1,000.00', '9,876.50', '10k', '1M', '1M', '8.64B'])
    expect([shortAmount(2), shortAmount(-12_500 * UNIT)]).toEqual(['0.000002', '-12.5k'])
  })
})

describe('named periods', () => {
  it('are those of the calendar in UTC', () => {
    const march = new Date('2028-03-31T23:59:59.999Z')
    expect(daysOfPeriod(march, 'this_month')).toEqual({ startDate: '2028-03-01', endDate: '2028-03-31' })
    expect(daysOfPeriod(march, 'last_month')).toEqual({ startDate: '2028-02-01', endDate: '2028-02-29' })
    expect(daysOfPeriod(march, 'last_30_days')).toEqual({ startDate: '2028-03-02', endDate: '2028-03-31' })
    const january = new Date('2026-01-01T00:00:00.000Z')
    expect(daysOfPeriod(january, 'last_month')).toEqual({ startDate: '2025-12-01', endDate: '2025-12-31' })
  })
})
