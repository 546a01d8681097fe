import { readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startProcess } from './process.ts'
import { temporaryDirectory } from './service.ts'

type Files = readonly (readonly [name: string, content: Buffer])[]

let made: Promise<Files> | undefined

/**
 * Folder of a sandbox that has run once without a gateway, and has stopped: its database `reseller.db`, its secrets and its chats. It
 * ends with the test. To begin a sandbox, with the thirty days of its history, takes longer than most tests of it.
 */
export async function sandboxFolder(): Promise<string> {
  const files = await (made ??= firstSandbox())
  const folder = await temporaryDirectory()
  for (const [name, content] of files) await writeFile(join(folder, name), content, { mode: 0o600 })
  return folder
}

async function firstSandbox(): Promise<Files> {
  const folder = await temporaryDirectory()
  const sandbox = await startProcess({ PORT: '0', DATABASE_URL: `file:${folder}/reseller.db` }, folder)
  await sandbox.terminate()
  const files = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile())
  return Promise.all(files.map(async ({ name }) => [name, await readFile(join(folder, name))] as const))
}
