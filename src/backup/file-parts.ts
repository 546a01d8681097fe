import { open } from 'node:fs/promises'

/** Yields the content of a file in parts, all but the last of which have this size. */
export async function* fileParts(path: string, size: number): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const file = await open(path)
  try {
    for (;;) {
      const part = new Uint8Array(size)
      let filled = 0
      while (filled < size) {
        const { bytesRead } = await file.read(part, filled, size - filled)
        if (bytesRead === 0) break
        filled += bytesRead
      }
      if (filled > 0) yield part.subarray(0, filled)
      if (filled < size) return
    }
  } finally {
    await file.close()
  }
}
