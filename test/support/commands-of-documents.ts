import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { projectUrl } from '../../src/project-url.ts'
import { finished, startChild } from './children.ts'
import { startProcess } from './process.ts'
import { sandboxFolder } from './sandbox-folder.ts'
import { temporaryDirectory } from './service.ts'

const ROOT = projectUrl('').pathname
const DOCUMENTS = [
  'README.md',
  'README.zh.md',
  'README.ru.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'clients/typescript/README.md',
  ...readdirSync(join(ROOT, 'docs')).flatMap((name) => (name.endsWith('.md') ? `docs/${name}` : [])),
]
/** What the commands need of the repository. */
const LINKED = ['package.json', 'scripts', 'src', 'prisma', 'dist', 'node_modules', '.env.example']

interface Block {
  readonly command: string
  readonly typed: string
  readonly unrun: string | undefined
}

/** The blocks of a document that a shell is given. */
function blocksOf(text: string): Block[] {
  const block = /(?:<!-- (?:not run: (.+?)|typed: (.+?)) -->\n\n *)?```sh\n([^]*?)\n *```/g
  return [...text.matchAll(block)].map(([, unrun, typed = '', command = '']) => ({
    command: command.replaceAll(/^ +(?=\S)/gm, ''),
    typed,
    unrun,
  }))
}

/** The files that a document shows, by name. */
function filesOf(text: string): [name: string, content: string][] {
  return [...text.matchAll(/```csv (\S+)\n([^]*?)\n *```/g)].map(([, name = '', content = '']) => [
    name,
    content.replaceAll(/^ +/gm, ''),
  ])
}

/** The documents with commands to run, by their paths. */
export const runnable = DOCUMENTS.filter((path) => existsSync(join(ROOT, path))).filter((path) =>
  blocksOf(readFileSync(join(ROOT, path), 'utf8')).some(({ unrun }) => unrun === undefined),
)

/** Every command in a document is run, in the order of the document, against a sandbox of its own, unless a comment before it says why not. */
export async function proveCommandsOf(path: string): Promise<void> {
  const text = await readFile(join(ROOT, path), 'utf8')
  const directory = await temporaryDirectory()
  await cp(await sandboxFolder(), join(directory, 'data'), { recursive: true })
  for (const name of LINKED) await symlink(join(ROOT, name), join(directory, name))
  for (const [name, content] of filesOf(text)) await writeFile(join(directory, name), `${content}\n`)
  // As deploy/install.sh makes it.
  await mkdir(join(directory, 'bin'))
  const operator = '#!/bin/sh\nexec node dist/cli/operator.js "$@"\n'
  await writeFile(join(directory, 'bin', 'operator'), operator, { mode: 0o755 })
  const environment = { DATABASE_URL: `file:${directory}/data/reseller.db`, BACKUP_EVERY: 'off' }
  const { address } = await startProcess({ ...environment, PORT: '0' }, directory)

  for (const { command, typed, unrun } of blocksOf(text)) {
    if (unrun !== undefined) continue
    const shell = startChild('sh', ['-euc', command.replaceAll('localhost:3000', new URL(address).host)], {
      cwd: directory,
      // npm does not hand on what the tether of tests needs (tethered.ts).
      env: {
        PATH: `${directory}/bin:${process.env['PATH'] ?? ''}`,
        HOME: directory,
        NODE_OPTIONS: '',
        ...environment,
      },
    })
    shell.stdin.end(`${typed}\n`)
    const { status, stdout, stderr } = await finished(shell)
    expect(status, `${path}:\n${command}\n${stdout}${stderr}`).toBe(0)
  }
}
