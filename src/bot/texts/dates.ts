import { dayIn, offsetAt, onClock, type TimeZone } from '../../core/time-zone.ts'

/** How a language writes days and times; months are 1 to 12. */
export interface Calendar {
  day(year: number, month: number, day: number): string
  /** Without the year. */
  shortDay(month: number, day: number): string
  dateTime(day: string, time: string): string
  withZone(dateTime: string, zone: string): string
  /** Names of time zones that people know better by name than by the distance from UTC. */
  readonly zones: Readonly<Record<string, string>>
}

/** Moments as a chat shows them: in its time zone, as its language writes them (rules 18.6). */
export interface Dates {
  readonly zone: TimeZone
  /** The zone as people name it at a moment: by a known name, or by its distance from UTC, such as `UTC+5:30`. */
  readonly zoneName: (at: Date) => string
  /** Day, hour and minute; the zone is named where nobody has chosen it. */
  readonly dateTime: (at: Date) => string
  /** Day, hour and minute, always with the zone: for what other people read, too. */
  readonly zonedTime: (at: Date) => string
  /** Hour and minute. */
  readonly time: (at: Date) => string
  readonly date: (at: Date) => string
  /** A day on a label: the year is named where it is not the current one. */
  readonly shortDate: (at: Date, now: Date) => string
  /** A calendar day given as `YYYY-MM-DD`, such as one of the books in UTC. */
  readonly day: (day: string) => string
  /** The same without the year. */
  readonly shortDay: (day: string) => string
}

/**
 * @param named whether {@link Dates.dateTime} names the zone
 */
export function datesIn(calendar: Calendar, zone: TimeZone, named: boolean): Dates {
  const day = (text: string) => calendar.day(...partsOf(text))
  const shortDay = (text: string) => {
    const [, month, date] = partsOf(text)
    return calendar.shortDay(month, date)
  }
  const time = (at: Date) => onClock(zone, at).toISOString().slice(11, 16)
  const local = (at: Date) => calendar.dateTime(day(dayIn(zone, at)), time(at))
  const zoneName = (at: Date) => calendar.zones[zone] ?? utcOffset(offsetAt(zone, at))
  const zonedTime = (at: Date) => calendar.withZone(local(at), zoneName(at))
  return {
    zone,
    zoneName,
    dateTime: named ? zonedTime : local,
    zonedTime,
    time,
    date: (at) => day(dayIn(zone, at)),
    shortDate: (at, now) => {
      const [text, today] = [dayIn(zone, at), dayIn(zone, now)]
      return text.slice(0, 4) === today.slice(0, 4) ? shortDay(text) : day(text)
    },
    day,
    shortDay,
  }
}

/** `UTC`, `UTC+8`, `UTC-3:30` */
export function utcOffset(offsetMs: number): string {
  const minutes = Math.abs(Math.round(offsetMs / 60_000))
  if (minutes === 0) return 'UTC'
  const rest = minutes % 60
  const hours = `${offsetMs < 0 ? '-' : '+'}${Math.floor(minutes / 60)}`
  return rest === 0 ? `UTC${hours}` : `UTC${hours}:${String(rest).padStart(2, '0')}`
}

function partsOf(day: string): [year: number, month: number, day: number] {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  return [year, month, date]
}
