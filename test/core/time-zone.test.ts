import { describe, expect, it } from 'vitest'
import { dayIn, isTimeZone, momentAt, offsetAt, startOfDay } from '../../src/core/time-zone.ts'

const HOUR_MS = 60 * 60_000

describe('time zones', () => {
  it('are names of the IANA database, and distances from UTC that clocks can have', () => {
    for (const zone of ['UTC', 'Asia/Shanghai', 'America/Argentina/Ushuaia', '+08:00', '-03:30', '+14:00'])
      expect(isTimeZone(zone), zone).toBe(true)
    for (const text of ['', 'Mars/Phobos', '+8', '+15:00', '+08:60', '08:00', "'; --", 'Asia/'])
      expect(isTimeZone(text), text).toBe(false)
  })

  it('change their distance from UTC with the season', () => {
    const [winter, summer] = [new Date('2026-01-15T12:00Z'), new Date('2026-07-15T12:00Z')]
    expect(offsetAt('Europe/Berlin', winter)).toBe(HOUR_MS)
    expect(offsetAt('Europe/Berlin', summer)).toBe(2 * HOUR_MS)
    expect(offsetAt('Asia/Shanghai', summer)).toBe(8 * HOUR_MS)
    expect(offsetAt('Asia/Kolkata', summer)).toBe(5.5 * HOUR_MS)
    expect(offsetAt('-03:30', summer)).toBe(-3.5 * HOUR_MS)
    expect(offsetAt('UTC', summer)).toBe(0)
  })

  it('begin their days at their own midnight, also when clocks change at that time', () => {
    expect(dayIn('Asia/Shanghai', new Date('2026-11-24T16:00Z'))).toBe('2026-11-25')
    expect(startOfDay('Asia/Shanghai', '2026-11-25').toISOString()).toBe('2026-11-24T16:00:00.000Z')
    expect(startOfDay('Europe/Berlin', '2026-03-29').toISOString()).toBe('2026-03-28T23:00:00.000Z')
    expect(startOfDay('Europe/Berlin', '2026-03-30').toISOString()).toBe('2026-03-29T22:00:00.000Z')
    // Cuba skips from 0:00 to 1:00: the day begins with the first moment that it has.
    expect(dayIn('America/Havana', startOfDay('America/Havana', '2026-03-08'))).toBe('2026-03-08')
  })

  it('show a time twice in autumn, of which the first is meant, and skip one in spring', () => {
    const autumn = momentAt('Europe/Berlin', new Date('2026-10-25T02:30Z'))
    expect(autumn.toISOString()).toBe('2026-10-25T00:30:00.000Z')
    const spring = momentAt('Europe/Berlin', new Date('2026-03-29T02:30Z'))
    expect(spring.toISOString()).toBe('2026-03-29T01:30:00.000Z')
  })
})
