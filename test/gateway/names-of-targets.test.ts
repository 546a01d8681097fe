import { describe, expect, test } from 'vitest'
import type { GatewayExit } from '../../src/core/gateway/wire.ts'
import { DirectExit } from '../../src/gateway/exits/direct.ts'
import { createExits } from '../../src/gateway/exits/exits.ts'
import { TargetNames } from '../../src/gateway/exits/target-names.ts'
import { Targets } from '../../src/gateway/targets.ts'
import { startExit, startOrigin } from '../support/gateway.ts'
import { startFront, tunnel } from '../support/gateway-front.ts'

const PUBLIC = '93.184.216.34'

/** As seen by a gateway for which every address is on the public internet. */
class Elsewhere extends Targets {
  override mayReach(): boolean {
    return true
  }
}

interface Options {
  /** What the gateway's name servers say. */
  readonly names?: Readonly<Record<string, readonly string[]>>
  readonly exit?: Partial<GatewayExit>
  readonly targets?: Targets
}

/** A gateway whose only exit is a proxy on this machine. */
async function withExit({ names = {}, exit = {}, targets = new Targets() }: Options = {}) {
  const proxy = await startExit(await startOrigin())
  const asked: string[] = []
  const resolve = async (name: string) => {
    asked.push(name)
    const addresses = names[name]
    if (!addresses) throw Object.assign(new Error('unknown'), { code: 'ENOTFOUND' })
    return addresses
  }
  const only: GatewayExit = {
    id: 1,
    pool: 'dynamic_1',
    kind: 'proxy',
    url: proxy.url,
    country: null,
    city: null,
    template: null,
    status: 'active',
    ...exit,
  }
  const exits = createExits({
    choose: () => ({ exit: only, session: null }),
    observer: { opened: () => {}, failed: () => {}, carried: () => {} },
    direct: new DirectExit({ targets, resolve }),
    names: new TargetNames({ targets, resolve }),
  })
  const front = await startFront({ exits })
  return {
    proxy,
    asked,
    /** Why a tunnel is refused; undefined: it is open. */
    refusal: async (host: string) => {
      const { socket, head } = await tunnel(front.port, `${host}:80`)
      socket.destroy()
      return /X-Gateway-Error: (\w+)/.exec(head)?.[1]
    },
  }
}

describe('the name of a target', () => {
  test.each([['10.0.0.1'], [PUBLIC, '127.0.0.1'], ['::1']])(
    'that leads to %s is refused for a proxy, too, the second time without a question',
    async (...addresses) => {
      const { proxy, asked, refusal } = await withExit({ names: { 'rebind.example': addresses } })
      expect(await refusal('rebind.example')).toBe('target_refused')
      expect(await refusal('rebind.example')).toBe('target_refused')
      expect(asked).toHaveLength(1)
      expect(proxy.hosts).toEqual([])
    },
  )

  test('is not left to an exit beside this machine: it is asked for the address that was checked', async () => {
    const { proxy, refusal } = await withExit({ names: { 'site.example': [PUBLIC, '93.184.216.35'] } })
    expect(await refusal('site.example')).toBeUndefined()
    expect(proxy.hosts).toEqual([PUBLIC])
    expect(await refusal('unknown.example')).toBe('target_unreachable')
    expect(proxy.hosts).toHaveLength(1)
  })

  test('is left to an exit elsewhere, and so is one that is not known here', async () => {
    const { proxy, refusal } = await withExit({
      names: { 'site.example': [PUBLIC] },
      targets: new Elsewhere(),
    })
    expect(await refusal('site.example')).toBeUndefined()
    expect(await refusal('unknown.example')).toBeUndefined()
    expect(proxy.hosts).toEqual(['site.example', 'unknown.example'])
  })

  test('is not looked at for an exit that alone resolves names', async () => {
    const { proxy, asked, refusal } = await withExit({ exit: { remote_only: true } })
    expect(await refusal('hidden.onion')).toBeUndefined()
    expect(await refusal('intranet')).toBeUndefined()
    expect(proxy.hosts).toEqual(['hidden.onion', 'intranet'])
    expect(asked).toEqual([])
    expect(await refusal('localhost')).toBe('target_refused')
    expect(await refusal('10.0.0.1')).toBe('target_refused')
  })

  test.each(['direct', 'proxy', 'vendor'] as const)(
    'without a dot is refused for an exit that is %s',
    async (kind) => {
      const { asked, refusal } = await withExit({
        exit: { kind, template: kind === 'vendor' ? '{user}' : null },
      })
      expect(await refusal('intranet')).toBe('target_refused')
      expect(await refusal('intranet.')).toBe('target_refused')
      expect(asked).toEqual([])
    },
  )
})
