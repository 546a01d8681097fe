import { type AddressInfo, createServer } from 'node:net'
import { connectionTo, startProxyServer } from '../../src/emulators/proxy/proxy-server.ts'
import { atTheEnd } from './clean-up.ts'

type ProxyFault =
  /** Takes connections and never answers. */
  | 'hang'
  /** Ends each connection at once. */
  | 'close'
  /** Takes the credentials and reaches nothing. */
  | 'no_exit'
  /** Takes the credentials, and leads to somebody who answers in place of the target. */
  | 'wrong_answer'

interface TestProxyOptions {
  /** Whether it takes these credentials; by default those of the stock of the tests. */
  readonly accepts?: (username: string, password: string) => boolean
  readonly protocols?: readonly ('http' | 'socks5')[]
}

const WRONG_ANSWER = 'HTTP/1.1 200 OK\r\nContent-Length: 14\r\nConnection: close\r\n\r\n<html></html>\n'

/** A real proxy on this machine that ends with the test. Set `fault` to make it fail, and to undefined to repair it. */
export async function testProxy({
  accepts = (username, password) => username === 'u0' && password === 'secret',
  ...options
}: TestProxyOptions = {}) {
  const state = { fault: undefined as ProxyFault | undefined, connections: 0 }
  const server = await startProxyServer({
    ...options,
    admit: (socket) => {
      state.connections += 1
      if (state.fault === 'close') socket.destroy()
      return state.fault !== 'hang' && state.fault !== 'close'
    },
    login: (username, password) =>
      Promise.resolve(
        accepts(username, password)
          ? {
              reach: async (target) => {
                if (state.fault === 'no_exit') return 'unreachable'
                return connectionTo(state.fault === 'wrong_answer' ? await impostor() : target)
              },
            }
          : undefined,
      ),
  })
  atTheEnd(() => server.close())
  return Object.assign(state, { port: server.port })
}

/** Somebody who answers every request in the same way. */
async function impostor() {
  const server = createServer((socket) => socket.on('error', () => {}).end(WRONG_ANSWER))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atTheEnd(() => void server.close())
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port }
}
