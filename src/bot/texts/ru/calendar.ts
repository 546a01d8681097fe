import type { Calendar } from '../dates.ts'

const MONTHS = [
  ['января', 'янв.'],
  ['февраля', 'фев.'],
  ['марта', 'мар.'],
  ['апреля', 'апр.'],
  ['мая', 'мая'],
  ['июня', 'июн.'],
  ['июля', 'июл.'],
  ['августа', 'авг.'],
  ['сентября', 'сен.'],
  ['октября', 'окт.'],
  ['ноября', 'ноя.'],
  ['декабря', 'дек.'],
] as const

export const calendar: Calendar = {
  day: (year, month, day) => `${day} ${MONTHS[month - 1]?.[0]} ${year}`,
  shortDay: (month, day) => `${day} ${MONTHS[month - 1]?.[1]}`,
  dateTime: (day, time) => `${day}, ${time}`,
  withZone: (dateTime, zone) => `${dateTime} ${zone}`,
  zones: { 'Europe/Moscow': 'МСК' },
}
