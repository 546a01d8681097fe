import { Prisma } from '../../generated/prisma/client.ts'
import type { PlaceCodes } from './stock-conditions.ts'

/** SQL: the range that a proxy is sold as; its own address where the stock names none. Needs `s` = stock_ips. */
export const IP_RANGE = Prisma.raw("iif(s.cidr = '', s.ip || iif(instr(s.ip, ':'), '/128', '/32'), s.cidr)")

/** SQL condition: the proxy is for sale. Needs `s` = stock_ips. */
export const FREE = Prisma.raw('s.order_id IS NULL AND s.disabled = 0 AND s.resting = 0')

/** SQL condition: the proxy waits for other credentials. Needs `s` = stock_ips. */
export const RESTING = Prisma.raw('s.resting = 1 AND s.disabled = 0')

/**
 * SQL condition: a customer has had the credentials of a line, `ip`, `username` and `password` of a JSON value.
 *
 * @param line SQL of the value; a constant of the code
 */
export const wereDelivered = (line: string) =>
  Prisma.raw(`EXISTS (SELECT 1 FROM instances i WHERE i.ip = ${line} ->> 'ip' AND i.username = ${line} ->> 'username'
                        AND i.password = ${line} ->> 'password')`)

/** SQL condition: the location is one that the selection allows. Needs `l` = locations. */
export function inPlace(place: PlaceCodes): Prisma.Sql {
  const conditions = [
    ...(place.countryCode ? [Prisma.sql`l.country_code = ${place.countryCode}`] : []),
    ...(place.cityCode ? [Prisma.sql`l.city_code = ${place.cityCode}`] : []),
    ...(place.regionCode ? [Prisma.sql`${place.regionCode} IN (l.country_code, l.state, l.city_code)`] : []),
  ]
  return conditions.length > 0 ? Prisma.join(conditions, ' AND ') : Prisma.sql`1`
}
