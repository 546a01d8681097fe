import { translationsOf } from '../translations.ts'

/** Returns facts of a notice as they are today: in those of an older version names have a field for each language, `nameEn` and `nameZh`. */
export function withNames<Facts>(facts: Facts): Facts {
  if (Array.isArray(facts)) return facts.map(withNames) as Facts
  if (typeof facts !== 'object' || facts === null) return facts
  const fields = Object.entries(facts).map(([name, value]) => [name, withNames(value as unknown)])
  const names = translationsOf(facts, 'name')
  return { ...(names && { names }), ...Object.fromEntries(fields) } as Facts
}
