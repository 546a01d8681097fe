import type { Language } from '../language.ts'

export function logInPage(_language: Language, _isGood: boolean): string {
  return ''
}
