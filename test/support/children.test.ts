import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { atTheEnd } from './clean-up.ts'
import { startChild } from './children.ts'

/** A process that starts another one as tests do, which connects to a port and stays. */
const parentOf = (port: number) => `
  import { spawnTethered } from './test/support/tethered.ts'
  spawnTethered(process.execPath, ['-e', "require('net').connect(${port}, '127.0.0.1').resume()"])`

test('What a test has started does not outlive the process of the test, not even when that is killed', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  atTheEnd(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const parent = startChild(process.execPath, [
    '--import',
    'tsx',
    '--input-type=module',
    '-e',
    parentOf(port),
  ])
  const [connection] = (await once(server, 'connection')) as [Socket]
  const ended = once(connection, 'close')
  expect(parent.kill('SIGKILL')).toBe(true)
  await ended
})
