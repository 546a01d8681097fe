import { expect, it } from 'vitest'
import { inAccountCurrency, inSupplierCurrency } from '../../../src/core/supply/supplier-amount.ts'
import { sharesOf } from '../../../src/core/supply/supplied.ts'

it.each([
  ['2', 1_000_000, 2_000_000],
  ['12.5', 1_000_000, 12_500_000],
  ['0.0000001', 1_000_000, 1],
  ['7.25', 139_000, 1_007_750],
  ['0.1', 3, 1],
  ['123456789.123456', 1_000_000, 123_456_789_123_456],
])('%s at %i is %i, rounded up', (amount, rate, micros) => {
  expect(inAccountCurrency(amount, rate)).toBe(micros)
})

it.each(['', '-1', '1e3', '1,5', '.5', '1.', 'NaN', '99999999999999999999', '999999999999999'])(
  'refuses %j',
  (amount) => {
    expect(() => inAccountCurrency(amount, 1_000_000)).toThrow('amount')
  },
)

it('rounds what comes back, and ceilings, down', () => {
  expect(inAccountCurrency('0.0000019', 1_000_000, 'down')).toBe(1)
  expect(inSupplierCurrency(1_000_000, 3_000_000)).toBe('0.333333')
  expect(inSupplierCurrency(12_345_678, 1_000_000)).toBe('12.345678')
})

it('shares a cost so that the parts sum to it', () => {
  expect(sharesOf(10, 3)).toEqual([4, 3, 3])
  expect(sharesOf(0, 2)).toEqual([0, 0])
  expect(sharesOf(5, 0)).toEqual([])
})
