import { halfWidth } from '../../core/half-width.ts'
import { dayIn, isTimeZone, momentAt, onClock, type TimeZone } from '../../core/time-zone.ts'
import { dayTyped } from './typed-day.ts'
import { typedWords } from './typed-words.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

const HALF = typedWords('forenoon', 'afternoon')
const AFTERNOON = new RegExp(`^(?:${typedWords('afternoon')})$`, 'i')
const CLOCK = new RegExp(
  String.raw`^(?<day>.*?)[ T,]*(?:(?<=^|[ ,])(?:${typedWords('at')}) *)?(?<half>${HALF})? *(?<hour>\d{1,2}) *(?<mark>[:点](?<minute>\d{2}|半)?分?)? *(?<suffix>${HALF})? *(?:UTC)? *(?<offset>[+-]\d{1,2}(?::\d{2})?)?$`,
  'i',
)

/**
 * A time that was typed: `2026-11-24 09:30`, `24 Nov 9:30 pm`, `明天9点半`, `завтра в 9:30`, or `09:30` for the next time that it is so late; in a
 * time zone, or with its distance from UTC (`+8`, `-5:30`).
 *
 * @returns undefined for what is no time
 */
export function momentOf(text: string, now: Date, zone: TimeZone): Date | undefined {
  const plain = halfWidth(text).trim()
  const groups = CLOCK.exec(plain)?.groups
  if (!groups) return undefined
  const { day = '', hour = '', mark, minute = '0', offset } = groups
  const half = groups['half'] ?? groups['suffix']
  if (mark === undefined && half === undefined) return undefined
  const typed = Number(hour)
  const hours = half === undefined ? typed : (typed % 12) + (AFTERNOON.test(half) ? 12 : 0)
  const minutes = minute === '半' ? 30 : Number(minute)
  if (hours > 23 || minutes > 59 || (half !== undefined && typed > 12)) return undefined
  const where = offset === undefined ? zone : distance(offset)
  if (!isTimeZone(where)) return undefined
  const at = (date: string) =>
    momentAt(where, new Date(Date.parse(date) + (hours * 60 + minutes) * MINUTE_MS))
  const today = dayIn(where, now)
  if (day !== '') {
    const date = dayTyped(day, today)
    return date === undefined ? undefined : at(date)
  }
  const next = at(today)
  return next > now ? next : at(dayIn('UTC', new Date(Date.parse(today) + DAY_MS)))
}

/** 9:00 of the next day in a time zone. */
export function nextMorning(now: Date, zone: TimeZone): Date {
  const clock = onClock(zone, now).getTime()
  return momentAt(zone, new Date(clock - (clock % DAY_MS) + DAY_MS + 9 * 60 * MINUTE_MS))
}

/** `+8`, `-5:30` as a time zone. */
function distance(offset: string): TimeZone {
  const [hours = '', minutes = '00'] = offset.slice(1).split(':')
  return `${offset.slice(0, 1)}${hours.padStart(2, '0')}:${minutes}`
}
