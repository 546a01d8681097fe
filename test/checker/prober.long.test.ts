import { expect, test } from 'vitest'
import { testProxy } from '../support/test-proxy.ts'
import { runningMs } from '../support/times.ts'
import { echoing, GOOD } from './echoing.ts'

test('a proxy that never answers costs at most 15 seconds', async () => {
  const { prober } = await echoing()
  const proxy = await testProxy()
  proxy.fault = 'hang'
  const begun = runningMs()
  const probe = await prober.probe({ ip: '127.0.0.1', port: proxy.port, ...GOOD })
  expect(probe).toMatchObject({ stage: 'handshake', reason: 'timeout' })
  expect(runningMs() - begun).toBeLessThan(15_000)
})
