import { expect, test } from 'vitest'
import { decimalIn, wholeIn } from '../../src/core/typed-number.ts'

/** What is typed, and the number that it is; null for what is no number. Columns: as a decimal, as a whole number. */
const TYPED: readonly (readonly [text: string, decimal: string | null, whole: number | null])[] = [
  ['5', '5', 5],
  [' 5 ', '5', 5],
  ['+10', '10', 10],
  ['- 5', '-5', null],
  ['−5', '-5', null],
  ['–5', '-5', null],
  ['1,5', '1.5', null],
  ['1.5', '1.5', null],
  ['12,50', '12.50', null],
  ['0,125', '0.125', null],
  ['1,000', '1000', 1000],
  ['1.000', '1.000', 1000],
  ['1234,567', '1234.567', null],
  ['1,234,567', '1234567', 1_234_567],
  ['1.234.567', '1234567', 1_234_567],
  ['1,000.50', '1000.50', null],
  ['1.000,50', '1000.50', null],
  ['1.234.567,5', '1234567.5', null],
  ['1 000', '1000', 1000],
  ['1\u00A0000', '1000', 1000],
  ['1\u202F000,50', '1000.50', null],
  ['12 345 678.9', '12345678.9', null],
  ["1'000", '1000', 1000],
  ['1’234’567.5', '1234567.5', null],
  ['１２．５', '12.5', null],
  ['１，０００', '1000', 1000],
  ['2。5', '2.5', null],
  ['٢٠', '20', 20],
  ['۱۲', '12', 12],
  ['١٬٢٣٤٫٥', '1234.5', null],
  ['\u200F٢٠\u200F', '20', 20],
  ['007', '007', 7],
  ['1234567890', '1234567890', null],
  ...[
    '',
    '-',
    '.5',
    '5.',
    '5,',
    '1.2.3',
    '1,00,000',
    '1,000,00',
    '1.00,50',
    '1,5.000',
    '12 34',
    '1 000 00',
    "1 000'000",
    '1\n000',
    '1, 10',
    '--5',
    '1e3',
    '0x10',
    '5²',
    '十',
    '5 kg',
    'NaN',
  ].map((text) => [text, null, null] as const),
]

test.each(TYPED)('%j is %j, as a whole number %j', (text, decimal, whole) => {
  expect(decimalIn(text) ?? null).toBe(decimal)
  expect(wholeIn(text) ?? null).toBe(whole)
})

test('units stand before or behind the number, and none is needed', () => {
  for (const text of ['$20', '20$', '20 $', '+$20', '20'])
    expect(decimalIn(text, String.raw`\$`), text).toBe('20')
  expect(decimalIn('20€', String.raw`\$`)).toBeUndefined()
  expect(wholeIn('20 PCS', 'pcs')).toBe(20)
})
