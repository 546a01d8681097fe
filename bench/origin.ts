/** What the tunnels of the benchmark lead to: asked for a number of bytes, in a line, it sends them and ends the connection. */
import { type AddressInfo, createServer, type Socket } from 'node:net'

const CHUNK = Buffer.alloc(1_048_576, 'x')

function send(socket: Socket, bytes: number): void {
  if (bytes <= CHUNK.length) socket.end(CHUNK.subarray(0, bytes))
  else socket.write(CHUNK, (error) => error ?? send(socket, bytes - CHUNK.length))
}

const server = createServer((socket) => {
  // Tunnels are broken off.
  socket.on('error', () => {})
  socket.once('data', (line) => send(socket, Number(line.toString())))
})
server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, () =>
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
)
