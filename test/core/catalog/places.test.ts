import { describe, expect, it } from 'vitest'
import { isCountryCode } from '../../../src/core/catalog/country-code.ts'
import { cityName, countryName } from '../../../src/core/catalog/places.ts'

describe('country codes', () => {
  it('are those of ISO 3166-1, all 249, and Kosovo', () => {
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('')
    const codes = letters.flatMap((first) => letters.map((second) => first + second)).filter(isCountryCode)
    expect(codes).toHaveLength(250)
    expect(codes).toContain('XK')
  })

  it.each(['UK', 'SU', 'EU', 'XX', 'ZZ', 'us', 'USA', 'U', '', 'U1', 'ＵＳ'])('do not include %j', (code) => {
    expect(isCountryCode(code)).toBe(false)
    expect(countryName(code, 'en')).toBe(code)
  })
})

it('places have English and Chinese names, and keep their code where there is no name', () => {
  const names = (code: string) => [countryName(code, 'en'), countryName(code, 'zh')]
  expect(names('DE')).toEqual(['Germany', '德国'])
  expect(names('US')).toEqual(['United States', '美国'])
  expect(names('HK')).toEqual(['Hong Kong', '香港'])
  expect([cityName('USNYC', 'en'), cityName('USNYC', 'zh')]).toEqual(['New York', '纽约'])
  expect(cityName('USXXX', 'en')).toBe('USXXX')
})
