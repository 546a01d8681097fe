import { z } from 'zod'
import { badRequest } from './refusal.ts'
import type { Method } from './types.ts'

/** A buyer's number: of at most 32 characters. */
const appOrderNo = z.string().regex(/^[\w-]{1,32}$/)
const number = z.string().min(1).max(64)
const page = z.int().min(1).optional()
const pageSize = z.int().min(1).max(100).optional()
const time = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/)
  .optional()
const codes = z.strictObject({ codes: z.array(z.string()).nullish() })
const listed = z.strictObject({ page, pageSize, startTime: time, endTime: time })

/** What each method takes; another name than these is refused. */
export const PARAMETERS = {
  info: z.strictObject({}),
  'product/query': z.strictObject({
    proxyType: z.array(z.int()).optional(),
    productNo: z.string().optional(),
    countryCode: z.string().optional(),
    cityCode: z.string().optional(),
    unit: z.int().optional(),
    duration: z.int().optional(),
  }),
  'city/list': codes,
  'project/list': codes,
  order: z
    .strictObject({
      orderNo: number.optional(),
      appOrderNo: number.optional(),
      page,
      pageSize,
    })
    .refine(({ orderNo, appOrderNo }) => orderNo !== undefined || appOrderNo !== undefined, 'needs a number'),
  'order/list': listed,
  instance: z.strictObject({ instances: z.array(number).min(1).max(100) }),
  'instance/list': listed,
  'instance/open': z.strictObject({
    appOrderNo,
    params: z
      .array(
        z.strictObject({
          productNo: number,
          count: z.int().min(1).max(20),
          cycleTimes: z.int().min(1).max(1000),
          projectId: z.string().min(1).optional(),
          cidrBlocks: z
            .array(z.strictObject({ cidr: z.cidrv4().or(z.cidrv6()), count: z.int().min(1) }))
            .min(1)
            .optional(),
        }),
      )
      .min(1)
      .max(100),
  }),
  'instance/renew': z.strictObject({
    appOrderNo,
    instances: z
      .array(z.strictObject({ instanceNo: number, cycleTimes: z.int().min(1).max(1000) }))
      .min(1)
      .refine(namesEachOnce, 'names an instance twice'),
  }),
  // The SDK has orderNo, the documentation appOrderNo: as it is unknown which one counts, both must be sent.
  'instance/release': z
    .strictObject({ orderNo: appOrderNo, appOrderNo, instances: z.array(number).min(1) })
    .refine((release) => release.orderNo === release.appOrderNo, 'orderNo and appOrderNo differ')
    .refine(({ instances }) => new Set(instances).size === instances.length, 'names an instance twice'),
  'instance/reset/password': z.strictObject({
    instanceNoList: z.array(number).min(1),
    resetNo: z.string().regex(/^\w{1,32}$/),
  }),
} satisfies Record<Method, z.ZodType>

export type Parameters<M extends Method> = z.output<(typeof PARAMETERS)[M]>

function namesEachOnce(instances: readonly { readonly instanceNo: string }[]): boolean {
  return new Set(instances.map(({ instanceNo }) => instanceNo)).size === instances.length
}

/** Checks the parameters of a method. */
export function checked<M extends Method>(method: M, parameters: unknown): Parameters<M> {
  const parsed = PARAMETERS[method].safeParse(parameters)
  if (!parsed.success) throw badRequest(`${method}: ${z.prettifyError(parsed.error)}`)
  return parsed.data as Parameters<M>
}
