/**
 * A network between a server on this machine and who talks to it, in a process of its own: what the server answers arrives so many
 * milliseconds later. Arguments: the server's port, the milliseconds.
 */
import { connect, createServer, type AddressInfo } from 'node:net'

const [, , port, ms] = process.argv

const proxy = createServer({ noDelay: true }, (near) => {
  const far = connect({ host: '127.0.0.1', port: Number(port), noDelay: true })
  near.pipe(far)
  // Timers of the same length fire in the order in which they were set.
  far.on('data', (chunk) => void setTimeout(() => near.write(chunk), Number(ms)))
  far.on('close', () => near.destroy())
  near.on('close', () => far.destroy())
  for (const socket of [near, far]) socket.on('error', () => {})
})
proxy.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}\n`)
})
