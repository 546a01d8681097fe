import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { S3mini } from 's3mini'
import { BACKUP_FILE } from '../core/backups/backup-name.ts'
import type { Place } from './place.ts'
import type { S3Settings } from './settings.ts'

/** How long one request may take, which sends or reads at most a whole file. */
const TIMEOUT_MS = 60 * 60_000
/** What all names of backups begin with. */
const PREFIX = 'reseller-'

/** A bucket of S3-compatible storage. Large files go there in parts. */
export function s3({ url, region, keyId, secret }: S3Settings): Place {
  const bucket = new S3mini({
    endpoint: url,
    region,
    accessKeyId: keyId,
    secretAccessKey: secret,
    requestAbortTimeout: TIMEOUT_MS,
  })
  return {
    name: 's3',
    store: async (file, name) => {
      const { size } = await stat(file)
      const content = Readable.toWeb(createReadStream(file)) as globalThis.ReadableStream
      await bucket.putAnyObject(name, content, 'application/octet-stream', undefined, undefined, size)
    },
    open: async (name) => {
      const { body } = (await bucket.getObjectResponse(name)) ?? {}
      if (!body) throw new Error(`there is no ${name} in the bucket`)
      return Readable.fromWeb(body as ReadableStream)
    },
    remove: async (name) => void (await bucket.deleteObject(name)),
    list: async () => {
      const found = (await bucket.listObjects('/', PREFIX)) ?? []
      return found
        .filter(({ Key }) => BACKUP_FILE.test(Key))
        .map(({ Key, Size }) => ({ name: Key, bytes: Number(Size) }))
    },
  }
}
