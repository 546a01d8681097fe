import { citiesCalled } from '../../../core/catalog/cities-called.ts'
import { countriesLike } from '../../../core/catalog/countries-like.ts'
import { cityName } from '../../../core/catalog/places.ts'
import { type Language, LANGUAGE_FACTS, LANGUAGES } from '../../../core/languages.ts'
import { fold } from '../../../core/catalog/places-like.ts'
import { halfWidth } from '../../../core/half-width.ts'
import { isTimeZone, offsetAt, type TimeZone } from '../../../core/time-zone.ts'
import { LOCALES } from '../../texts/index.ts'

/** Zones in which most customers live, from east to west. */
export const COMMON_ZONES: readonly TimeZone[] = [
  'Asia/Tokyo',
  'Asia/Shanghai',
  'Asia/Singapore',
  'Asia/Bangkok',
  'Asia/Kolkata',
  'Asia/Dubai',
  'Europe/Moscow',
  'Europe/Berlin',
  'Europe/London',
  'UTC',
  'America/Sao_Paulo',
  'America/New_York',
  'America/Chicago',
  'America/Los_Angeles',
]

/** UN/LOCODE of the city by which people know a zone, where the database names another. */
const KNOWN_BY: Readonly<Record<TimeZone, string>> = {
  'Asia/Shanghai': 'CNBJS',
  'Asia/Kolkata': 'INDEL',
  'Asia/Saigon': 'VNSGN',
  'Europe/Kiev': 'UAIEV',
}

/** Zones left out: all of China goes by Beijing time, whatever else the database lists. */
const NOT_OFFERED: ReadonlySet<TimeZone> = new Set(['Asia/Urumqi'])

const HALF_A_YEAR_MS = 182 * 24 * 60 * 60_000

/** The city that stands for a zone. */
export function zoneCity(zone: TimeZone, language: Language): string {
  const code = KNOWN_BY[zone] ?? citiesCalled(lastPart(zone))[0]
  return code === undefined ? lastPart(zone) : cityName(code, language)
}

/**
 * The zones that a typed text may mean: a distance from UTC (`+8`, `UTC-3:30`, `东八区`, `МСК+2`), a city, a country, or a name of the
 * IANA database (rules 18.6).
 *
 * @returns one zone when it is clear; for a country, all whose clocks differ, from west to east; none when the text names no zone
 */
export function zonesNamed(text: string, now: Date): readonly TimeZone[] {
  const plain = halfWidth(text).trim()
  const offset = offsetNamed(plain) ?? besideNamed(plain, now)
  if (offset !== undefined) return [offset]
  const wanted = fold(plain).replaceAll('_', ' ')
  const zone = [...COMMON_ZONES, ...Intl.supportedValuesOf('timeZone')].find((each) =>
    namesOf(each).some((name) => fold(name) === wanted),
  )
  if (zone !== undefined) return [zone]
  const cities = citiesCalled(plain)
  const [country, ...others] =
    cities.length > 0 ? new Set(cities.map((code) => code.slice(0, 2))) : countriesLike(plain)
  if (country !== undefined) return others.length === 0 ? differing(zonesOf(country), now) : []
  return Intl.supportedValuesOf('timeZone')
    .filter((each) => calledByIntl(each, wanted))
    .slice(0, 1)
}

/** Returns whether a language calls a zone so, by a city that has no name of ours, such as Екатеринбург. */
function calledByIntl(timeZone: TimeZone, wanted: string): boolean {
  return LANGUAGES.some((language) => {
    const { locale } = LANGUAGE_FACTS[language]
    const format = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'shortGeneric' })
    return format.formatToParts().some(({ type, value }) => type === 'timeZoneName' && fold(value) === wanted)
  })
}

