import { cp, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectUrl } from '../../../src/project-url.ts'
import { finished, startChild } from '../../support/children.ts'
import { temporaryDirectory } from '../../support/service.ts'

/** Fields with names that nothing but a column has; each with the column's own name. */
const RENAMED = {
  leasedUntil: 'leased_until',
  syncDueAt: 'sync_due_at',
  activationHash: 'activation_hash',
}

test('A renamed column stops the compiler in every file that uses it', async () => {
  const copy = await temporaryDirectory()
  for (const part of ['package.json', 'tsconfig.json', 'prisma.config.ts', 'prisma', 'scripts', 'src'])
    await cp(projectUrl(part), join(copy, part), { recursive: true })
  await symlink(projectUrl('node_modules'), join(copy, 'node_modules'))
  const using = await filesWith(new RegExp(String.raw`\b(${Object.keys(RENAMED).join('|')})\b`), copy)

  const schema = join(copy, 'prisma', 'schema.prisma')
  let text = await readFile(schema, 'utf8')
  for (const [field, column] of Object.entries(RENAMED))
    text = text.replaceAll(field, `${field}Renamed`).replaceAll(`"${column}"`, `"${column}_renamed"`)
  await writeFile(schema, text)
  // Without the tether (tethered.ts): Prisma starts processes of its own.
  const options = { cwd: copy, env: { NODE_OPTIONS: '' } }
  const generated = await finished(startChild(process.execPath, ['scripts/generate.mjs'], options))
  expect(generated).toMatchObject({ status: 0, stderr: '' })

  const settings = {
    extends: './tsconfig.json',
    compilerOptions: { incremental: false },
    include: ['src/core'],
  }
  await writeFile(join(copy, 'core.json'), JSON.stringify(settings))
  const tsc = projectUrl('node_modules/typescript/bin/tsc').pathname
  const args = [tsc, '--pretty', 'false', '--project', 'core.json']
  const { stdout } = await finished(startChild(process.execPath, args, { cwd: copy }))
  const refused = Array.from(stdout.matchAll(/^(src\/core\/[^(]+)\(/gm), ([, file = '']) => file)
  expect([...new Set(refused)].toSorted()).toEqual(using)
  expect(using.length).toBeGreaterThan(8)
})

/** Files of the core with a match, by their paths. */
async function filesWith(pattern: RegExp, root: string): Promise<string[]> {
  const files = await readdir(join(root, 'src', 'core'), { recursive: true })
  const found: string[] = []
  for (const file of files.filter((name) => name.endsWith('.ts'))) {
    const path = join('src', 'core', file)
    if (pattern.test(await readFile(join(root, path), 'utf8'))) found.push(path)
  }
  return found.toSorted()
}
