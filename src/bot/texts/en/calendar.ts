import type { Calendar } from '../dates.ts'

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

export const calendar: Calendar = {
  day: (year, month, day) => `${day} ${MONTHS[month - 1]} ${year}`,
  shortDay: (month, day) => `${day} ${MONTHS[month - 1]}`,
  dateTime: (day, time) => `${day}, ${time}`,
  withZone: (dateTime, zone) => `${dateTime} ${zone}`,
  zones: {},
}
