import { randomBytes } from 'node:crypto'
import { expect, it, vi } from 'vitest'
import { SHELL } from '../src/core/people/operator.ts'
import { descendantsOf } from './support/gateway-process.ts'
import { PATIENCE } from './support/patience.ts'
import { operator } from './support/processes.ts'
import { AGENT } from './support/product.ts'
import { startS3, startS3ThatHoldsParts } from './support/s3.ts'
import { openShopToKill } from './support/shop-to-kill.ts'

const SETTINGS = { OPERATOR_CHAT_IDS: '77', BACKUP_KEY: 'a-passphrase-of-the-tests-that-is-long' }
const FILE = /^reseller-[\dTZ-]+\.db\.gz\.age$/

it.skipIf(process.platform !== 'linux')(
  'a kill in the middle of an upload in parts leaves nothing that is listed, and the next backup works',
  async () => {
    const shop = await openShopToKill([AGENT], SETTINGS, (core) => core.operator.backups.request(SHELL))
    const { rows, change } = shop.beside
    // Larger than one part.
    await change("INSERT INTO settings VALUES ('large', ?)", randomBytes(21_000_000).toString('hex'))
    const { env } = await startS3()
    const storage = await startS3ThatHoldsParts(env)
    const product = await shop.start(storage.env)
    await vi.waitUntil(() => storage.held() === 1, PATIENCE)
    const [maker = 0] = descendantsOf(product.pid)
    // Stopped, it cannot end by itself, and tidy up, before it is killed.
    process.kill(maker, 'SIGSTOP')
    process.kill(product.pid, 'SIGKILL')
    process.kill(maker, 'SIGKILL')

    const stored = async () => {
      const options = { database: shop.database, env: { ...SETTINGS, ...env } }
      const { items } = JSON.parse((await operator(['backup', 'list', '--json'], options)).stdout) as {
        items: { name: string; place: string; verified: boolean | null }[]
      }
      return items.filter(({ place }) => place === 's3')
    }
    expect(await stored()).toEqual([])

    await shop.start(env)
    const attempts = () => rows('SELECT problem, places FROM backups')
    await vi.waitUntil(async () => (await attempts()).length === 1, PATIENCE)
    expect(await attempts()).toEqual([{ problem: null, places: '["folder","s3"]' }])
    expect(await stored()).toMatchObject([{ name: expect.stringMatching(FILE) as string, verified: true }])
  },
)
