import type { Calendar } from '../dates.ts'

export const calendar: Calendar = {
  day: (year, month, day) => `${year}年${month}月${day}日`,
  shortDay: (month, day) => `${month}月${day}日`,
  dateTime: (day, time) => `${day} ${time}`,
  withZone: (dateTime, zone) => `${dateTime}（${zone}）`,
  zones: { 'Asia/Shanghai': '北京时间' },
}
