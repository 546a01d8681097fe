import { z } from 'zod'
import { Prisma } from '../../generated/prisma/client.ts'
import { selectJson } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import { InvalidInput, parseInput, ServiceError } from '../errors.ts'
import { NewProduct } from './manage-products.ts'

const { nameEn, nameZh, projects, gateway, refundHours, cidrSupported, assignIpSupported } = NewProduct.shape

/** What can be changed of a product. What kind of thing it is, and how it is billed, stays: orders rely on it. */
export const ProductEdit = z
  .object({
    nameEn: nameEn.optional(),
    nameZh: nameZh.optional(),
    /** Whether it is offered; orders that are there go on. */
    enabled: z.boolean().optional(),
    /** Holds for orders that are there, too. */
    refundHours: refundHours.unwrap().optional(),
    /** All projects of a shared product from now on. */
    projects: projects.unwrap().optional(),
    gateway,
    cidrSupported: cidrSupported.unwrap().optional(),
    assignIpSupported: assignIpSupported.unwrap().optional(),
  })
  .refine((edit) => Object.values(edit).some((value) => value !== undefined), {
    path: ['product'],
    error: 'nothing_to_change',
  })

/**
 * The operator changes a product (contract 10).
 *
 * @throws product_not_found, validation_error
 */
export async function editProduct(
  deps: CoreDeps,
  productNo: string,
  input: z.input<typeof ProductEdit>,
): Promise<void> {
  const edit = parseInput(ProductEdit, input)
  await deps.db.write(async (tx) => {
    const [product] = await selectJson<{ id: number; pool: string | null; productType: number }>(
      tx,
      Prisma.sql`SELECT json_object('id', id, 'pool', pool, 'productType', product_type) AS json
                 FROM products WHERE product_no = ${productNo}`,
    )
    if (!product) throw new ServiceError('product_not_found')
    for (const field of ['cidrSupported', 'assignIpSupported'] as const)
      if (edit[field] && product.pool !== null) throw InvalidInput.of(field, 'static_products_only')
    if (edit.gateway && product.pool === null) throw InvalidInput.of('gateway', 'dynamic_products_only')
    if (edit.projects && product.productType === 1) throw InvalidInput.of('projects', 'shared_products_only')

    const { gateway: address, projects: list, ...rest } = edit
    await tx.product.update({
      where: { id: product.id },
      data: {
        ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
        ...(address && { gatewayHost: address.host, gatewayPort: address.port }),
        ...(list && { projects: JSON.stringify(list) }),
        updatedAt: deps.clock.now(),
      },
    })
  })
}
