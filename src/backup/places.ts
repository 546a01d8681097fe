import { chat } from './chat.ts'
import { folder } from './folder.ts'
import type { Place } from './place.ts'
import { s3 } from './s3.ts'
import type { BackupSettings } from './settings.ts'

/** Returns the places where backups are stored, the nearest first. */
export function placesOf({ directory, s3: bucket, chat: room }: BackupSettings): Place[] {
  return [folder(directory), ...(bucket ? [s3(bucket)] : []), ...(room ? [chat(room)] : [])]
}
