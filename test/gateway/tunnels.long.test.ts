import { describe, expect, test } from 'vitest'
import { readPast, tunnel } from '../support/gateway-front.ts'
import { startWith } from './front-and-origin.ts'

describe('memory', () => {
  test('2,000 idle tunnels are kept', async () => {
    const { front } = await startWith((socket) => void socket.pipe(socket), {
      mostPerAccount: 2_000,
      mostPerAddress: 2_001,
    })
    const tunnels: Awaited<ReturnType<typeof tunnel>>[] = []
    for (let batch = 0; batch < 20; batch += 1) {
      tunnels.push(
        ...(await Promise.all(Array.from({ length: 100 }, () => tunnel(front.port, 'origin.test:80')))),
      )
    }
    expect(front.listener.figures()).toMatchObject({ connections: 2_000, accepted: 2_000 })
    expect((await tunnel(front.port, 'origin.test:80')).head).toContain(
      'X-Gateway-Error: too_many_connections',
    )
    const { socket } = tunnels[1_234]!
    socket.write('still there')
    expect(await readPast(socket, 'there')).toBe('still there')
  })
})
