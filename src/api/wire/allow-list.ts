import { z } from 'zod'
import type { AllowList } from '../../core/gateway/allow-list.ts'

/** Addresses whose clients use a traffic account without a password (rules 12.8). */
export const AllowListRecord = z
  .strictObject({
    user_id: z.int().meta({ description: 'Whose traffic it is' }),
    product_no: z.string(),
    addresses: z.array(z.string()).meta({ description: 'Addresses, and ranges in CIDR notation' }),
    country: z
      .string()
      .nullable()
      .meta({ description: 'ISO 3166-1 alpha-2: where their traffic leaves; null: anywhere' }),
    session: z.string().nullable().meta({ description: 'They keep their exit; null: any exit each time' }),
  })
  .meta({ id: 'AllowList' })

export function toAllowList(list: AllowList): z.infer<typeof AllowListRecord> {
  const { userId, productNo, addresses, country, session } = list
  return { user_id: userId, product_no: productNo, addresses: [...addresses], country, session }
}

export const allowListExample: z.infer<typeof AllowListRecord> = {
  user_id: 2,
  product_no: 'DYN-1',
  addresses: ['192.0.2.7', '198.51.100.0/28'],
  country: null,
  session: null,
}
