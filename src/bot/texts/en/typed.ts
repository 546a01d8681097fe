import type { TypedWords } from '../typed-words.ts'

export const typed: TypedWords = {
  today: 'today',
  yesterday: 'yesterday',
  tomorrow: 'tomorrow',
  months: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  since: 'from',
  until: String.raw`\bto\b|\buntil\b`,
  forenoon: 'am',
  afternoon: 'pm',
  at: 'at',
  minute: 'm|min|minutes?',
  hour: 'h|hours?',
  day: 'days?|d',
  week: 'weeks?|w',
  month: 'months?|mon|m',
  year: 'years?|y',
  numerals: { one: '1', two: '2', three: '3', six: '6' },
  terms: { day: '1d', week: '1w', month: '1m', 'half a year': '6m', year: '1y' },
  yes: ['yes', 'y', 'on'],
  no: ['no', 'n', 'off', 'none'],
}
