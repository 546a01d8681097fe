import { textsOf } from '../../src/bot/texts/index.ts'
/** Milliseconds that something takes. */
export async function timeOf(work: () => unknown): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

const TICK_MS = 10
let ran = 0
let ticks: NodeJS.Timeout | undefined

/**
 * Milliseconds of a clock that stands still while this process does: when the whole machine pauses, or others have it. For limits of
 * seconds that hold for timers and for other processes, which cannot run then, either; not for work that may block this process.
 */
export function runningMs(): number {
  ticks ??= setInterval(() => void (ran += TICK_MS), TICK_MS).unref()
  return ran
}

/**
 * How long several things take, as milliseconds in the order of `works`. They are done in turns, and the fastest turn of each
 * counts: whatever else the machine does only adds to the others, so that these times can be compared on a busy machine, too.
 *
 * @param turns how often each is done
 */
export async function fastestOf(turns: number, ...works: readonly (() => unknown)[]): Promise<number[]> {
  const fastest = works.map(() => Infinity)
  for (let turn = 0; turn < turns; turn += 1)
    for (const [index, work] of works.entries())
      fastest[index] = Math.min(fastest[index] ?? Infinity, await timeOf(work))
  return fastest
}

/** Moments as the bot writes them in English for whoever has chosen no time zone. */
export const english = textsOf({ chatId: 1, language: 'en', timeZone: null })
