import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { LOCALES } from '../../src/bot/texts/index.ts'
import { FALLBACK_LANGUAGE, LANGUAGES } from '../../src/core/languages.ts'

const bot = fileURLToPath(new URL('../../src/bot/', import.meta.url))
/** Files of texts, by their language. */
const TEXTS = new RegExp(`^texts/(${LANGUAGES.join('|')})/`)

/** What is said in a language. Dates are written in an order of their own, and what people type is not said. */
const said = (language: keyof typeof LOCALES) => {
  const { calendar: _calendar, typed: _typed, ...texts } = LOCALES[language]
  return texts
}
const en = said(FALLBACK_LANGUAGE)
const OTHERS = LANGUAGES.filter((language) => language !== FALLBACK_LANGUAGE)

interface Leaf {
  readonly path: readonly string[]
  readonly value: unknown
}

/** All texts of a locale, with the path to each. */
function leaves(value: unknown, path: readonly string[] = []): Leaf[] {
  if (typeof value !== 'object' || value === null) return [{ path, value }]
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, [...path, key]))
}

/** What is to be filled in; undefined for a text that stands as it is. */
const parameters = (value: unknown) => (typeof value === 'function' ? value.length : undefined)

/** What stands for a parameter of a text: `⟦0⟧` in the text, a number in a comparison, `⟦0.name⟧` for what it holds. */
function token(name: string, number: number): unknown {
  return new Proxy(() => {}, {
    get: (_, key) =>
      key === Symbol.toPrimitive
        ? (hint: string) => (hint === 'string' ? `⟦${name}⟧` : number)
        : token(`${name}.${String(key)}`, number),
    apply: () => token(`${name}()`, number),
  })
}

/** Which parameters a text shows, from its beginning to its end; undefined when these cannot be. */
function shown(text: unknown, parameters: readonly unknown[]): string[] | undefined {
  try {
    const filled = (text as (...parameters: readonly unknown[]) => string)(...parameters)
    return [...filled.matchAll(/⟦(.+?)⟧/g)].map(([, name]) => name ?? '')
  } catch {
    return undefined
  }
}

/** Texts that show what they show in English, but in another order, which was read and is right. */
const OWN_ORDER: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  zh: {
    'customers.changes.credentials.preview': '0 1',
    'customers.changes.refund.preview': '3 1 2 0',
    'customers.changes.replace.preview': '0 1',
    'customers.topUp': '1 0',
    'extraction.fileCaption': '1 0',
    'operator.notices.account_credited_anyway': '0 2 1',
    'operator.payments.assigned': '1 0',
    'orders.dead': '1 0',
    'promo.share.off': '1 0',
    'promo.share.offShops': '1 0',
    'subAccounts.move.give': '0 1',
    'subAccounts.move.take': '0 1',
    'users.invited': '0 1 0 2',
  },
  ru: {
    'extraction.fileCaption': '1 0',
    'operator.payments.assigned': '1 0',
    'users.asked.before.declined': '0 1',
  },
}

/** Besides what may be anything: numbers in which languages differ, and what may be absent. */
const SPECIAL = [0, 1, 2, undefined, true, false]

const filesIn = (folder: string) =>
  readdirSync(join(bot, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => ({ name, source: readFileSync(join(bot, folder, name), 'utf8') }))

describe('the texts of the bot', () => {
  it.each(OTHERS)(
    'are in %s what they are in English: none is missing, each takes the same parameters',
    (language) => {
      const other = said(language)
      const shape = (locale: object) =>
        Object.fromEntries(leaves(locale).map(({ path, value }) => [path.join('.'), parameters(value)]))
      expect(shape(other)).toEqual(shape(en))
      for (const { path, value } of [...leaves(en), ...leaves(other)])
        if (typeof value === 'string') expect(value.trim(), path.join('.')).not.toBe('')
    },
  )

  it.each(OTHERS)('show in %s the same parameters in the same order, or in one that was read', (language) => {
    const own = OWN_ORDER[language] ?? {}
    const translations = new Map(leaves(said(language)).map(({ path, value }) => [path.join('.'), value]))
    const different = new Map<string, unknown>()
    const read = new Set<string>()
    for (const { path, value } of leaves(en)) {
      const any = Array.from({ length: parameters(value) ?? 0 }, (_, at) => token(String(at), 7000 + at))
      const cases = [
        any,
        ...any.flatMap((_, at) => SPECIAL.map((special) => any.map((one, i) => (i === at ? special : one)))),
      ]
      const name = path.join('.')
      const order = own[name]?.split(' ')
      for (const filled of cases) {
        const [english, translated] = [shown(value, filled), shown(translations.get(name), filled)]
        const expected = order ? order.filter((at) => english?.includes(at)) : english
        if (translated?.join() !== expected?.join()) different.set(name, { english, translated })
        if (order && translated?.join() !== english?.join()) read.add(name)
      }
    }
    expect(Object.fromEntries(different)).toEqual({})
    expect([...read].toSorted()).toEqual(Object.keys(own))
  })

  it('are all used', () => {
    const sources = filesIn('.').flatMap(({ name, source }) =>
      TEXTS.test(name) ? [] : { source, words: new Set(source.match(/\w+/g)) },
    )
    const found = new Map<string, readonly (typeof sources)[number][]>()
    /** Sources in which something is looked up by a value. */
    const lookedUp = (name: string) => {
      const known = found.get(name)
      if (known) return known
      const pattern = new RegExp(`\\b${name}(?:\\?\\.)?\\[`)
      const those = sources.filter(({ source, words }) => words.has(name) && pattern.test(source))
      found.set(name, those)
      return those
    }
    /**
     * As a property, in a file that knows its section; or the section is looked up in by a value, such as the code of an error; or the
     * section itself is looked up by a value, such as the name of a setting, in the file with the property.
     */
    const isUsed = ({ path }: Leaf) => {
      const [name = '', section = 'texts', group = 'texts'] = path.toReversed()
      if (lookedUp(section).length > 0) return true
      const property = new RegExp(`\\.${name}\\b|[{,]\\s*${name}\\s*[,}]`)
      return sources.some(
        (each) =>
          each.words.has(name) &&
          (each.words.has(section) || lookedUp(group).includes(each)) &&
          property.test(each.source),
      )
    }
    const unused = leaves(en).filter((leaf) => !isUsed(leaf))
    expect(unused.map(({ path }) => path.join('.'))).toEqual([])
  })

  it('have Chinese punctuation in Chinese', () => {
    const han = '\\p{Script=Han}'
    // What follows or precedes Chinese, with or without a tag between; `.` only where a sentence goes on or ends.
    const wrong = new RegExp(
      `${han}(?:</?\\w+>)*(?:[,;:!?(]|\\.(?:[\\s\`']|${han}))|[,;:!?)](?:</?\\w+>)*${han}`,
      'u',
    )
    const lines = filesIn('.')
      .filter(({ name }) => TEXTS.exec(name)?.[1] === 'zh' && !name.endsWith('/typed.ts'))
      .flatMap(({ name, source }) =>
        source.split('\n').map((line) => `${name}: ${line.replaceAll(/<code>[^<]*<\/code>/g, '')}`),
      )
    expect(lines.filter((line) => wrong.test(line))).toEqual([])
  })
})
