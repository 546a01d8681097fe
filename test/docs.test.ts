import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { ERROR_STATUS } from '../src/api/errors.ts'

/** What the documents say about the code, and the code about the documents, holds. */
const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SOURCES = ['src', 'test', 'bench', 'scripts', 'prisma']
/** Made by tools, or installed. */
const NOT_OURS = new Set(['node_modules', 'generated', 'dist', 'clients'])
const THIS_FILE = relative(ROOT, fileURLToPath(import.meta.url))

function filesIn(directory: string): string[] {
  return readdirSync(join(ROOT, directory), { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name)
    if (!entry.isDirectory()) return [path]
    return NOT_OURS.has(entry.name) ? [] : filesIn(path)
  })
}

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const sources = SOURCES.flatMap(filesIn).filter((path) => /\.(ts|mjs|js|css|html|sql|prisma|md)$/.test(path))
const documents = [
  'README.md',
  'README.zh.md',
  'README.ru.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'CONTRIBUTING.md',
  'clients/typescript/README.md',
  ...filesIn('docs').filter((path) => path.endsWith('.md')),
  ...sources.filter((path) => path.endsWith('.md')),
]

/** The text with comments that go over several lines as one line each, so that a citation is found wherever it is wrapped. */
function unwrapped(text: string): string {
  return text.replaceAll(/\n[ \t]*(?:\*|\/\/+|--|#)[ \t]+/g, ' ')
}

/** The text without code, in which brackets and words mean something else. */
function prose(markdown: string): string {
  return markdown.replaceAll(/^```[^]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, '')
}

/** The numbers of rules that a text cites: `rules 5.7` or `rules 3.5, 5.1`. */
function citedIn(text: string): string[] {
  return [...unwrapped(text).matchAll(/\brules? (\d+\.\d+(?:(?:, | and )\d+\.\d+)*)/g)].flatMap(
    ([, numbers = '']) => numbers.match(/\d+\.\d+/g) ?? [],
  )
}

const headings = [...read('docs/rules.md').matchAll(/^(#{2,3}) (\d+(?:\.\d+)?)\.? (.+)$/gm)].map(
  ([, level = '', number = '', title = '']) => ({ level: level.length, number, title }),
)
const rules = new Set(headings.flatMap(({ level, number }) => (level === 3 ? number : [])))

/** The anchors that GitHub gives to the headings of a document. */
function anchorsOf(path: string): Set<string> {
  const anchors = new Set<string>()
  for (const [, heading = ''] of read(path)
    .replaceAll(/^```[^]*?^```/gm, '')
    .matchAll(/^#{1,6} (.+)$/gm)) {
    const plain = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const slug = plain.replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '').replaceAll(' ', '-')
    let anchor = slug
    for (let n = 1; anchors.has(anchor); n += 1) anchor = `${slug}-${n}`
    anchors.add(anchor)
  }
  return anchors
}

test('The rules are numbered one after the other, chapter by chapter', () => {
  let chapter = 0
  let rule = 0
  for (const { level, number, title } of headings) {
    if (level === 2) [chapter, rule] = [chapter + 1, 0]
    else rule += 1
    expect(number, title).toBe(level === 2 ? `${chapter}` : `${chapter}.${rule}`)
  }
  expect(rules.size).toBeGreaterThan(100)
})

test('Every citation of a rule leads to one', () => {
  const lost = [...sources, ...documents].flatMap((path) =>
    citedIn(read(path)).flatMap((number) => (rules.has(number) ? [] : `${path}: rules ${number}`)),
  )
  expect(lost).toEqual([])
  expect(sources.flatMap((path) => citedIn(read(path))).length).toBeGreaterThan(200)
})

test('Comments cite rules in one form', () => {
  // A single number without the rule behind the point, "rule" instead of "rules", a chapter.
  const other = /\brule \d+\.\d+|\brules \d+(?![\d.])|\brules \d+\.(?!\d)|\bchapters? \d+ of (?:the )?rules/g
  const odd = sources
    .filter((path) => path !== THIS_FILE)
    .flatMap((path) => (unwrapped(read(path)).match(other) ?? []).map((text) => `${path}: ${text}`))
  expect(odd).toEqual([])
})

test('Comments and documents name no document outside of the repository', () => {
  const outside =
    /\bcontract:? \d|\bspec: |\bthe spec\b|\bspec\.md|\bcontract\.md|\bnotes\/\w|\bshared\/\w+\.md/gi
  const found = [...sources, ...documents]
    .filter((path) => path !== THIS_FILE)
    .flatMap((path) => (unwrapped(read(path)).match(outside) ?? []).map((text) => `${path}: ${text}`))
  expect(found).toEqual([])

  const missing = sources
    .filter((path) => path !== THIS_FILE)
    .flatMap((path) =>
      [...read(path).matchAll(/(?<![\w/:.-])[\w./-]+\.md\b/g)].flatMap(([name]) =>
        existsSync(join(ROOT, name)) || existsSync(join(ROOT, dirname(path), name)) ? [] : `${path}: ${name}`,
      ),
    )
  expect(missing).toEqual([])
})

test('Every link of the documents leads to a file, and to a heading where it names one', () => {
  const broken = documents.flatMap((path) =>
    [...prose(read(path)).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = '']) => {
      if (/^[a-z]+:/i.test(target)) return []
      const [file = '', anchor] = target.split('#')
      const meant = file === '' ? path : normalize(join(dirname(path), file))
      if (meant.startsWith('..') || !existsSync(join(ROOT, meant))) return `${path}: ${target}`
      return anchor === undefined || anchorsOf(meant).has(anchor) ? [] : `${path}: ${target}`
    }),
  )
  expect(broken).toEqual([])
})

/** `src/{a,b}` means both; of a name with a gap, such as `src/<name>.ts`, the folder is what has to be there. */
function pathsMeant(text: string): string[] {
  const [, before, choices, after] = /^(.*)\{([^}]*)\}(.*)$/.exec(text) ?? []
  const paths = choices === undefined ? [text] : choices.split(',').map((each) => `${before}${each}${after}`)
  return paths.map((path) => (/[<*…]/.test(path) ? dirname(path.slice(0, path.search(/[<*…]/)) + 'x') : path))
}

test('Every path in the documents is one of the repository', () => {
  const named = /`((?:src|test|bench|scripts|prisma|docs|\.ci)\/[^`\s]*)`/g
  const lost = documents.flatMap((path) =>
    [...read(path).matchAll(named)].flatMap(([, text = '']) =>
      pathsMeant(text.split('#')[0] ?? '').flatMap((meant) =>
        existsSync(join(ROOT, meant)) ? [] : `${path}: ${meant}`,
      ),
    ),
  )
  expect(lost).toEqual([])
})

test('Endpoints and fields that the rules name are those of the API', () => {
  const api = filesIn('src/api').map(read).join('\n')
  const names = new Set(
    [...read('docs/rules.md').matchAll(/`([a-z]+(?:[A-Z][a-z]+)+)`/g)].map(([, name = '']) => name),
  )
  expect([...names].filter((name) => !new RegExp(`\\b${name}\\b`).test(api))).toEqual([])
  expect(names.size).toBeGreaterThan(20)
})

test('Versions and dates of the changelog are as a release needs them', () => {
  execFileSync(process.execPath, [join(ROOT, 'scripts/release.mjs'), '--check'])
})

test('Rule 1.4 has every error under its status', () => {
  const rule = /### 1\.4 [^]*?(?=\n### )/.exec(read('docs/rules.md'))?.[0] ?? ''
  const listed = [...rule.matchAll(/^\| (\d+) +\| (.*)\|$/gm)].flatMap(([, status, codes = '']) =>
    [...codes.matchAll(/`(\w+)`/g)].map(([, code = '']) => `${status} ${code}`),
  )
  const known = Object.entries(ERROR_STATUS).map(([code, status]) => `${status} ${code}`)
  expect(listed.toSorted()).toEqual(known.toSorted())
})
