import { every } from '../jobs/every.ts'
import { readSetting, writeSetting } from '../database/settings.ts'
import { hashOf } from '../token-hash.ts'
import { happened } from '../facts/happened.ts'
import type { OperatorDeps } from './deps.ts'

const LOOK_MS = 60_000
const READ_EVERY_MS = 24 * 60 * 60_000
const SETTING = 'update_feed'

/** The last reading of the update feed; `feed` is the hash of its address. */
interface Reading {
  readonly feed: string
  /** ISO 8601. */
  readonly at: string
  readonly failed: boolean
  /** The newest version that was ever read there. */
  readonly newest: string | null
}

/** Makes the sweep of the loop that reads the update feed once a day, and tells the operator of a newer version, once (rules 9.12). */
export function newerVersionSweep(deps: OperatorDeps): () => Promise<void> {
  const { clock, db, machine } = deps
  return every(LOOK_MS, clock, async () => {
    if (!machine?.feed) return
    const last = await lastReading(deps)
    const now = clock.now()
    // The absolute value, so that a clock that was set back does not stop the readings.
    if (last && Math.abs(now.getTime() - Date.parse(last.at)) < READ_EVERY_MS) return
    const versions = await machine.feed.read()
    const newest = newestOf(versions ?? []) ?? last?.newest ?? null
    const reading: Reading = {
      feed: hashOf(machine.feed.url),
      at: now.toISOString(),
      failed: versions === undefined,
      newest,
    }
    await db.write(async (tx) => {
      await writeSetting(tx, SETTING, JSON.stringify(reading))
      if (newest === null || !isNewer(newest, machine.version)) return
      const data = { newest, running: machine.version }
      happened(tx, { kind: 'version_newer', subject: newest, data })
    })
  })
}

/** Returns the newer version that the update feed has, if there is one, and whether the last reading failed. */
export async function newerVersion(
  deps: Pick<OperatorDeps, 'db' | 'machine'>,
): Promise<{ readonly newer: string | null; readonly unread: boolean }> {
  const { newest = null, failed = false } = (await lastReading(deps)) ?? {}
  const isTold = newest !== null && isNewer(newest, deps.machine?.version ?? newest)
  return { newer: isTold ? newest : null, unread: failed }
}

/** Returns the last reading; undefined where there is no feed, or it was not read at this address. */
async function lastReading({
  db,
  machine,
}: Pick<OperatorDeps, 'db' | 'machine'>): Promise<Reading | undefined> {
  if (!machine?.feed) return undefined
  const text = await readSetting({ db }, SETTING)
  if (text === undefined) return undefined
  const reading = JSON.parse(text) as Reading
  return reading.feed === hashOf(machine.feed.url) ? reading : undefined
}

/** Returns the newest of the names that are versions: `1.2.0` or `v1.2.0`, not a pre-release (`1.2.0-rc.1`). */
function newestOf(names: readonly string[]): string | undefined {
  const versions = names.flatMap((name) => /^v?(\d{1,6}\.\d{1,6}\.\d{1,6})$/.exec(name)?.[1] ?? [])
  return versions.reduce<string | undefined>(
    (newest, version) => (newest === undefined || isNewer(version, newest) ? version : newest),
    undefined,
  )
}

function isNewer(version: string, than: string): boolean {
  const [a, b] = [version, than].map((text) => text.split('.').map(Number))
  const differs = a?.findIndex((part, at) => part !== b?.[at]) ?? -1
  return differs !== -1 && (a?.[differs] ?? 0) > (b?.[differs] ?? 0)
}
