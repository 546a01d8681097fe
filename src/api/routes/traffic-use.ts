import { z } from 'zod'
import { ALLOW_LIST_EXAMPLE, AllowListInput, AllowListRecord } from '../../core/gateway/allow-list.ts'
import { USAGE_EXAMPLE, UsageFiguresInput, UsageRecord } from '../../core/gateway/usage-figures.ts'
import type { ErrorCode } from '../../core/errors.ts'
import { endpoint } from '../endpoint.ts'
import { idOfRecord, wholeNumber } from '../wire/query.ts'

const TAG = 'Traffic'
const ERRORS: readonly ErrorCode[] = [
  'agent_required',
  'not_direct_sub_user',
  'sub_user_not_found',
  'product_not_found',
]
const OWNER = 'Whose traffic: the caller’s, or that of a direct sub-user of the calling agent'

const Which = z.object({
  product_no: z.string().min(1).max(64).meta({ description: 'Product of which traffic was bought' }),
  user_id: idOfRecord.optional().meta({ description: OWNER }),
})

const ALLOW_LIST = '/open/app/dynamic/allow-list'

export const getAllowList = endpoint({
  name: 'getAllowList',
  method: 'GET',
  path: ALLOW_LIST,
  tag: TAG,
  scope: 'read',
  summary: 'Addresses whose clients need no password at the gateway',
  query: Which,
  answer: AllowListRecord.schema,
  errors: ERRORS,
  example: { query: { product_no: 'DYN-1' }, data: AllowListRecord.show(ALLOW_LIST_EXAMPLE) },
  async handle({ core, query }, actor) {
    const which = { productNo: query.product_no, userId: query.user_id }
    return AllowListRecord.show(await core.traffic.allowList(actor, which))
  },
})

const { shape } = AllowListInput

export const setAllowList = endpoint({
  name: 'setAllowList',
  method: 'PUT',
  path: ALLOW_LIST,
  tag: TAG,
  scope: 'traffic',
  summary: 'Replace the addresses whose clients need no password at the gateway',
  description:
    'Everything that clients of these addresses do at the gateway uses the traffic of this product. An address belongs to one account: ' +
    'one that overlaps with those of another account is refused.',
  body: z
    .object({
      product_no: shape.productNo.meta({ description: 'Product of which traffic was bought' }),
      user_id: shape.userId.meta({ description: OWNER }),
      addresses: shape.addresses.meta({
        description: 'Addresses, or ranges in CIDR notation (IPv4 from /24, IPv6 from /48 on); empty: none',
      }),
      country: shape.country.meta({
        description: 'ISO 3166-1 alpha-2: where the traffic of these clients leaves; missing: anywhere',
      }),
      session: shape.session.meta({
        description: '6-16 letters and digits: these clients keep their exit; missing: any exit each time',
      }),
    })
    .meta({ id: 'SetAllowList' }),
  answer: AllowListRecord.schema,
  errors: ERRORS,
  example: {
    body: { product_no: 'DYN-1', addresses: ['192.0.2.7', '198.51.100.0/28'] },
    data: AllowListRecord.show(ALLOW_LIST_EXAMPLE),
  },
  async handle({ core, body }, actor) {
    const { product_no: productNo, user_id: userId, addresses, country, session } = body
    const list = { productNo, userId, addresses: addresses.map(({ cidr }) => cidr), country, session }
    return AllowListRecord.show(await core.traffic.setAllowList(actor, list))
  },
})

const USAGE = '/open/app/dynamic/usage'
const { maxValue: mostDays } = UsageFiguresInput.shape.days.unwrap()

export const trafficUsage = endpoint({
  name: 'trafficUsage',
  method: 'GET',
  path: USAGE,
  tag: TAG,
  scope: 'read',
  summary: 'What was used on each day and for each host',
  description:
    'Of the main account and its sub-accounts together. Hosts are kept for 30 days, 200 a day by name; the 20 with the most use are shown.',
  query: Which.extend({
    days: wholeNumber(1, mostDays ?? 1)
      .optional()
      .meta({ description: 'Days up to today; 7 when missing' }),
  }),
  answer: UsageRecord.schema,
  errors: ERRORS,
  example: {
    query: { product_no: 'DYN-1', days: 7 },
    data: UsageRecord.show({ ...USAGE_EXAMPLE, unit: 'GB' }),
  },
  async handle({ core, query }, actor) {
    const { product_no: productNo, user_id: userId, days } = query
    const figures = await core.traffic.usage(actor, { productNo, userId, days })
    return UsageRecord.show({ ...figures, unit: 'GB' })
  },
})

const Hosts = z.strictObject({
  user_id: z.int(),
  product_no: z.string(),
  keeps_hosts: z.boolean().meta({ description: 'Whether it is kept which hosts are reached' }),
})

export const setKeepsHosts = endpoint({
  name: 'setKeepsHosts',
  method: 'PUT',
  path: `${USAGE}/hosts`,
  tag: TAG,
  scope: 'traffic',
  summary: 'Switch whether hosts are kept',
  description: 'Switching it off forgets the hosts that were kept. The use of each day is kept in any case.',
  body: z
    .object({
      product_no: shape.productNo.meta({ description: 'Product of which traffic was bought' }),
      user_id: shape.userId.meta({ description: OWNER }),
      keeps_hosts: z.boolean().meta({ description: 'Whether it is to be kept which hosts are reached' }),
    })
    .meta({ id: 'SetKeepsHosts' }),
  answer: Hosts,
  errors: ERRORS,
  example: {
    body: { product_no: 'DYN-1', keeps_hosts: true },
    data: { user_id: 2, product_no: 'DYN-1', keeps_hosts: true },
  },
  async handle({ core, body }, actor) {
    const which = { productNo: body.product_no, userId: body.user_id }
    const { userId, productNo, keepsHosts } = await core.traffic.setKeepsHosts(actor, which, body.keeps_hosts)
    return { user_id: userId, product_no: productNo, keeps_hosts: keepsHosts }
  },
})
