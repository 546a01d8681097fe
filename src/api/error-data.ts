import { z } from 'zod'
import { API_KEY_SCOPES } from '../core/api-keys/api-key.ts'
import { type ErrorCode, InvalidInput, type ServiceError } from '../core/errors.ts'
import { PROMO_REFUSALS } from '../core/promotions/promo-refusals.ts'
import { Money, Traffic } from '../core/record.ts'
import { ProjectRecord } from './wire/product.ts'

/** What `data` of an error holds (rules 1.4). */
interface ErrorData {
  readonly data: z.ZodType
  /** Example of the facts, or of the whole refusal; missing where `data` is null in most cases. */
  readonly example?: ServiceError['data'] | InvalidInput
}

const OrderNo = z.string().meta({ description: 'Number of the order' })
const ProductNo = z.string().meta({ description: 'Number of the product' })
const Requested = z.int().meta({ description: 'Proxies that were asked for' })
const Code = z.string().meta({ description: 'As the request named it; null: any' })
const Projects = z.array(ProjectRecord).meta({ description: 'Projects of the product' })
const Shortage = z.strictObject({
  required: Money.schema.meta({ description: 'What it costs' }),
  balance: Money.schema.meta({ description: 'What there is' }),
  shortfall: Money.schema.meta({ description: 'What is missing' }),
})
const FieldError = z.strictObject({
  field: z.string().meta({ description: 'Path of the field, such as `cidrBlocks.0.count`' }),
  rule: z.string().meta({ description: 'Stable name of the rule that is broken' }),
  message: z.string().meta({ description: 'What is wrong, in the language of the answer' }),
})
const Region = z.strictObject({
  countryCode: z.string().meta({ description: 'ISO 3166-1 alpha-2' }),
  countryName: z.string().meta({ description: 'In the language of the answer' }),
  cityCode: z.string().meta({ description: 'UN/LOCODE; empty: no city in particular' }),
  cityName: z.string().meta({ description: 'In the language of the answer' }),
  stock: z.int().meta({ description: 'Free proxies there' }),
})

const SHORT = { required: 90, balance: 50, shortfall: 40 }
const projects = [{ code: 'tiktok', name: 'TikTok' }]

