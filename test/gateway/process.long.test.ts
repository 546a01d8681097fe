import { describe, expect, test } from 'vitest'
import { canHaveFaultyDisk, faultyDisk } from '../support/faulty-disk.ts'
import { download, gatewayProcess, isReady, opened } from '../support/gateway.ts'
import { PATIENCE } from '../support/patience.ts'
import { temporaryDirectory } from '../support/service.ts'
import { MB, shopAndOrigin } from './serving.ts'

describe.runIf(canHaveFaultyDisk)('a disk that is full', () => {
  test.each(['full', 'broken'] as const)('(%s) stops nobody, and is told once', async (fault) => {
    const { shop, origin } = await shopAndOrigin(10 * MB)
    const data = await temporaryDirectory()
    const disk = faultyDisk(await temporaryDirectory())
    const gateway = await gatewayProcess({ shop, origin, data, env: disk.environment })
    await isReady(gateway)
    disk.become(fault)
    const first = await download(await opened(gateway, 'alice'), MB)
    await expect.poll(() => shop.used('alice'), PATIENCE).toBe(first)
    await expect.poll(() => gateway.output(), PATIENCE).toContain('the journal of usage cannot be written')
    disk.recover()
    const second = await download(await opened(gateway, 'alice'), MB)
    await expect.poll(() => shop.used('alice'), PATIENCE).toBe(first + second)
    await expect.poll(() => gateway.output(), PATIENCE).toContain('the journal of usage can be written again')
    expect(gateway.output().match(/cannot be written/g)).toHaveLength(1)
    await gateway.kill()
    // Numbers that were given while the disk was full are in the journal now.
    const next = await gatewayProcess({ shop, origin, data })
    await isReady(next)
    expect(await download(await opened(next, 'alice'), 20 * MB)).toBe(10 * MB - first - second)
  })
})
