import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const FIXTURE = join(ROOT, 'test/fixtures/made-up-language')
const COPIED = ['src', 'prisma', 'test/support', 'scripts', 'package.json', 'tsconfig.json']

/** What is edited for a language beside its own files: docs/architecture.md counts them. */
const EDITS: Readonly<Record<string, readonly (readonly [before: string, after: string])[]>> = {
  'src/core/languages.ts': [
    [
      "  ru: { locale: 'ru', timeZone: 'Europe/Moscow' },\n",
      "  ru: { locale: 'ru', timeZone: 'Europe/Moscow' },\n  eo: { locale: 'eo', timeZone: 'UTC' },\n",
    ],
  ],
  'src/core/catalog/cities/index.ts': [
    ["import zh from './zh.json'", "import { eo } from './eo.ts'\nimport zh from './zh.json'"],
    ['{ en, zh, ru }', '{ en, zh, ru, eo }'],
  ],
  'src/bot/texts/index.ts': [
    [
      "import * as zh from './zh/index.ts'",
      "import { eo } from './eo/index.ts'\nimport * as zh from './zh/index.ts'",
    ],
    ['{ en, zh, ru }', '{ en, zh, ru, eo }'],
  ],
  'src/api/texts/index.ts': [
    ["import { zh } from './zh.ts'", "import { eo } from './eo.ts'\nimport { zh } from './zh.ts'"],
    ['{ en, zh, ru }', '{ en, zh, ru, eo }'],
  ],
  'src/mail/texts/index.ts': [
    ["import { zh } from './zh.ts'", "import { eo } from './eo.ts'\nimport { zh } from './zh.ts'"],
    ['{ en, zh, ru }', '{ en, zh, ru, eo }'],
  ],
}

test('a language is its texts and five edits: with them it is spoken at every door', async () => {
  const copy = await mkdtemp(join(tmpdir(), 'made-up-language-'))
  onTestFinished(() => rm(copy, { recursive: true }))
  for (const name of COPIED) cpSync(join(ROOT, name), join(copy, name), { recursive: true })
  cpSync(FIXTURE, copy, { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  mkdirSync(join(copy, 'scratch'))
  for (const [file, edits] of Object.entries(EDITS))
    for (const [before, after] of edits) {
      const text = readFileSync(join(copy, file), 'utf8')
      expect(text, file).toContain(before)
      writeFileSync(join(copy, file), text.replace(before, after))
    }
  execFileSync(
    join(ROOT, 'node_modules/.bin/vitest'),
    ['run', '--root', copy, '--config', join(copy, 'vitest.config.ts')],
    {
      cwd: copy,
      env: { ...process.env, TMPDIR: join(copy, 'scratch') },
      encoding: 'utf8',
      stdio: 'pipe',
    },
  )
})
