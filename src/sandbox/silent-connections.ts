import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Lets a server close in spite of connections without a request so far: it would wait for their first request.
 * The bot and this server are one process, and the bot's HTTP client (Node's fetch) connects anew when its long poll is
 * aborted, without sending a request.
 */
export function endSilentConnections(server: FastifyInstance): void {
  const silent = new Set<Socket>()
  let closing = false
  server.server.on('connection', (socket: Socket) => {
    if (closing) return socket.destroy()
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  server.server.on('request', ({ socket }: IncomingMessage) => silent.delete(socket))
  server.addHook('preClose', async () => {
    closing = true
    for (const socket of silent) socket.destroy()
  })
}
