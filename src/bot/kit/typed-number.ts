import { halfWidth } from '../../core/half-width.ts'

const GROUPED = /^\d{1,3}(?:[,，]\d{3})+$/

/** Digits as people write them, separators between thousands taken out; undefined where a comma means something else. */
function plain(digits: string): string | undefined {
  if (!/[,，]/.test(digits)) return digits
  const [whole = '', ...decimals] = digits.split('.')
  return GROUPED.test(whole) ? [whole.replaceAll(/[,，]/g, ''), ...decimals].join('.') : undefined
}

/** A number of things: `5`, `１０`, `5个`, `5 pcs`, `1,000` (rules 5.27). */
export function countIn(text: string): number | undefined {
  const [, digits = ''] =
    /^(\d[\d,，]{0,8})\s*(?:个|個|条|ip|ips|pcs?|proxy|proxies|x)?$/i.exec(halfWidth(text).trim()) ?? []
  const number = plain(digits)
  return number === undefined || number === '' ? undefined : Number(number)
}

/** An amount of USDT in digits and a point: `20`, `20u`, `1,000 USDT`, `99。5刀` (rules 8.1, 5.27). */
export function usdtIn(text: string): string | undefined {
  const [, digits = ''] =
    /^\$?\s*(\d[\d,，]*(?:\.\d+)?)\s*(?:u|usdt|usd|刀|美元|\$)?$/i.exec(halfWidth(text).trim()) ?? []
  const number = plain(digits)
  return number === '' ? undefined : number
}
