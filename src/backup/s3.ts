import { readFile, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { S3mini, type UploadPart } from 's3mini'
import { BACKUP_FILE } from '../core/backups/backup-name.ts'
import { fileParts } from './file-parts.ts'
import type { Place } from './place.ts'
import type { S3Settings } from './settings.ts'

/** Bytes of a part: S3 takes at most 10,000 parts, all but the last of at least 5 MiB. */
const PART_BYTES = 16 * 1024 * 1024
const TYPE = 'application/octet-stream'
/** What all names of backups begin with. */
const PREFIX = 'reseller-'

/** A bucket of S3-compatible storage. Large files go there in parts. */
export function s3({ url, region, keyId, secret, timeoutMs }: S3Settings): Place {
  const bucket = new S3mini({
    endpoint: url,
    region,
    accessKeyId: keyId,
    secretAccessKey: secret,
    requestAbortTimeout: timeoutMs,
  })
  return {
    name: 's3',
    store: async (file, name) => {
      if ((await stat(file)).size <= PART_BYTES) {
        await bucket.putObject(name, await readFile(file), TYPE)
        return
      }
      const upload = await bucket.getMultipartUploadId(name, TYPE)
      try {
        const parts: UploadPart[] = []
        for await (const part of fileParts(file, PART_BYTES))
          parts.push(await bucket.uploadPart(name, upload, part, parts.length + 1))
        await bucket.completeMultipartUpload(name, upload, parts)
      } catch (error) {
        await bucket.abortMultipartUpload(name, upload).catch(() => {})
        throw error
      }
    },
    open: async (name) => {
      const { body } = (await bucket.getObjectResponse(name)) ?? {}
      if (!body) throw new Error(`there is no ${name} in the bucket`)
      return Readable.fromWeb(body)
    },
    remove: async (name) => void (await bucket.deleteObject(name)),
    list: async () => {
      const found = (await bucket.listObjects('/', PREFIX)) ?? []
      return found
        .filter(({ Key }) => BACKUP_FILE.test(Key))
        .map(({ Key, Size }) => ({ name: Key, bytes: Size }))
    },
  }
}
