import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

const ROOT = new URL('../../../', import.meta.url).pathname
const run = promisify(execFile)

/** Columns with names that nothing else has. */
const RENAMED = ['leasedUntil', 'seenTxid', 'nextCheckAt', 'shelf']

let copy = ''
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'renamed-column-'))
  for (const part of ['package.json', 'tsconfig.json', 'prisma.config.ts', 'prisma', 'scripts', 'src'])
    cpSync(join(ROOT, part), join(copy, part), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
})
afterAll(() => rmSync(copy, { recursive: true }))

test('A renamed column stops the compiler in every file that uses it', async () => {
  const schema = join(copy, 'prisma', 'schema.prisma')
  const renamed = RENAMED.reduce(
    (text, name) => text.replace(new RegExp(`^( +)${name}( .*)$`, 'm'), `$1${name}2$2 @map("${name}_2")`),
    readFileSync(schema, 'utf8').replaceAll(new RegExp(`^( +(?:${RENAMED.join('|')}) .*) @map\\(.*\\)`, 'gm'), '$1'),
  )
  writeFileSync(schema, renamed.replaceAll(new RegExp(`@@index\\(\\[(${RENAMED.join('|')})\\]`, 'g'), '@@index([$12]'))
  await run(process.execPath, ['scripts/generate.mjs'], { cwd: copy })

  const { stdout } = await run('npx', ['tsc', '--noEmit', '--pretty', 'false'], { cwd: copy }).catch(
    (error: { stdout: string }) => error,
  )
  const refused = new Set(Array.from(stdout.matchAll(/^(src\/[^(]+)\(/gm), ([, file = '']) => file))
  expect([...refused].toSorted()).toEqual(filesThatUse(RENAMED))
})

function filesThatUse(columns: readonly string[]): string[] {
  const used = new RegExp(`\\b(${columns.join('|')})\\b`)
  return readdirSync(join(copy, 'src', 'core'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join('src', 'core', file))
    .filter((file) => used.test(readFileSync(join(copy, file), 'utf8')))
    .toSorted()
}
