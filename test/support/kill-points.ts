import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryDirectory } from './service.ts'
import { TETHER } from './tethered.ts'

const WATCH = new URL('kill-point.mjs', import.meta.url).href

/** The point at which a process ends: with the statement of the count that fits. */
export interface KillPoint {
  /** Regular expression. */
  readonly statement: string
  readonly count: number
  /** Right before the statement, or as soon as it is committed. */
  readonly moment: 'before' | 'committed'
  /** Regular expression of a statement that comes first: those before it do not count. */
  readonly after?: string
}

/** Lets a process of the product end at exact points of its work, as by a power cut. */
export async function killPoints() {
  const file = join(await temporaryDirectory(), 'kill-point')
  return {
    /** For the environment of the process. */
    settings: { KILL_POINT: file, NODE_OPTIONS: `${TETHER} --import ${WATCH}` },
    set: (point: KillPoint) => writeFileSync(file, JSON.stringify(point)),
    /** Whether the process has not come to the point yet. */
    isSet: () => existsSync(file),
    clear: () => rmSync(file, { force: true }),
  }
}
