/** A time zone of the IANA database, such as `Asia/Shanghai`, or a fixed distance from UTC, such as `+05:30`. */
export type TimeZone = string

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** The ends of the world, such as Kiribati. */
const FARTHEST_MS = 14 * 60 * MINUTE_MS

/** Making one takes 0.2 ms, using it 2 µs. Holds zones that exist only, so its size is bounded. */
const clocks = new Map<TimeZone, Intl.DateTimeFormat>()

/** Whether a text names a time zone. */
export function isTimeZone(text: string): boolean {
  if (fixedOffset(text) !== undefined) return true
  // Distances, which not every version of Node knows, are read by us; names have letters.
  if (!/^[A-Za-z]/.test(text)) return false
  try {
    return clockOf(text) !== undefined
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/** How far the clocks of a zone are ahead of UTC at a moment, in milliseconds. */
export function offsetAt(zone: TimeZone, at: Date): number {
  return fixedOffset(zone) ?? offsetIn(clockOf(zone).format(at))
}

/** The moment at which clocks of a zone show this; where they show it twice, the first time, and where they skip it, the time after. */
export function momentAt(zone: TimeZone, wallClock: Date): Date {
  const [before, after] = [-DAY_MS, DAY_MS].map((by) =>
    offsetAt(zone, new Date(wallClock.getTime() + by)),
  ) as [number, number]
  const early = new Date(wallClock.getTime() - Math.max(before, after))
  return onClock(zone, early).getTime() === wallClock.getTime()
    ? early
    : new Date(wallClock.getTime() - Math.min(before, after))
}

/** What the clocks of a zone show at a moment, as if they showed UTC. */
export function onClock(zone: TimeZone, at: Date): Date {
  return new Date(at.getTime() + offsetAt(zone, at))
}

/** The day of a moment in a zone, as `YYYY-MM-DD`. */
export function dayIn(zone: TimeZone, at: Date): string {
  return onClock(zone, at).toISOString().slice(0, 10)
}

/** The moment at which a day begins in a zone. */
export function startOfDay(zone: TimeZone, day: string): Date {
  return momentAt(zone, new Date(`${day}T00:00:00.000Z`))
}

function clockOf(zone: TimeZone): Intl.DateTimeFormat {
  const known = clocks.get(zone)
  if (known) return known
  const clock = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
  clocks.set(zone, clock)
  return clock
}

/** Undefined for what is no distance that a zone can have. */
function fixedOffset(zone: TimeZone): number | undefined {
  if (zone === 'UTC') return 0
  const offset = /^[+-]\d\d:[0-5]\d$/.test(zone) ? offsetIn(`GMT${zone}`) : undefined
  return offset !== undefined && Math.abs(offset) <= FARTHEST_MS ? offset : undefined
}

/** Of a text that ends like `GMT+05:30`. */
function offsetIn(text: string): number {
  const [, sign = '+', hours = '0', minutes = '0', seconds = '0'] =
    /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(text) ?? []
  const ms = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
  return sign === '-' ? -ms : ms
}