/** A zone that people know by name, and hours that are put to it: `МСК`, `МСК+2`. */
function besideNamed(text: string, now: Date): TimeZone | undefined {
  const named = LANGUAGES.flatMap((language) => Object.entries(LOCALES[language].calendar.zones))
  const [zone, name] = named.find(([, each]) => fold(text).startsWith(fold(each))) ?? []
  if (zone === undefined || name === undefined) return undefined
  const rest = text.slice(name.length).trim()
  if (rest === '') return zone
  const [, hours] = /^([+\-−]\d{1,2})$/.exec(rest) ?? []
  if (hours === undefined) return undefined
  const minutes = offsetAt(zone, now) / 60_000 + Number(hours.replace('−', '-')) * 60
  return zoneAt(minutes < 0 ? '-' : '+', Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60)
}

function namesOf(zone: TimeZone): string[] {
  const codes = [KNOWN_BY[zone] ?? [], citiesCalled(lastPart(zone))].flat()
  const cities = codes.flatMap((code) => LANGUAGES.map((language) => cityName(code, language)))
  return [zone.replaceAll('_', ' '), lastPart(zone), ...cities]
}

/** Returns the best-known zone of each group whose clocks agree now and half a year from now. */
function differing(zones: readonly TimeZone[], now: Date): TimeZone[] {
  const later = new Date(now.getTime() + HALF_A_YEAR_MS)
  const rank = (zone: TimeZone) =>
    COMMON_ZONES.includes(zone) ? 0 : citiesCalled(lastPart(zone)).length > 0 ? 1 : 2
  const byClock = new Map<string, TimeZone>()
  // Best known last: it overwrites the others.
  for (const zone of zones.toSorted((one, other) => rank(other) - rank(one)))
    byClock.set(`${offsetAt(zone, now)} ${offsetAt(zone, later)}`, zone)
  return [...byClock.values()].toSorted((one, other) => offsetAt(one, now) - offsetAt(other, now))
}

/** `America/Argentina/La_Rioja` is La Rioja. */
function lastPart(zone: TimeZone): string {
  return (zone.split('/').at(-1) ?? '').replaceAll('_', ' ')
}

/** Returns the zones of a country. `Intl.Locale` has them as a getter in older versions of Node, as a method in newer ones. */
function zonesOf(country: string): readonly TimeZone[] {
  const locale: Intl.Locale & { readonly timeZones?: string[]; getTimeZones?(): string[] } = new Intl.Locale(
    `und-${country}`,
  )
  const zones = locale.getTimeZones?.() ?? locale.timeZones ?? []
  return zones.filter((zone) => !NOT_OFFERED.has(zone))
}

const CHINESE_DIGITS = '零一二三四五六七八九十'

function offsetNamed(text: string): TimeZone | undefined {
  const [, side, number] = /^([东東西])([零一二三四五六七八九十]{1,2}|\d{1,2})[区區]$/.exec(text) ?? []
  if (number !== undefined) return zoneAt(side === '西' ? '-' : '+', chineseNumber(number), 0)
  if (/^(?:utc|gmt)$/i.test(text)) return 'UTC'
  const [, sign = '+', hours, minutes = 0, half] =
    /^(?:utc|gmt)?\s*([+\-−])?\s*(\d{1,2})(?::?([0-5]\d)|(\.5))?$/i.exec(text) ?? []
  return hours === undefined
    ? undefined
    : zoneAt(sign === '+' ? '+' : '-', Number(hours), half === undefined ? Number(minutes) : 30)
}

/** `八`, `十一` or `8`. */
function chineseNumber(number: string): number {
  if (/\d/.test(number)) return Number(number)
  return Array.from(number).reduce((sum, digit) => sum + CHINESE_DIGITS.indexOf(digit), 0)
}

/** Returns undefined for an offset that is out of range. */
function zoneAt(sign: '+' | '-', hours: number, minutes: number): TimeZone | undefined {
  if (hours === 0 && minutes === 0) return 'UTC'
  const zone = `${sign}${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`
  return isTimeZone(zone) ? zone : undefined
}
