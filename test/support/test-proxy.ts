import { type ProxyEmulatorOptions, startProxyEmulator } from '../../src/emulators/proxy/proxy-emulator.ts'
import { atTheEnd } from './clean-up.ts'

/** A real proxy on this machine that ends with the test; it takes `u0:secret`, as the stock of the tests has it. */
export async function testProxy(options: Partial<ProxyEmulatorOptions> = {}) {
  const proxy = await startProxyEmulator({
    accepts: (username, password) => username === 'u0' && password === 'secret',
    mayReach: () => true,
    ...options,
  })
  atTheEnd(() => proxy.close())
  return proxy
}

/** A port of this machine on which nothing listens. */
export async function closedPort(): Promise<number> {
  const proxy = await startProxyEmulator({ mayReach: () => false })
  await proxy.close()
  return proxy.port
}
