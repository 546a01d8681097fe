/** Makes one backup, in a process of its own: it takes long, and must not share one with a connection to the database. */
import { setPriority } from 'node:os'
import { leaveWasmUnoptimized } from '../lean-wasm.ts'
import { makeBackup } from './make-backup.ts'
import type { BackupSettings } from './settings.ts'

// The copy holds passwords of proxies: its files are readable by their owner only.
process.umask(0o077)
leaveWasmUnoptimized()
// A low priority: the service goes first.
setPriority(10)
// The process that asked for the backup is gone.
process.once('disconnect', () => process.exit(1))
process.once('message', (message) => {
  const { settings, name } = message as { readonly settings: BackupSettings; readonly name: string }
  void makeBackup(settings, name).then((made) => process.send?.(made, () => process.disconnect()))
})
