import { halfWidth } from '../../core/half-width.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

const TYPED =
  /^(?:(?<day>\d{4}-\d{1,2}-\d{1,2})[ T]+)?(?<hour>\d{1,2}):(?<minute>\d{2}) *(?:UTC)? *(?<offset>[+-]\d{1,2}(?::\d{2})?)?$/i

/**
 * A time that was typed: `2026-11-24 09:30`, or `09:30` for the next time that it is so late; in UTC, or with its distance from it
 * (`+8`, `-5:30`).
 *
 * @returns undefined for what is no time
 */
export function momentOf(text: string, now: Date): Date | undefined {
  const { day, hour, minute, offset } = TYPED.exec(halfWidth(text).trim())?.groups ?? {}
  if (hour === undefined || Number(hour) > 23 || Number(minute) > 59) return undefined
  const offsetMs = offsetOf(offset)
  const clock = (Number(hour) * 60 + Number(minute)) * MINUTE_MS - offsetMs
  if (day !== undefined) {
    const midnight = midnightOf(day)
    return midnight === undefined ? undefined : new Date(midnight + clock)
  }
  const local = now.getTime() + offsetMs
  const today = local - (local % DAY_MS) + clock
  return new Date(today > now.getTime() ? today : today + DAY_MS)
}

/** 9:00 UTC of the next day. */
export function nextMorning(now: Date): Date {
  return new Date(now.getTime() - (now.getTime() % DAY_MS) + DAY_MS + 9 * 60 * MINUTE_MS)
}

/** Undefined for a day that the calendar does not have. */
function midnightOf(day: string): number | undefined {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const midnight = new Date(Date.UTC(year, month - 1, date))
  return midnight.getUTCMonth() === month - 1 && midnight.getUTCDate() === date
    ? midnight.getTime()
    : undefined
}

function offsetOf(offset = '+0'): number {
  const [hours = '0', minutes = '0'] = offset.slice(1).split(':')
  return (offset.startsWith('-') ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * MINUTE_MS
}
