import type { TypedWords } from '../typed-words.ts'

export const typed: TypedWords = {
  today: '今天|今日',
  yesterday: '昨天|昨日',
  tomorrow: '明天|明日',
  months: [],
  since: '从',
  until: '[至到]',
  forenoon: '上午|早上',
  afternoon: '下午|晚上',
  at: '在',
  minute: '分钟?',
  hour: '小时',
  day: '天|日',
  week: '周|星期',
  month: '个?月',
  year: '年',
  numerals: { 一: '1', 两: '2', 三: '3', 六: '6' },
  terms: { 半年: '6个月' },
  yes: ['是', '开'],
  no: ['否', '关', '无'],
}
