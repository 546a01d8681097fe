import { expect, it } from 'vitest'
import { amount, balanceText, usdt } from '../../src/bot/kit/format.ts'
import { readForm } from '../../src/bot/kit/form.ts'
import { momentOf, nextMorning } from '../../src/bot/kit/moment.ts'
import { readTiers } from '../../src/bot/kit/tiers.ts'
import { daysTyped, dayTyped } from '../../src/bot/kit/typed-day.ts'
import { amountAndRest, amountIn, countIn, percentIn, usdtIn } from '../../src/bot/kit/typed-number.ts'
import { gigabytesFromText } from '../../src/core/bytes.ts'

const TODAY = '2026-11-24'

it('amounts have separators of thousands; balances have two decimals and are rounded down', () => {
  expect(amount(1_234_567_003_100, 'USD')).toBe('1,234,567.0031 USD')
  expect(amount(-1_000_000_000, 'USD')).toBe('-1,000.00 USD')
  expect(amount(123_456, 'USD')).toBe('0.123456 USD')
  expect(balanceText(1_000_009_900, 'USD')).toBe('1,000.00 USD')
  expect(balanceText(-1_990_001, 'USD')).toBe('-2.00 USD')
  expect(usdt(1_000_003_100n)).toBe('1,000.0031')
})

it('amounts are understood as people write them, in the currency of the shop only', () => {
  for (const text of [
    '1000.5',
    '1,000.5',
    '１，０００．５',
    '$1000.5',
    '1000.5 usd',
    '1000.5刀',
    '+1,000.50 USD',
    '1.000,50 USD',
    '1 000,5 $',
    '１ ０００．５ долл.',
  ])
    expect(amountIn(text, 'USD'), text).toBe(1_000_500_000)
  for (const text of ['-20', '−20', '–20', '-$20', '－２０'])
    expect(amountIn(text, 'USD'), text).toBe(-20_000_000)
  expect(amountIn('20元', 'CNY')).toBe(20_000_000)
  expect(amountIn('￥20', 'CNY')).toBe(20_000_000)
  for (const text of ['20元', '20 EUR', '1e3', '', 'USD', '--5', '1.2.3', '0.0000001'])
    expect(amountIn(text, 'USD'), text).toBeUndefined()
  for (const text of ['20 руб.', '20₽', '20 рублей', '20р'])
    expect(amountIn(text, 'RUB'), text).toBe(20_000_000)
  for (const text of ['5 шт.', '5шт', '5 штук', '5 прокси']) expect(countIn(text), text).toBe(5)
  expect(gigabytesFromText('1,000 GB')).toBe(1000)
  expect(gigabytesFromText('1,5')).toBe(1.5)
  expect(usdtIn('20 usdt')).toBe('20')
  expect(usdtIn('99,50')).toBe('99.50')
  expect(usdtIn('-20')).toBeUndefined()
  expect(percentIn('12,5 %')).toBe(12.5)
  for (const text of ['-5%', '12.345']) expect(percentIn(text), text).toBeUndefined()
})

it('numbers of things are understood with their own words only', () => {
  for (const text of ['1,000个', '1 000 шт', '1.000 pcs', '１０００']) expect(countIn(text), text).toBe(1000)
  expect(countIn('7天', 'days')).toBe(7)
  expect(countIn('7 дней', 'days')).toBe(7)
  for (const text of ['7天', '7 days', '-7', '1.5', '7 things']) expect(countIn(text), text).toBeUndefined()
})

it('what stands behind an amount is no part of it, unless digits make it longer', () => {
  const read = (text: string) => amountAndRest(text, 'USD')
  expect(read('-5 refund of 2 proxies')).toEqual({ micros: -5_000_000, rest: 'refund of 2 proxies' })
  expect(read('+1 000 USD bank transfer')).toEqual({ micros: 1_000_000_000, rest: 'bank transfer' })
  expect(read('10')).toEqual({ micros: 10_000_000, rest: '' })
  expect(read('ten USD')).toBeUndefined()
})

it('prices by number are understood with units and full-width characters, in the currency of the shop only', () => {
  const tiers = [
    { minQuantity: 1, price: 4.5 },
    { minQuantity: 10, price: 4 },
  ]
  for (const text of [
    '1: 4.50, 10: 4',
    '１：４．５０，１０：４',
    '1个：$4.50、10个起：$4',
    '1: 4.5u; 10 起: 4 USD',
    '1: 4,50, 10: 4,00',
    '1 шт.: $4.5, от 10 шт.: $4',
  ])
    expect(readTiers(text, 'USD'), text).toEqual(tiers)
  expect(readTiers('￥4.50', 'CNY')).toEqual([tiers[0]])
  for (const text of ['1: 4元', '1, 10', 'x: 4', '']) expect(readTiers(text, 'USD'), text).toBeUndefined()
})

