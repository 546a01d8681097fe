import type { Language } from '../../core/languages.ts'

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

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

export const CALENDARS: Readonly<Record<Language, Calendar>> = {
  en: {
    day: (year, month, day) => `${day} ${MONTHS[month - 1]} ${year}`,
    shortDay: (month, day) => `${day} ${MONTHS[month - 1]}`,
    dateTime: (day, time) => `${day}, ${time}`,
    withZone: (dateTime, zone) => `${dateTime} ${zone}`,
    zones: {},
  },
  zh: {
    day: (year, month, day) => `${year}年${month}月${day}日`,
    shortDay: (month, day) => `${month}月${day}日`,
    dateTime: (day, time) => `${day} ${time}`,
    withZone: (dateTime, zone) => `${dateTime}（${zone}）`,
    zones: { 'Asia/Shanghai': '北京时间' },
  },
}
