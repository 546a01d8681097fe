import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openDatabase } from '../src/core/database/database.ts'
import { canHaveFaultyDisk, faultyDisk } from './support/faulty-disk.ts'
import { operator } from './support/processes.ts'
import { oldDatabase, schemaOf } from './support/schema-of.ts'
import { databaseFile, temporaryDirectory } from './support/service.ts'

describe('a migration that does not get through', () => {
  it.skipIf(!canHaveFaultyDisk)(
    'because of a kill at any write leaves the old schema or the new one, and the next start finishes it',
    async () => {
      const directory = await temporaryDirectory()
      const disk = faultyDisk(directory)
      const old = await oldDatabase()
      const outcomes = { old: schemaOf(old), new: schemaOf(await databaseFile()) }
      const seen = new Set<string>()
      for (let write = 1; !seen.has('finished'); write *= 3) {
        const path = join(directory, `killed-${write}.db`)
        await copyFile(old, path)
        const { status } = await operator(['audit'], { database: path, env: disk.killAt(write) })
        seen.add(status === null ? 'killed' : 'finished')
        expect([null, 0]).toContain(status)
        const schema = schemaOf(path)
        expect([outcomes.old, outcomes.new]).toContainEqual(schema)
        const db = await openDatabase(`file:${path}`)
        expect(await db.read.account.findMany()).toMatchObject([{ username: 'ann' }])
        await db.close()
        expect(schemaOf(path)).toEqual(outcomes.new)
      }
      expect(seen).toContain('killed')
    },
  )
})
