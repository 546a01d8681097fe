import { z } from 'zod'
import { SupplierFault, type SupplierInstance, type SupplierOrder } from '../../core/supply/driver.ts'
import { micros } from './decimal.ts'

/*
 * Records of the API as this driver reads them. Other implementations leave fields out, or spell them otherwise, so that only what
 * is needed must be there.
 */

const Text = z.union([z.string(), z.number().transform(String)])
const Amount = z.union([
  z.number(),
  z
    .string()
    .regex(/^-?\d+(\.\d+)?$/)
    .transform(Number),
])
const Whole = z.union([z.int(), z.string().regex(/^\d+$/).transform(Number)])

const InstanceRecord = z.object({
  instance_no: Text.nullish(),
  instanceNo: Text.nullish(),
  ip: z.string().min(1),
  port: Whole,
  username: z.string(),
  password: z.string(),
  country_code: z.string().nullish(),
  city_code: z.string().nullish(),
  cidr: z.string().nullish(),
  status: z.string().nullish(),
  expire_time: z.string().nullish(),
})

const OrderRecord = z.object({
  order_no: Text.nullish(),
  orderNo: Text.nullish(),
  app_order_no: Text.nullish(),
  appOrderNo: Text.nullish(),
  remark: z.string().nullish(),
  status: z.string(),
  ip_count: Whole.nullish(),
  total_amount: Amount.nullish(),
  refunded_amount: Amount.nullish(),
  fail_reason: z.string().nullish(),
  created_at: z.string().nullish(),
  instances: z.array(InstanceRecord).nullish(),
  instances_total: Whole.nullish(),
})

const Page = z.object({
  items: z.array(OrderRecord).nullish(),
  list: z.array(OrderRecord).nullish(),
  total: Whole.nullish(),
})

/** An order of the account with its proxies. */
export interface UpstreamOrder {
  readonly orderNo: string
  readonly appOrderNo: string | undefined
  readonly remark: string
  readonly state: SupplierOrder['status']
  readonly count: number
  /** What was charged and not given back, in millionths; renewals are not in it. */
  readonly paid: number | undefined
  readonly failReason: string | undefined
  readonly createdAt: string
  readonly instances: readonly SupplierInstance[]
  /** Whether `instances` are all of them. */
  readonly whole: boolean
}

/** Orders that are not completed yet. */
const OPEN = new Set(['processing', 'pending', 'queued', 'created'])
const FAILED = new Set(['failed', 'error', 'refunded'])
const INSTANCE_STATES: Readonly<Record<string, SupplierInstance['status']>> = {
  active: 'running',
  running: 'running',
  expired: 'stopped',
  stopped: 'stopped',
  released: 'released',
}

/**
 * Reads the orders on a page of the list.
 *
 * @throws SupplierFault `unknown` when they cannot be read
 */
export function readPage(data: unknown): { orders: readonly UpstreamOrder[]; total: number | undefined } {
  const page = Page.safeParse(data)
  const items = page.data?.items ?? page.data?.list
  if (!items) throw new SupplierFault('unknown', 'The list of orders cannot be read')
  return { orders: items.map(toOrder), total: page.data?.total ?? undefined }
}

function toOrder(record: z.output<typeof OrderRecord>): UpstreamOrder {
  const orderNo = record.order_no ?? record.orderNo
  if (!orderNo) throw new SupplierFault('unknown', 'An order of the list has no number')
  const instances = (record.instances ?? []).map((instance) => toInstance(instance, orderNo))
  return {
    orderNo,
    appOrderNo: record.app_order_no ?? record.appOrderNo ?? undefined,
    remark: record.remark ?? '',
    state: stateOf(record.status, instances),
    count: record.ip_count ?? instances.length,
    paid:
      typeof record.total_amount === 'number'
        ? paidOf(record.total_amount, record.refunded_amount)
        : undefined,
    failReason: record.fail_reason ?? undefined,
    createdAt: isoTime(record.created_at) ?? new Date(0).toISOString(),
    instances,
    whole: instances.length >= (record.instances_total ?? 0),
  }
}

function paidOf(total: number, refunded: number | null | undefined): number {
  return micros(total) - micros(refunded ?? 0)
}

/** A state that is not known counts as open until there are proxies: what is open is asked for again. */
function stateOf(status: string, instances: readonly SupplierInstance[]): UpstreamOrder['state'] {
  if (OPEN.has(status)) return 'open'
  if (FAILED.has(status)) return 'failed'
  if (status === 'partial') return 'partial'
  const known = ['active', 'expired', 'cancelled'].includes(status)
  return known || instances.length > 0 ? 'done' : 'open'
}

function toInstance(record: z.output<typeof InstanceRecord>, providerOrderNo: string): SupplierInstance {
  const providerInstanceNo = record.instance_no ?? record.instanceNo
  if (!providerInstanceNo) throw new SupplierFault('unknown', `A proxy of ${providerOrderNo} has no number`)
  const expireTime = isoTime(record.expire_time)
  const { ip, port, username, password } = record
  return {
    providerInstanceNo,
    providerOrderNo,
    ip,
    port,
    username,
    password,
    ...(record.country_code && { countryCode: record.country_code }),
    ...(record.city_code && { cityCode: record.city_code }),
    ...(record.cidr && { cidr: record.cidr }),
    ...(expireTime !== undefined && { expireTime }),
    status: INSTANCE_STATES[record.status ?? 'active'] ?? 'closed',
  }
}

/** Returns a time in ISO 8601; one without a zone is taken as UTC. */
export function isoTime(text: string | null | undefined): string | undefined {
  if (!text) return undefined
  const plain = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)$/.exec(text)
  const time = new Date(plain ? `${plain[1]}T${plain[2]}Z` : text)
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}
