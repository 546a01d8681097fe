import type { Server } from 'node:http'

/**
 * Has a server answer clients that end their side once they have asked (`nc -N`), as RFC 9112, 9.6 allows them to. Without it, Node
 * takes them for gone while it still carries out what they asked for. The property is as old as Node's HTTP server, but in no type.
 */
export function answerHalfClosed(server: Server): void {
  Object.assign(server, { httpAllowHalfOpen: true })
}
