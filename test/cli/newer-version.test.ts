import { cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SqliteDatabase } from '../../src/core/database/driver.ts'
import { finished, startChild } from '../support/children.ts'
import { startProcess } from '../support/process.ts'
import { databaseFile, temporaryDirectory } from '../support/service.ts'
import { root } from '../support/tethered.ts'

const NEXT = '20990101000000_of_the_next_version'

/** A build of the next version, which has one migration more. */
async function nextVersion(directory: string): Promise<string> {
  const build = join(directory, 'next')
  await cp(join(root, 'dist'), join(build, 'dist'), { recursive: true })
  await cp(join(root, 'prisma'), join(build, 'prisma'), { recursive: true })
  await cp(join(root, 'package.json'), join(build, 'package.json'))
  await symlink(join(root, 'node_modules'), join(build, 'node_modules'))
  await mkdir(join(build, 'prisma/migrations', NEXT))
  await writeFile(
    join(build, 'prisma/migrations', NEXT, 'migration.sql'),
    'ALTER TABLE products ADD COLUMN of_the_next_version TEXT;',
  )
  return build
}

test('a command of a newer version leaves the database alone while a server has it open, and migrates it afterwards', async () => {
  const directory = await temporaryDirectory()
  const database = await databaseFile()
  const build = await nextVersion(directory)
  const list = async (...more: string[]) => {
    const args = [join(build, 'dist/cli/operator.js'), 'product', 'list', '--json', ...more]
    const env = { DATABASE_URL: `file:${database}` }
    const { status, stdout, stderr } = await finished(
      startChild(process.execPath, args, { cwd: directory, env }),
    )
    return { status, answer: JSON.parse(stdout + stderr) as object }
  }
  const migrations = () => {
    const connection = new SqliteDatabase(database, { readonly: true })
    const names = connection.prepare('SELECT migration_name FROM _prisma_migrations').pluck().all()
    connection.close()
    return names
  }

  const server = await startProcess({ PORT: '0', DATABASE_URL: `file:${database}` }, directory)
  const before = migrations()
  expect(await list()).toEqual({
    status: 1,
    answer: {
      error: 'unavailable',
      message: `The database ${database} cannot be opened: a server is running on it with an older version. Stop the server, or use the commands of that version; nothing was changed`,
      data: null,
    },
  })
  expect(migrations()).toEqual(before)
  expect((await fetch(`${server.address}/readyz`)).status).toBe(200)
  expect(await server.terminate()).toBe(0)

  expect(await list()).toMatchObject({ status: 0 })
  expect(migrations()).toEqual([...before, NEXT])
})
