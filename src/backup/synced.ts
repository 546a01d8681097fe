import { open } from 'node:fs/promises'

/** Waits until the names in a folder are on disk, so that they survive a power cut. */
export async function synced(folder: string): Promise<void> {
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
