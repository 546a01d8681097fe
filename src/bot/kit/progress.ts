import type { Texts } from '../texts/index.ts'
import { html, type Html } from '../texts/html.ts'
import { drawnBar } from './bar.ts'

/** How far work of many steps has come. */
export interface Progress {
  readonly done: number
  readonly total: number
  /** When the first step began; undefined where it is not known, or none has begun. */
  readonly since: Date | undefined
}

const CELLS = 6
const SECOND_MS = 1_000
/** A rate of less time than this says nothing yet. */
const MEASURED_MS = 2 * SECOND_MS

/** How far work is, and how long the rest takes at the rate so far: `▰▰▰▱▱▱ 48 of 100 · about 20 s` (rules 18.13). */
export function progressLine({ progress }: Texts, work: Progress, now: Date): Html {
  const { done, total } = work
  const seconds = secondsLeft(work, now)
  const line = `${drawnBar(total > 0 ? done / total : 0, CELLS)} ${progress.of(done, total)}`
  return html`${line}${seconds === undefined ? '' : ` · ${progress.left(seconds)}`}`
}

/** Undefined while the rate is not known. */
function secondsLeft({ done, total, since }: Progress, now: Date): number | undefined {
  const elapsedMs = since ? now.getTime() - since.getTime() : 0
  if (done <= 0 || done >= total || elapsedMs < MEASURED_MS) return undefined
  return Math.ceil(((elapsedMs / done) * (total - done)) / SECOND_MS)
}
