import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import { isFalse, isTrue, type ValueOf } from '../database/dialect.ts'

/*
 * Conditions and expressions that queries of the stock share. The table of proxies is `s` in them, that of places `l`.
 */

type StockBuilder = ExpressionBuilder<{ s: DB['stockIps'] }, 's'>
type PlaceBuilder = ExpressionBuilder<{ l: DB['locations'] }, 'l'>

/** Condition: the proxy is for sale. */
export function isFree({ eb, ref, and }: StockBuilder) {
  return and([eb('s.orderId', 'is', null), isFalse(ref('s.disabled')), isFalse(ref('s.resting'))])
}

/** Condition: the proxy waits for other credentials. */
export function isResting({ ref, and }: StockBuilder) {
  return and([isTrue(ref('s.resting')), isFalse(ref('s.disabled'))])
}

/** Expression: the range of a proxy; its own address as /32 or /128 where the stock names none. */
export function ipRange({ eb, ref }: StockBuilder) {
  const bits = eb.case().when('s.ip', 'like', '%:%').then('/128').else('/32').end()
  return eb
    .case()
    .when('s.cidr', '=', '')
    .then(eb('s.ip', '||', bits))
    .else(ref('s.cidr'))
    .end()
}

/** A place that is asked for; a missing code matches any. */
export interface PlaceCodes<Code = string> {
  readonly countryCode?: Code | undefined
  readonly cityCode?: Code | undefined
  /** Country, state or city code. */
  readonly regionCode?: Code | undefined
}

/** Returns the codes of a place; an empty code counts as missing. */
export function placeCodesOf({ countryCode, cityCode, regionCode }: PlaceCodes): PlaceCodes {
  const code = (text?: string) => (text === '' ? undefined : text)
  return { countryCode: code(countryCode), cityCode: code(cityCode), regionCode: code(regionCode) }
}

/** Condition: the place has these codes. */
export function inPlace({ countryCode, cityCode, regionCode }: PlaceCodes<ValueOf<string>>) {
  return ({ eb, and, or }: PlaceBuilder): Expression<SqlBool> => {
    const region = (code: ValueOf<string>) =>
      or([eb('l.countryCode', '=', code), eb('l.state', '=', code), eb('l.cityCode', '=', code)])
    return and([
      ...(countryCode ? [eb('l.countryCode', '=', countryCode)] : []),
      ...(cityCode ? [eb('l.cityCode', '=', cityCode)] : []),
      ...(regionCode ? [region(regionCode)] : []),
    ])
  }
}

interface Credentials {
  readonly ip: string
  readonly username: string
  readonly password: string
}

/** Condition: the credentials of a `line` were delivered to a customer before. */
export function wasDelivered({ exists, selectFrom }: ExpressionBuilder<DB & { line: Credentials }, 'line'>) {
  return exists(
    selectFrom('instances as i')
      .select('i.id')
      .whereRef('i.ip', '=', 'line.ip')
      .whereRef('i.username', '=', 'line.username')
      .whereRef('i.password', '=', 'line.password'),
  )
}
