import { expect, it } from 'vitest'
import { isAddress, toAccount, toAddress } from '../../src/networks/tron/address.ts'

const USDT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
const USDT_ACCOUNT = 'a614f803b6fd780986a42c78ec9c7f77e6ded13c'
/** With good checksums, but no addresses of TRON: of Bitcoin, and with the bytes 0x40 and 0x42 in front. */
const OTHERS = [
  '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2',
  'T9yD14Nj9j7xAB4dbGeiX9h8unkKB9nv2z',
  'TZKARypEgvGQcSi4tQxvUEFM33fTk5mvtD',
]

it('reads an account in all the forms that nodes write', () => {
  for (const form of [USDT, USDT_ACCOUNT, `41${USDT_ACCOUNT}`, USDT_ACCOUNT.toUpperCase()]) {
    expect(toAccount(form), form).toBe(USDT_ACCOUNT)
  }
  expect(toAddress(USDT_ACCOUNT)).toBe(USDT)
})

it('takes nothing else for an address', () => {
  expect(isAddress(USDT)).toBe(true)
  for (const text of [
    '',
    'T',
    USDT.slice(0, -1),
    `${USDT}t`,
    ` ${USDT}`,
    USDT.replace('R', 'r'),
    USDT.replace('6t', '6T'),
    USDT.replace('N', '0'),
    `0x${USDT_ACCOUNT}`,
    `42${USDT_ACCOUNT}`,
    USDT_ACCOUNT.slice(1),
    `T${'z'.repeat(1_000_000)}`,
    ...OTHERS,
  ]) {
    expect(isAddress(text), text.slice(0, 50)).toBe(false)
    expect(toAccount(text), text.slice(0, 50)).toBeUndefined()
  }
})
