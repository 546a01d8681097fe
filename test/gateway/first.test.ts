import { expect, test } from 'vitest'
import { finished, startChild } from '../support/children.ts'
import { basic, connectTo, readAll, startFront, startWebOrigin, tunnel } from '../support/gateway-front.ts'

test('curl', async () => {
  const origin = await startWebOrigin((q, s) => void s.end(`hello ${q.url} ${JSON.stringify(q.rawHeaders)}`))
  const front = await startFront({ known: { 'origin.test': { address: '127.0.0.1', port: origin.port } } })
  for (const args of [
    ['-x', front.proxy(), 'http://origin.test/a?b'],
    ['-p', '-x', front.proxy(), 'http://origin.test/a?b'],
    ['--socks5-hostname', `127.0.0.1:${front.port}`, '--proxy-user', 'alice:secret', 'http://origin.test/a?b'],
    ['-x', front.proxy(), '--proxy-anyauth', 'http://origin.test/a?b'],
    ['-p', '-x', front.proxy(), '--proxy-anyauth', 'http://origin.test/a?b'],
    ['-x', front.proxy(), '-d', 'a=b', 'http://origin.test/a?b'],
    ['-x', front.proxy(), '-d', 'a=b', '-H', 'Transfer-Encoding: chunked',  '-H', 'Expect: 100-continue', 'http://origin.test/a?b'],
    ['-x', front.proxy('alice','wrong'), '-i', 'http://origin.test/a?b'],
    ['-p', '-x', front.proxy('alice','wrong'), '-i', 'http://origin.test/a?b'],
    ['-x', front.proxy(), '-i', 'http://127.1:22/a?b'],
  ]) {
    const r = await finished(startChild('curl', ['-sS', '--noproxy', '', '-m', '5', ...args]))
    console.log(args.join(' '), r)
  }
  const b = front.meters.drain(1).items
  console.log(JSON.stringify(b), origin.received() + origin.sent(), front.listener.figures())
  expect(1).toBe(1)
})
