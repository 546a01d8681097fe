import { createHash } from 'node:crypto'
import { mkdir, realpath } from 'node:fs/promises'
import { createServer } from 'node:net'
import { OperatorError } from '../core/operator-error.ts'

/**
 * Makes sure that one gateway at a time works with a folder: two would give the same numbers to different batches, and the shop would
 * count one of them only. On Linux by a socket without a file, which the system removes however the process ends.
 *
 * @returns a function that frees the folder
 * @throws OperatorError when another gateway has it, or it cannot be made
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const path = await made(folder)
  if (process.platform !== 'linux') return async () => {}
  const name = createHash('sha256').update(path).digest('hex')
  const server = createServer((socket) => socket.destroy()).unref()
  await new Promise<void>((resolve, reject) => {
    server.once('error', () =>
      reject(new OperatorError(`Another gateway is running with the folder ${path}.`)),
    )
    server.listen(`\0proxy-reseller-gateway-${name}`, resolve)
  })
  return () => new Promise((resolve) => void server.close(() => resolve()))
}

async function made(folder: string): Promise<string> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    return await realpath(folder)
  } catch (error) {
    throw new OperatorError(`The folder ${folder} cannot be made: ${(error as Error).message}`, {
      cause: error,
    })
  }
}
