/** proxy-chain, the usual proxy of Node, with a password. It counts the bytes of a connection by itself, but knows no quota. */
import { Server } from 'proxy-chain'

const { PROXY_USERNAME, PROXY_PASSWORD } = process.env

const server = new Server({
  port: 0,
  host: '127.0.0.1',
  prepareRequestFunction: ({ username, password }) => ({
    requestAuthentication: username !== PROXY_USERNAME || password !== PROXY_PASSWORD,
  }),
})
await server.listen()
console.log(`http://127.0.0.1:${server.port}`)