/** Errors that come with facts; `data` of all others is null. Tests check every refusal against this table. */
export const ERROR_DATA: Readonly<Partial<Record<ErrorCode, ErrorData>>> = {
  validation_error: {
    data: z.strictObject({ errors: z.array(FieldError).meta({ description: 'One entry per field' }) }),
    example: new InvalidInput([
      { code: 'too_big', origin: 'number', maximum: 100, path: ['page_size'], message: '', input: 1000 },
    ]),
  },
  insufficient_balance: { data: Shortage, example: SHORT },
  balance_below_zero: { data: Shortage, example: SHORT },
  pool_not_public: {
    data: z.strictObject({
      product_no: ProductNo,
      pool_type: z.string().meta({ description: 'Pool of the product' }),
    }),
    example: { product_no: 'DYN-1', pool_type: 'dynamic_1' },
  },
  instance_not_found: {
    data: z.strictObject({
      instance_no: z.string().meta({ description: 'The first one that was not found' }),
    }),
    example: { instance_no: 'I20261120175700456A1B2C3D4' },
  },
  scope_missing: {
    data: z.strictObject({
      scope: z
        .enum(API_KEY_SCOPES)
        .nullable()
        .meta({ description: 'The scope that is wanted; null: it takes a log-in, no API key will do' }),
    }),
    example: { scope: 'orders' },
  },
  address_not_allowed: {
    data: z.strictObject({ address: z.string().meta({ description: 'Where the request came from' }) }),
    example: { address: '192.0.2.7' },
  },
  out_of_stock: {
    data: z.strictObject({
      cidr: z.string().optional().meta({ description: 'The range, where the request names ranges' }),
      requested: Requested,
      available: z.int().meta({ description: 'Proxies that are free' }),
    }),
    example: { requested: 200, available: 120 },
  },
  price_changed: {
    data: z.strictObject({
      unit_price: Money.schema.meta({ description: 'What the service asks per IP and billing period' }),
      total_amount: Money.schema.meta({ description: 'What the service asks altogether' }),
    }),
    example: { unit_price: 4.5, total_amount: 9 },
  },
  promo_code_not_usable: {
    data: z.strictObject({
      reason: z.enum(PROMO_REFUSALS).meta({
        description:
          '`ended`: expired or stopped; `used_up`: by all; `used_by_user`: as often as one user may; `sub_users_only`: of the agent ' +
          'itself; `nothing_to_discount`: whoever made it gets nothing of this price; `price_too_low`: it would be sold at a loss',
      }),
    }),
    example: { reason: 'used_up' },
  },
  order_processing: {
    data: z.strictObject({ order_no: OrderNo }),
    example: {
      order_no: 'S20261120175700123Q2W3E4R5',
    },
  },
  invalid_state: {
    data: z.strictObject({
      order_no: OrderNo.optional(),
      status: z.string().meta({ description: 'Status of the order or top-up' }),
      instance_no: z.string().optional().meta({ description: 'The proxy that is meant' }),
      instance_status: z.string().optional().meta({ description: 'Its status' }),
      reason: z
        .enum(['not_replaced'])
        .optional()
        .meta({ description: '`not_replaced`: proxies of this product are not replaced' }),
    }),
    example: { order_no: 'S20261120175700123Q2W3E4R5', status: 'cancelled' },
  },
  traffic_exhausted: { data: z.strictObject({ product_no: ProductNo }), example: { product_no: 'DYN-2' } },
  traffic_not_available: {
    data: z.strictObject({
      requested: Traffic.schema.meta({ description: 'GB that were asked for' }),
      available: Traffic.schema.meta({ description: 'GB that there are' }),
    }),
    example: { requested: 10, available: 2.5 },
  },
  idempotency_conflict: {
    data: z
      .strictObject({
        app_order_no: z
          .string()
          .optional()
          .meta({ description: '`appOrderNo` of the request, or its header' }),
        client_order_no: z
          .string()
          .optional()
          .meta({ description: '`client_order_no` of the request, or its header' }),
        idempotency_key: z.string().optional().meta({ description: 'The header `Idempotency-Key`' }),
      })
      .meta({ description: 'The key that was used for another request' }),
    example: { app_order_no: 'MY-0001' },
  },
  payment_in_progress: {
    data: z.strictObject({ status: z.string().meta({ description: 'Status of the top-up' }) }),
    example: {
      status: 'confirming',
    },
  },
  gateway_taken: {
    data: z.strictObject({
      retry_after: z.int().meta({ description: 'Seconds after which the other one may be replaced' }),
    }),
    example: { retry_after: 12 },
  },
  usage_out_of_order: {
    data: z.strictObject({ expected: z.int().meta({ description: 'Number of the next batch' }) }),
    example: { expected: 43 },
  },
  project_required: { data: z.strictObject({ projects: Projects }), example: { projects } },
  project_not_allowed: {
    data: z.strictObject({
      project_id: z.string().meta({ description: 'The `projectId` of the request' }),
      projects: Projects,
    }),
    example: { project_id: 'shopee', projects },
  },
  location_not_supported_for_product: {
    data: z.strictObject({
      product_no: ProductNo,
      requested: z
        .strictObject({
          countryCode: Code.nullable(),
          cityCode: Code.nullable(),
          regionCode: Code.nullable(),
        })
        .meta({ description: 'The place that was asked for' }),
      supported_regions: z.array(Region).meta({ description: 'Where the product is' }),
    }),
    example: {
      product_no: 'ISP-RES',
      requested: { countryCode: 'FR', cityCode: null, regionCode: null },
      supported_regions: [{ countryCode: 'US', cityCode: 'USNYC', stock: 120 }],
    },
  },
  duration_not_supported: {
    data: z.strictObject({
      product_no: ProductNo,
      duration: z.int().meta({ description: 'Billing period of the product: so many `unit`s' }),
      unit: z.int().meta({ description: '1 day, 3 month, 4 year' }),
    }),
    example: { product_no: 'ISP-RES', duration: 1, unit: 3 },
  },
  invalid_cidr_blocks: {
    data: z
      .strictObject({ cidr: z.string().meta({ description: 'The range that the product does not have' }) })
      .nullable()
      .meta({ description: 'Null when the product takes no ranges, or they do not sum to `ipCount`' }),
    example: { cidr: '10.0.0.0/24' },
  },
  amount_out_of_range: {
    data: z.strictObject({
      min_amount: z.string().meta({ description: 'Smallest top-up in USDT' }),
      max_amount: z.string().meta({ description: 'Largest top-up in USDT' }),
    }),
    example: { min_amount: '1.00', max_amount: '50000.00' },
  },
  too_many_pending_orders: {
    data: z.strictObject({
      max_pending_orders: z.int().optional().meta({ description: 'Top-ups that may await their payment' }),
      max_unpaid_orders: z
        .int()
        .optional()
        .meta({ description: 'Top-ups within 24 hours that may remain unpaid' }),
      max_unpaid_orders_of_agent: z.int().optional().meta({
        description:
          'Ended unpaid top-ups near an amount that all accounts of an agent may have: ask for another amount',
      }),
      amount: z.string().optional().meta({ description: 'USDT near which they have so many' }),
    }),
    example: { max_pending_orders: 3 },
  },
  unavailable: {
    data: z
      .strictObject({
        reason: z.enum(['books_in_doubt', 'amount_taken']).meta({
          description:
            '`books_in_doubt`: the account is being checked; `amount_taken`: ask for another amount',
        }),
        amount: z.string().optional().meta({ description: 'USDT near which no amount is free' }),
      })
      .nullable()
      .meta({ description: 'Null when the service is busy' }),
  },
}
