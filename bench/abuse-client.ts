/**
 * A client that means harm, as a process of its own: opens connections, sends the same request many times on each at once, and
 * reads what comes back slowly or not at all. Says `sent` when all of it is on its way; ends, connections included, with its input.
 *
 * Arguments: port, number of connections, requests on each, `slowly` or `nothing`, the request as it goes over the wire.
 */
import { connect, type Socket } from 'node:net'

const [, , port, connections, requests, reading, request = ''] = process.argv
const READ_EVERY_MS = 500
const READ_BYTES = 2_048
/** Opened at a time: more than a listen queue holds would wait a second for their second try. */
const WAVE = 100

const flood = Buffer.from(request.repeat(Number(requests)))

function attack(): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(Number(port), '127.0.0.1')
    socket.pause()
    socket.on('error', () => {})
    socket.once('connect', () => socket.write(flood))
    socket.once('connect', () => resolve(socket))
    socket.once('close', () => resolve(socket))
  })
}

const sockets: Socket[] = []
process.stdin.resume().once('end', () => process.exit(0))
for (let opened = 0; opened < Number(connections); opened += WAVE) {
  const wave = Math.min(WAVE, Number(connections) - opened)
  sockets.push(...(await Promise.all(Array.from({ length: wave }, attack))))
}
if (reading === 'slowly') {
  setInterval(() => sockets.forEach((socket) => socket.read(READ_BYTES)), READ_EVERY_MS)
}
process.stdout.write('sent\n')
