import type { Socket } from 'node:net'

const MAX_BYTES = 16_384

/**
 * Reads from a connection until `parse` finds what it wants; bytes behind that stay for whoever reads next.
 *
 * @param parse returns undefined while more is needed, otherwise the result and its length in bytes
 * @throws when the connection ends before, or sends too much
 */
export function readUntil<T>(
  socket: Socket,
  parse: (bytes: Buffer) => { readonly result: T; readonly length: number } | undefined,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let bytes = Buffer.alloc(0)
    const stop = () => {
      socket.off('readable', read)
      socket.off('end', fail)
      socket.off('close', fail)
    }
    const fail = () => {
      stop()
      reject(new Error('the connection ended'))
    }
    const read = () => {
      for (let chunk = socket.read() as Buffer | null; chunk; chunk = socket.read() as Buffer | null) {
        bytes = Buffer.concat([bytes, chunk])
        const parsed = parse(bytes)
        if (parsed) {
          stop()
          if (parsed.length < bytes.length) socket.unshift(bytes.subarray(parsed.length))
          resolve(parsed.result)
          return
        }
        if (bytes.length > MAX_BYTES) return fail()
      }
    }
    socket.on('readable', read)
    socket.once('end', fail)
    socket.once('close', fail)
    read()
  })
}
