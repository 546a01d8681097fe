import { describe, expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '../../src/core/database/database.ts'
import { beside } from '../support/beside.ts'
import { emptyPostgres } from '../support/postgres.ts'
import { openBreakableNetwork } from './breakable-network.ts'
import { openOwnPostgres } from './own-postgres.ts'
import { withoutPostgres } from './several-shop.ts'

describe.skipIf(withoutPostgres)('a PostgreSQL database', () => {
  it('is made by whichever of several servers comes first', { timeout: 120_000 }, async () => {
    const url = await emptyPostgres()
    const opened = await Promise.allSettled(Array.from({ length: 4 }, () => openDatabase(url)))
    for (const result of opened) if (result.status === 'fulfilled') onTestFinished(() => result.value.close())
    expect(opened.filter(({ status }) => status === 'rejected')).toEqual([])
  })

  it('is refused when it is older than PostgreSQL 15', async () => {
    const url = await emptyPostgres()
    const { rows } = await beside({ database: url })
    const [version] = await rows<{ number: string }>("SELECT current_setting('server_version_num') AS number")
    const number = version?.number ?? ''
    // An old server can hardly be installed: the one that is there says that it is one.
    const old = await openBreakableNetwork(url, (sent) =>
      Buffer.from(sent.toString('latin1').replaceAll(number, '140020'), 'latin1'),
    )
    await expect(openDatabase(old.url)).rejects.toThrow('PostgreSQL 15 or newer is needed')
  })

  it('is refused when its encoding is not UTF-8', async () => {
    const url = await emptyPostgres("ENCODING 'LATIN1' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'")
    await expect(openDatabase(url)).rejects.toThrow('its encoding must be UTF8, and is LATIN1')
  })

  it('is refused when it is a standby', async () => {
    const standby = await (await openOwnPostgres()).startStandby()
    await expect(openDatabase(standby.url)).rejects.toThrow('it is a standby, which cannot be written')
  })
})
