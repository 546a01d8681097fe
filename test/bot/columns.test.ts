import { describe, expect, it } from 'vitest'
import { columns, fitted, named, shortened } from '../../src/bot/kit/columns.ts'

const labels = (rows: readonly (readonly string[])[]) =>
  fitted(rows.map((row) => row.map((text) => ({ text })))).map((row) => row.map(({ text }) => text))

describe('the width of a label', () => {
  it.each([
    ['Renew 5', 7],
    ['续费 5 个', 9],
    ['⚙️ Settings', 11],
    ['🇺🇸 US', 5],
    ['¥ … ‹ ✓', 7],
    ['ｆｕｌｌ', 8],
    ['é', 1],
  ])('%s takes %i columns', (text, width) => expect(columns(text)).toBe(width))
})

describe('labels on a phone', () => {
  it('stand beside each other as far as each has its share of the row', () => {
    expect(labels([['14 columns, ok', '14 columns, ok']])).toEqual([['14 columns, ok', '14 columns, ok']])
    expect(labels([['15 columns, not', 'beside']])).toEqual([['15 columns, not'], ['beside']])
    expect(labels([['one', 'two', '10 columns', 'four']])).toEqual([
      ['one', 'two'],
      ['10 columns', 'four'],
    ])
    expect(labels([[], ['‹', '12 / 1174', '›']])).toEqual([['‹', '12 / 1174', '›']])
  })

  it('are shortened in the middle, and no flag is cut in half', () => {
    expect(shortened('APP-2026-11-24-000017', 12)).toBe('APP-20…00017')
    // A price at the end is read whole.
    expect(labels([['✅ Renew 13 · 12,988.604928 USD']])).toEqual([['✅ Renew 13 · 12,988.604928']])
    expect(labels([['✅ Renew 1013 · 112,988.604928 USD']])).toEqual([['✅ Re…1013 · 112,988.604928']])
    expect(labels([['🟢 SOMEBODY-WITH-A-LONG-NAME · 185,996.39 USD']])).toEqual([
      ['🟢 SOME…NG-NAME · 185,996.39'],
    ])
    expect(labels([['住'.repeat(40)]])).toEqual([[`${'住'.repeat(7)}…${'住'.repeat(6)}`]])
    for (let most = 2; most < 12; most += 1) {
      const text = shortened('🇺🇸🇬🇧🇩🇪🇯🇵🇫🇷🇧🇷🇮🇳', most)
      expect(columns(text)).toBeLessThanOrEqual(most)
      expect(text).toMatch(/^(?:\p{Regional_Indicator}{2})*…(?:\p{Regional_Indicator}{2})*$/u)
    }
  })

  it('keep what stands behind a long name', () => {
    expect(named('Residential ISP', '4.50 USD')).toBe('Residential ISP · 4.50 USD')
    expect(named('Residential ISP, Frankfurt', '999.99 USD')).toBe('Residen…ankfurt · 999.99 USD')
    expect(named('Name', '')).toBe('Name')
  })
})
