const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

/** Region codes of Unicode that are not countries of ISO 3166-1. */
const NO_COUNTRIES = new Set([
  'EU',
  'EZ',
  'UN',
  'XA',
  'XB',
  'ZZ',
  'QO',
  'AC',
  'CP',
  'CQ',
  'DG',
  'EA',
  'IC',
  'TA',
])

/** Whether a two-letter upper-case code is one of ISO 3166-1: not XX or EU, nor a retired code or an alias (UK is GB). */
export function isCountryCode(code: string): boolean {
  if (!/^[A-Z]{2}$/.test(code) || NO_COUNTRIES.has(code) || names.of(code) === undefined) return false
  return new Intl.Locale('und', { region: code }).region === code
}
