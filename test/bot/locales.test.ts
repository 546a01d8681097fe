import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { en } from '../../src/bot/locales/en.ts'
import { zh } from '../../src/bot/locales/zh.ts'

const bot = fileURLToPath(new URL('../../src/bot/', import.meta.url))

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

const filesIn = (folder: string) =>
  readdirSync(join(bot, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => ({ name, source: readFileSync(join(bot, folder, name), 'utf8') }))

describe('the texts of the bot', () => {
  it('are the same in both languages: none is missing, each takes the same parameters', () => {
    const shape = (locale: object) =>
      Object.fromEntries(leaves(locale).map(({ path, value }) => [path.join('.'), parameters(value)]))
    expect(shape(zh)).toEqual(shape(en))
    for (const { path, value } of [...leaves(en), ...leaves(zh)])
      if (typeof value === 'string') expect(value.trim(), path.join('.')).not.toBe('')
  })

  it('are all used', () => {
    const sources = filesIn('.').flatMap(({ name, source }) => (name.startsWith('locales') ? [] : source))
    const property = (name: string) => `\\.${name}\\b|[{,]\\s*${name}\\s*[,}]`
    /** As a property, in a file that knows its section; or the section is looked up in by a value, such as the code of an error. */
    const isUsed = ({ path }: Leaf) => {
      const [name = '', section = 'texts'] = path.toReversed()
      const used = new RegExp(`${property(name)}|\\b${section}(?:\\?\\.)?\\[`)
      return sources.some((source) => used.test(source) && new RegExp(`\\b${section}\\b`).test(source))
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
    const lines = filesIn('locales')
      .filter(({ name }) => name.startsWith('zh'))
      .flatMap(({ name, source }) =>
        source.split('\n').map((line) => `${name}: ${line.replaceAll(/<code>[^<]*<\/code>/g, '')}`),
      )
    expect(lines.filter((line) => wrong.test(line))).toEqual([])
  })
})
