/** The floor of the gateway benchmark: a proxy as Node's documentation of `http` writes it. It asks for no password and counts nothing. */
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'

const server = createServer()
server.on('connect', ({ url = '' }, client, head) => {
  const [host = '', port] = url.split(':')
  const target = connect(Number(port), host, () => {
    client.write('HTTP/1.1 200 Connection established\r\n\r\n')
    target.write(head)
    target.pipe(client)
    client.pipe(target)
  })
  target.on('error', () => client.destroy())
  client.on('error', () => target.destroy())
})
server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, () =>
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
)
