import type { Server } from 'node:net'
import { acceptFast, type FastSocket, fromStream } from './fast-socket.ts'

/** Where Node tells a listening server about connections; private to Node. */
interface ListeningHandle {
  onconnection?: (this: ListeningHandle, error: number, connection?: object) => void
}

/** The versions of Node that were looked at: of this line there are no new ones, so that its insides stay as they are. */
const KNOWN_NODE = /^v20\./

/**
 * Hands the connections of a listening server over, half-open and without delay, but made of options that V8 copies in one step, and
 * read without the cost of a stream: see decision 12. Elsewhere than in Node 20 connections come as Node makes them.
 *
 * @param server listens already
 */
export function onAccepted(server: Server, accept: (connection: FastSocket) => void): void {
  const { _handle: handle } = server as Server & { readonly _handle?: ListeningHandle | null }
  const byNode = handle?.onconnection
  if (!handle || !byNode || !KNOWN_NODE.test(process.version))
    return void server.on('connection', (socket) => accept(fromStream(socket)))
  handle.onconnection = (error, connection) => {
    // An error, such as no descriptors left, is Node's to tell.
    if (error !== 0 || !connection) return byNode.call(handle, error, connection)
    accept(acceptFast(connection))
  }
}
