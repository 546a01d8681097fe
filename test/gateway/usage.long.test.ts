import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { download, opened, testGateway } from '../support/gateway.ts'
import { PATIENCE } from '../support/patience.ts'
import { bytesIn, MB, sequences, serving, upTo } from './serving.ts'

describe('what was used', () => {
  test('is counted once by a shop that was put back to an earlier day', async () => {
    const { shop, gateway } = await serving()
    const first = await download(await opened(gateway, 'alice'), MB)
    await expect.poll(() => shop.used('alice'), PATIENCE).toBe(first)
    // While it is put back, it does not answer: this gateway begins a new journal afterwards, and ends its tunnels for that.
    shop.fault = 'down'
    shop.hangUp()
    shop.forget(0)
    const second = await download(await opened(gateway, 'alice'), MB)
    shop.fault = undefined
    await expect.poll(() => shop.used('alice'), PATIENCE).toBe(first + second)
    const [before = [], after = []] = sequences(shop)
    expect([before, after]).toEqual([upTo(before.length), upTo(after.length)])
    expect(after.length).toBeGreaterThan(0)
  })

  test('is counted when the journal was lost', async () => {
    const { shop, origin, gateway } = await serving()
    const journal = join(gateway.data, 'journal')
    const copy = await readFile(journal)
    const first = await download(await opened(gateway, 'alice'), MB)
    await gateway.stop()
    await writeFile(journal, copy)
    const next = await testGateway({ shop, origin, data: gateway.data })
    await next.isReady()
    const second = await download(await opened(next, 'alice'), MB)
    await expect.poll(() => shop.used('alice'), PATIENCE).toBe(first + second)
  })

  test('in a journal whose last line was cut off is dropped with that line only', async () => {
    const { shop, origin, gateway } = await serving()
    const socket = await opened(gateway, 'alice')
    shop.fault = 'down'
    shop.hangUp()
    const bytes = await download(socket, MB)
    await gateway.stop()
    const journal = join(gateway.data, 'journal')
    const text = await readFile(journal, 'utf8')
    expect(bytesIn(text)).toBe(bytes)
    await writeFile(journal, `${text}{"sequence":99,"items":[{"acc`)
    shop.fault = undefined
    await testGateway({ shop, origin, data: gateway.data })
    await expect.poll(() => shop.used('alice'), PATIENCE).toBe(bytes)
  })
})
