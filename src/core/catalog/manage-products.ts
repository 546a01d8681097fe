import { z } from 'zod'
import { Prisma } from '../../generated/prisma/client.ts'
import { selectJson } from '../database/database.ts'
import { uniqueViolation } from '../database/sqlite-error.ts'
import type { CoreDeps } from '../deps.ts'
import { InvalidInput, parseInput } from '../errors.ts'
import type { Micros } from '../money.ts'
import { UNIT } from '../term.ts'
import { GatewayAddress } from './gateway.ts'
import { Price, PRODUCT_SCOPE } from './prices.ts'
import { isDynamic, POOLS, PROXY_TYPES, type Project } from './product.ts'
import { FREE } from './stock.ts'

/** A code that fits into a chat button and a URL. */
const Code = z.string().regex(/^[A-Za-z0-9_-]{1,32}$/, { error: 'letters_digits_underscore_hyphen' })

export const NewProduct = z
  .object({
    productNo: Code,
    nameEn: z.string().trim().min(1).max(80),
    nameZh: z.string().trim().min(1).max(80),
    proxyType: z.literal(PROXY_TYPES).default(103),
    shared: z.boolean().default(false),
    projects: z
      .array(z.object({ code: Code, name: z.string().trim().min(1).max(80) }))
      .max(100)
      .default([]),
    /** Billing period of a static product. */
    periodUnit: z.literal([UNIT.day, UNIT.month]).default(UNIT.month),
    periodLength: z.int().min(1).max(365).default(1),
    pool: z.enum(POOLS).optional(),
    /** Where the gateway of a dynamic product listens: `host:port`. */
    gateway: GatewayAddress.optional(),
    /** Per IP and billing period, or per GB. */
    price: Price,
    refundHours: z
      .int()
      .min(0)
      .max(24 * 365)
      .default(24),
    cidrSupported: z.boolean().default(false),
    assignIpSupported: z.boolean().default(false),
  })
  .refine((product) => isDynamic(product.proxyType) === (product.pool !== undefined), {
    path: ['pool'],
    error: 'dynamic_products_have_a_pool',
  })
  .refine((product) => (product.pool === undefined) === (product.gateway === undefined), {
    path: ['gateway'],
    error: 'dynamic_products_have_a_gateway',
  })
  .refine((product) => product.projects.length === 0 || product.shared, {
    path: ['projects'],
    error: 'shared_products_only',
  })

/**
 * The operator adds a product with its price (contract 3 and 10).
 *
 * @throws validation_error
 */
export async function addProduct(
  deps: CoreDeps,
  input: z.input<typeof NewProduct>,
): Promise<{ productNo: string }> {
  const { price, shared, projects, pool, gateway, ...product } = parseInput(NewProduct, input)
  const now = deps.clock.now()
  const period = pool ? { periodUnit: 0, periodLength: 0 } : {}
  try {
    await deps.db.write((tx) =>
      tx.product.create({
        data: {
          ...product,
          ...period,
          pool: pool ?? null,
          gatewayHost: gateway?.host ?? null,
          gatewayPort: gateway?.port ?? null,
          productType: shared ? 2 : 1,
          projects: JSON.stringify(projects),
          createdAt: now,
          updatedAt: now,
          prices: { create: { scope: PRODUCT_SCOPE, minQuantity: 1, price } },
        },
      }),
    )
  } catch (error) {
    if (uniqueViolation(error, 'product_no')) throw InvalidInput.of('productNo', 'product_exists')
    throw error
  }
  return { productNo: product.productNo }
}

export interface ProductOverview {
  readonly productNo: string
  readonly nameEn: string
  readonly nameZh: string
  readonly proxyType: number
  readonly productType: number
  readonly projects: Project[]
  readonly pool: string | null
  /** `host:port` of a dynamic product's gateway. */
  readonly gateway: string | null
  readonly periodUnit: number
  readonly periodLength: number
  readonly enabled: boolean
  readonly free: number
  readonly sold: number
  /** With the username where one account has a price of its own. */
  readonly prices: { scope: string; username: string | null; minQuantity: number; price: Micros }[]
}

/** All products with their prices and stock, for the operator. */
export function listProducts({ db }: CoreDeps): Promise<ProductOverview[]> {
  const stock = (condition: string) =>
    Prisma.raw(`(SELECT count(*) FROM stock_ips s JOIN locations l ON l.id = s.location_id
                 WHERE l.product_id = p.id AND ${condition})`)
  return selectJson<ProductOverview>(
    db.read,
    Prisma.sql`SELECT json_object(
        'productNo', product_no, 'nameEn', name_en, 'nameZh', name_zh, 'proxyType', proxy_type, 'productType', product_type,
        'projects', json(projects), 'pool', pool,
        'gateway', gateway_host || ':' || gateway_port, 'periodUnit', period_unit, 'periodLength', period_length,
        'enabled', json(iif(enabled, 'true', 'false')),
        'free', ${stock(FREE.sql)}, 'sold', ${stock('s.order_id IS NOT NULL')},
        'prices', (SELECT json_group_array(json_object('scope', scope, 'minQuantity', min_quantity, 'price', price,
                     'username', (SELECT username FROM accounts a WHERE scope = 'user:' || a.id)))
                   FROM (SELECT * FROM prices WHERE product_id = p.id ORDER BY scope, min_quantity))) AS json
      FROM products p ORDER BY id`,
  )
}
