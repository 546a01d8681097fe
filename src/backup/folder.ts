import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { BACKUP_FILE } from '../core/backups/backup-name.ts'
import type { Place } from './place.ts'
import { synced } from './synced.ts'

const PARTIAL = '.partial'

/** A folder, which may be that of another disk or machine. Files appear in it when they are complete. */
export function folder(directory: string): Place {
  return {
    name: 'folder',
    store: async (file, name) => {
      await mkdir(directory, { recursive: true, mode: 0o700 })
      for (const left of await readdir(directory)) {
        if (left.endsWith(PARTIAL) && BACKUP_FILE.test(left.slice(0, -PARTIAL.length)))
          await rm(join(directory, left))
      }
      const partial = join(directory, `${name}${PARTIAL}`)
      try {
        await pipeline(createReadStream(file), createWriteStream(partial, { mode: 0o600, flush: true }))
        await rename(partial, join(directory, name))
        await synced(directory)
      } catch (error) {
        await rm(partial, { force: true })
        throw error
      }
    },
    open: async (name) => (await open(join(directory, name))).createReadStream(),
    remove: (name) => rm(join(directory, name), { force: true }),
    list: async () => {
      const names = await readdir(directory).catch(() => [])
      return Promise.all(
        names
          .filter((name) => BACKUP_FILE.test(name))
          .map(async (name) => ({ name, bytes: (await stat(join(directory, name))).size })),
      )
    },
  }
}
