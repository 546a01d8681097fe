import { z } from 'zod'
import { HEALTHS } from '../../core/checks/health.ts'
import type { ListedProxy } from '../../core/orders/list-proxies.ts'
import { PROXY_FILTERS, PROXY_ORDERS } from '../../core/orders/list-proxies.ts'
import { SEARCH_LIMITS } from '../../core/orders/search-static-orders.ts'
import { MAX_NOTE } from '../../core/orders/set-note.ts'
import { INSTANCE_STATUSES } from '../../core/orders/static-order.ts'
import { calendarDay } from '../../core/calendar-day.ts'
import { translationIn } from '../../core/translations.ts'
import { endpoint } from '../endpoint.ts'
import { List, listSchema } from '../envelope.ts'
import type { Language } from '../language.ts'
import { changes, idOfRecord, paging } from '../wire/query.ts'
import { InstanceRecord, staticOrderExample, toInstance } from '../wire/static-order.ts'

const TAG = 'Static orders'

const ListedInstanceRecord = InstanceRecord.extend({
  user_id: z.int().meta({ description: 'Who owns the proxy' }),
  owner: z.string().meta({ description: 'Username of the account that owns the proxy' }),
  product_no: z.string(),
  product_name: z.string(),
}).meta({ id: 'ListedInstance' })

function toListedInstance(proxy: ListedProxy, language: Language): z.infer<typeof ListedInstanceRecord> {
  return {
    ...toInstance(proxy, proxy.orderNo, language),
    user_id: proxy.userId,
    owner: proxy.owner,
    product_no: proxy.productNo,
    product_name: translationIn(proxy.productNames, language),
  }
}

const example: z.infer<typeof ListedInstanceRecord> = {
  ...(staticOrderExample.instances[0] as z.infer<typeof InstanceRecord>),
  user_id: staticOrderExample.user_id,
  owner: staticOrderExample.username,
  product_no: staticOrderExample.product_no,
  product_name: staticOrderExample.product_name,
}

const Number64 = z.string().max(64).optional()
const Day = calendarDay.optional()

const Query = z.object({
  ...paging,
  ...changes,
  status: z.enum(INSTANCE_STATUSES).optional().meta({ description: 'Proxies in this state only' }),
  health: z.enum(HEALTHS).optional().meta({
    description: 'Proxies of which the tests say this; the ended ones, too, unless `status` says otherwise',
  }),
  filter: z
    .enum(PROXY_FILTERS)
    .optional()
    .meta({
      description:
        'As in the chat: `expiring` within 7 days, the first one first; `works`, `slow`, `failing`, `dead`, `not_tested`: active, and the tests say so; `manual`: active and not renewing itself; `noted`: with a note; ' +
        '`active`, `expired` (the latest first) and `released` as `status`',
    }),
  country_code: z.string().max(2).optional(),
  city_code: z.string().max(16).optional(),
  product_no: Number64.meta({ description: 'Proxies of this product' }),
  order_no: Number64.meta({ description: 'Proxies of this order, by our number or that of the application' }),
  user_id: idOfRecord.optional().meta({ description: 'Proxies of this user' }),
  note: z.string().max(MAX_NOTE).optional().meta({ description: 'Part of the note' }),
  search: z
    .string()
    .max(SEARCH_LIMITS.characters)
    .optional()
    .meta({
      description:
        'Addresses with as much of `ip:port:user:pass` as there is, one a line, also those from before a replacement; else a part ' +
        'of an address, username or note',
    }),
  expire_start: Day.meta({ description: 'First day on which it expires, UTC' }),
  expire_end: Day.meta({ description: 'Last day on which it expires, included' }),
  sort: z
    .enum(PROXY_ORDERS)
    .optional()
    .meta({ description: '`newest` first, or by `expiry`, the first one first' }),
})

/** GET /open/app/static/instances (rules 5.29). */
export const listInstances = endpoint({
  name: 'listInstances',
  method: 'GET',
  path: '/open/app/static/instances',
  tag: TAG,
  scope: 'read',
  summary: 'Proxies, whatever their orders',
  description:
    'Own ones and, for an agent, those of its direct sub-users; expired and released ones, too, unless `status` or `filter` says otherwise.',
  query: Query,
  answer: listSchema(ListedInstanceRecord),
  example: {
    query: { status: 'active', country_code: 'US' },
    data: new List([example], { total: 1, page: 1, pageSize: 20 }),
  },
  async handle({ core, query, language }, actor) {
    const { page, status, health, filter, note, search, sort } = query
    const proxies = await core.orders.listProxies(actor, {
      page,
      status,
      health,
      filter,
      note,
      search,
      sort,
      pageSize: query.pageSize ?? query.page_size,
      countryCode: query.country_code,
      cityCode: query.city_code,
      productNo: query.product_no,
      orderNo: query.order_no,
      userId: query.user_id,
      expireStart: query.expire_start,
      expireEnd: query.expire_end,
      updatedSince: query.updated_since,
    })
    return new List(
      proxies.items.map((proxy) => toListedInstance(proxy, language)),
      proxies,
    )
  },
})

/** GET /open/app/static/instances/{instance_no} (rules 5.29). */
export const getInstance = endpoint({
  name: 'getInstance',
  method: 'GET',
  path: '/open/app/static/instances/:instance_no',
  params: { instance_no: { description: 'Number of the proxy', example: example.instance_no } },
  tag: TAG,
  scope: 'read',
  summary: 'One proxy',
  description: 'Of the caller or of a direct sub-user.',
  answer: ListedInstanceRecord,
  errors: ['instance_not_found'],
  example: { data: example },
  handle: async ({ core, params, language }, actor) =>
    toListedInstance(await core.orders.getProxy(actor, params.instance_no), language),
})
