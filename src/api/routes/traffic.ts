import { z } from 'zod'
import type { ErrorCode } from '../../core/errors.ts'
import { endpoint } from '../endpoint.ts'
import { recordId } from '../../core/identifiers.ts'
import { productFlowExample, ProductFlowRecord, toProductFlow } from '../wire/product-flow.ts'

const TAG = 'Traffic'
const OWNER_ERRORS: readonly ErrorCode[] = ['agent_required', 'not_direct_sub_user', 'sub_user_not_found']

const ProductsFlow = z.strictObject({ user_id: z.int(), items: z.array(ProductFlowRecord.schema) })

/** GET /user/{user_id}/products-flow (rules 6.4). */
export const productsFlow = endpoint({
  name: 'productsFlow',
  method: 'GET',
  path: '/user/:user_id/products-flow',
  params: {
    user_id: { description: 'Id of the caller, or of a direct sub-user of the calling agent', example: 2 },
  },
  tag: TAG,
  scope: 'read',
  summary: 'Remaining traffic of all products of a user',
  description:
    'Of the caller, or of a direct sub-user of the calling agent: every product that was ever bought.',
  answer: ProductsFlow,
  errors: OWNER_ERRORS,
  example: { data: { user_id: 2, items: [productFlowExample] } },
  async handle({ core, params, language }, actor) {
    const { userId, items } = await core.traffic.productsFlow(actor, recordId(params.user_id))
    return { user_id: userId, items: items.map((flow) => toProductFlow(flow, language)) }
  },
})

/** GET /user/{user_id}/remaining-flow/{product_no} (rules 6.4). */
export const remainingFlow = endpoint({
  name: 'remainingFlow',
  method: 'GET',
  path: '/user/:user_id/remaining-flow/:product_no',
  params: {
    user_id: { description: 'Id of the caller, or of a direct sub-user of the calling agent', example: 2 },
    product_no: { description: 'Number of a dynamic product', example: 'DYN-2' },
  },
  tag: TAG,
  scope: 'read',
  summary: 'Remaining traffic of one dynamic product of a user',
  description: 'Zeros when the user never bought it.',
  answer: ProductFlowRecord.schema,
  errors: [...OWNER_ERRORS, 'product_not_found'],
  example: { data: productFlowExample },
  async handle({ core, params, language }, actor) {
    const flow = await core.traffic.remainingFlow(actor, recordId(params.user_id), params.product_no)
    return toProductFlow(flow, language)
  },
})