it('values of the forms of operators are understood in everyday spellings', () => {
  const fields = { hours: 'wholeNumber', sum: 'amount', part: 'percent', open: 'flag' } as const
  const labels = [{ hours: '退款小时', sum: 'balance', part: '利润率', open: '共享' }]
  const given = { currency: 'USD', today: TODAY }
  const read = (text: string) => readForm(text, fields, labels, given)
  expect(read('退款小时：２４小时\nbalance: 1,000u\n利润率：20％\n共享：是')).toEqual({
    values: { hours: 24, sum: 1000, part: 20, open: true },
    typed: { hours: '２４小时', sum: '1,000u', part: '20％', open: '是' },
  })
  expect(read('退款小时: 1,000 h\nBALANCE：$12.5')).toMatchObject({ values: { hours: 1000, sum: 12.5 } })
  expect(read('退款小时: 24 часа\n共享: нет')).toMatchObject({ values: { hours: 24, open: false } })
  expect(read('balance: 20元')).toMatchObject({ wrong: 'sum', reader: 'amount' })
  expect(read('balance: 5%')).toMatchObject({ wrong: 'sum' })
})

it('days are understood in everyday spellings of every language', () => {
  for (const text of [
    '2026-11-03',
    '2026/11/3',
    '2026.11.03',
    '2026年11月3日',
    '11月3日',
    '11-03',
    '3 Nov',
    '3 november 2026',
    'Nov 3, 2026',
    '3.11.2026',
    '3.11.',
    '3 ноября',
    '3 нояб. 2026 г.',
  ])
    expect(dayTyped(text, TODAY), text).toBe('2026-11-03')
  expect(dayTyped('today', TODAY)).toBe(TODAY)
  expect(dayTyped('昨天', '2026-03-01')).toBe('2026-02-28')
  expect(dayTyped('Вчера', '2026-03-01')).toBe('2026-02-28')
  expect(dayTyped('9 мая', TODAY)).toBe('2026-05-09')
  for (const text of ['2026-02-30', '31 Nov', 'soon', '13月1日', '3 Nox', '3 ном', '31.11.', '11/03', ''])
    expect(dayTyped(text, TODAY), text).toBeUndefined()
})

it('two days are understood, too, and never the later one first', () => {
  for (const text of [
    '2026-11-03 2026-11-20',
    '2026/11/3 – 2026/11/20',
    '３ Nov - 20 Nov',
    '3 Nov 2026 to Nov 20, 2026',
    '11月3日到11月20日',
    '11-03~11-20',
    '11-03 11-20',
    '11-03-11-20',
    'from 3 Nov until 20 Nov',
    'с 3 ноября по 20 ноября',
    '03.11-20.11',
  ])
    expect(daysTyped(text, TODAY), text).toEqual({ startDate: '2026-11-03', endDate: '2026-11-20' })
  expect(daysTyped('昨天', '2026-03-01')).toEqual({ startDate: '2026-02-28', endDate: '2026-02-28' })
  for (const text of ['20 Nov - 3 Nov', '3 Nov -', '- 3 Nov', '3 Nov 20 Nov 21 Nov', 'soon', ''])
    expect(daysTyped(text, TODAY), text).toBeUndefined()
})

it('times are those of the zone, unless they name another one', () => {
  const now = new Date('2026-11-24T02:00Z')
  const at = (text: string, zone = 'Asia/Shanghai') => momentOf(text, now, zone)?.toISOString().slice(0, 16)
  expect(at('10:30')).toBe('2026-11-24T02:30')
  expect(at('09:30')).toBe('2026-11-25T01:30')
  expect(at('2026-11-26 09:30')).toBe('2026-11-26T01:30')
  expect(at('明天9点半')).toBe('2026-11-25T01:30')
  expect(at('11月26日 下午3:05')).toBe('2026-11-26T07:05')
  expect(at('26 Nov 9:30 pm')).toBe('2026-11-26T13:30')
  expect(at('завтра в 9:30')).toBe('2026-11-25T01:30')
  expect(at('26 ноября, 9 вечера')).toBe('2026-11-26T13:00')
  expect(at('2026-11-26 09:30 -5:30')).toBe('2026-11-26T15:00')
  expect(at('09:30', 'UTC')).toBe('2026-11-24T09:30')
  for (const text of ['2026-11-26', '25:00', '9:61', '30 Feb 9:30', '9:30 +20', 'soon', '13:00 pm'])
    expect(at(text), text).toBeUndefined()
  expect(nextMorning(now, 'America/New_York').toISOString()).toBe('2026-11-24T14:00:00.000Z')
})
