import { describe, expect, it } from 'vitest'
import { bothEnds, columns, fitted, shortened, shortLabel } from '../../src/bot/kit/columns.ts'

const labels = (rows: readonly (readonly string[])[]) =>
  fitted(rows.map((row) => row.map((text) => ({ text })))).rows.map((row) => row.map(({ text }) => text))

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

  it('are shortened at the end of their name, and no flag is cut in half', () => {
    // A price at the end is read whole.
    expect(labels([['✅ Renew 13 · 12,988.604928 USD']])).toEqual([['✅ Renew 13 · 12,988.604928']])
    expect(labels([['✅ Renew 1013 · 112,988.604928 USD']])).toEqual([['✅ Renew 1… · 112,988.604928']])
    expect(labels([['🟢 SOMEBODY-WITH-A-LONG-NAME · 185,996.39 USD']])).toEqual([
      ['🟢 SOMEBODY-WI… · 185,996.39'],
    ])
    expect(labels([['住'.repeat(40)]])).toEqual([[`${'住'.repeat(13)}…`]])
    for (let most = 2; most < 12; most += 1) {
      const text = shortened('🇺🇸🇬🇧🇩🇪🇯🇵🇫🇷🇧🇷🇮🇳', most)
      expect(columns(text)).toBeLessThanOrEqual(most)
      expect(text).toMatch(/^(?:\p{Regional_Indicator}{2})*…$/u)
    }
  })

  it.each([
    // The name gives way wherever it stands, and what looks like a currency in it is a part of it.
    ['✅ 2 × Residential ISP, Frankfurt 1 Apr', 'Residential ISP, Frankfurt', '✅ 2 × Residential IS… 1 Apr'],
    ['▶️ FLOW · Dynamic residential 12 USD', 'Dynamic residential 12 USD', '▶️ FLOW · Dynamic residenti…'],
    ['Residential ISP · 4.50 USD', 'Residential ISP', 'Residential ISP · 4.50 USD'],
    // Of facts that leave no room for a name, as much as there is room for.
    ['a name · 12,988.604928 USDT per 1,000', 'a name', 'a name · 12,988.604928 USDT…'],
  ])('%s with the name %s', (text, name, shown) => expect(shortLabel({ text, name })).toBe(shown))

  it('show both ends of addresses', () => {
    expect(bothEnds('TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', 17)).toBe('TJRabPrw…8kjpRTv8')
    expect(bothEnds('hooks.example.com', 17)).toBe('hooks.example.com')
    expect(shortLabel({ text: '✓ 2001:db8:aaaa:bbbb:cccc:dddd:eeee:1000/116 · 100' })).toBe(
      '✓ 2001:db8:a…:1000/116 · 100',
    )
    expect(shortLabel({ text: '🟢 [2001:db8:aaaa:bbbb:cccc:dddd:eeee:1]:8000 · ann', name: 'ann' })).toBe(
      '🟢 [2001:db8…e:1]:8000 · ann',
    )
  })

  it('that would look the same have numbers, and are told in full', () => {
    const [acme, same] = ['🟢 acme-customer-berlin-1 · 10.00 USD', '🟢 acme-customer-berlin-2 · 10.00 USD']
    const { rows, alike } = fitted([[{ text: acme }, { text: 'Menu' }], [{ text: same }], [{ text: acme }]])
    expect(rows.map((row) => row.map(({ text }) => text))).toEqual([
      ['1. 🟢 acme-customer… · 10.00'],
      ['Menu'],
      ['2. 🟢 acme-customer… · 10.00'],
      ['1. 🟢 acme-customer… · 10.00'],
    ])
    expect(alike).toEqual([acme, same])
  })
})
