import { EventEmitter, once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { endSilentConnections } from '../../src/sandbox/silent-connections.ts'

it('a server closes at once though somebody has connected and asked nothing, and answers who has asked', async () => {
  const server = Fastify()
  const events = new EventEmitter()
  await server.register(async (scope) => {
    scope.get('/', async () => {
      events.emit('asked')
      await once(events, 'answer')
      return 'here you are'
    })
  })
  endSilentConnections(server)
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as AddressInfo
  const silent = connect(port, '127.0.0.1')
  await once(silent, 'connect')
  const asked = once(events, 'asked')
  const answered = fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } })
  await asked
  const closed = server.close()
  await once(silent, 'close')
  events.emit('answer')
  expect(await (await answered).text()).toBe('here you are')
  await closed
})
