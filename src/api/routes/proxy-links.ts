import { z } from 'zod'
import { PROXY_LINK, PROXY_LINK_EXAMPLE, ProxyLinkInput } from '../../core/orders/proxy-links.ts'
import { endpoint, publicEndpoint } from '../endpoint.ts'
import { recordId } from '../../core/identifiers.ts'
import { record } from '../../core/record.ts'
import { idOfRecord } from '../wire/query.ts'

const TAG = 'Static orders'
const PATH = '/open/app/static/links'
/** Path of public links to proxies below the base address. */
export const PROXY_LINKS = '/open/app/static/proxies/'
/** Token of the link that the sandbox has. */
const EXAMPLE_TOKEN = '8h6O7PXzKzPP_Qnyk8Dz3PaNjZR-2-fN'

const ProxyLinkRecord = record(PROXY_LINK, { id: 'ProxyLink' })
const url = z.string().meta({ description: 'The public link; lists do not tell it again' })
const NewProxyLinkRecord = record({ ...PROXY_LINK, url }, { id: 'NewProxyLink' })

const { shape } = ProxyLinkInput

/** POST /open/app/static/links (rules 17.6). */
export const createProxyLink = endpoint({
  name: 'createProxyLink',
  method: 'POST',
  path: PATH,
  tag: TAG,
  scope: ['orders', 'read'],
  summary: 'Make a public link to proxies',
  description:
    'Whoever opens it gets the proxies that are in use at that moment: renewals, replacements and releases show at once. At most ' +
    '20 links per user work at the same time, a further one ends the oldest.',
  body: ProxyLinkInput.extend({
    userId: shape.userId.meta({
      description: 'Whose proxies: the caller’s, or those of a direct sub-user of the calling agent',
    }),
    orderNo: shape.orderNo.meta({
      description: 'Number of a static order; without it all proxies of the user',
    }),
    content: shape.content.meta({
      description: '`txt` lines, `csv` a table with a header, `json` a list of objects',
    }),
    format: shape.format.meta({
      description:
        'How a line is written: `colon` (ip:port:user:pass), `at` (user:pass@ip:port), `http`, `socks5` (URLs), `csv`, or a text with ' +
        'the words host, port, username and password',
    }),
    delimiter: shape.delimiter.meta({
      description: 'Between lines: 1 `\\r\\n`, 2 `/br`, 3 `\\r`, 4 `\\n`, 5 `\\t`',
    }),
  }).meta({ id: 'CreateProxyLink' }),
  answer: NewProxyLinkRecord.schema,
  idempotent: true,
  errors: [
    'agent_required',
    'not_direct_sub_user',
    'sub_user_not_found',
    'account_disabled',
    'order_not_found',
    'idempotency_conflict',
  ],
  example: {
    body: { content: 'txt', format: 'colon' },
    data: NewProxyLinkRecord.show({
      ...PROXY_LINK_EXAMPLE,
      url: `https://example.com/api${PROXY_LINKS}${EXAMPLE_TOKEN}`,
    }),
  },
  async handle({ core, body, baseUrl, idempotencyKey, replayed }, actor) {
    const link = replayed(await core.orders.createLink(actor, body, { requestKey: idempotencyKey }))
    return NewProxyLinkRecord.show({ ...link, url: baseUrl + PROXY_LINKS + link.token })
  },
})

/** GET /open/app/static/links (rules 17.6). */
export const listProxyLinks = endpoint({
  name: 'listProxyLinks',
  method: 'GET',
  path: PATH,
  tag: TAG,
  scope: 'read',
  summary: 'Public links to proxies',
  description: 'Newest first, at most 20; without what opens them, which is not stored.',
  query: z.object({
    user_id: idOfRecord
      .optional()
      .meta({ description: 'A direct sub-user of the calling agent; without it the caller' }),
  }),
  answer: z.array(ProxyLinkRecord.schema),
  example: { data: [ProxyLinkRecord.show(PROXY_LINK_EXAMPLE)] },
  async handle({ core, query }, actor) {
    return (await core.orders.listLinks(actor, query.user_id)).map(ProxyLinkRecord.show)
  },
})

const Revoked = z.strictObject({ revoked: z.int().meta({ description: 'Number of links that ended' }) })

/** DELETE /open/app/static/links/{link_id} (rules 17.6). */
export const revokeProxyLink = endpoint({
  name: 'revokeProxyLink',
  method: 'DELETE',
  path: `${PATH}/:link_id`,
  params: { link_id: { description: 'Id of the link', example: 1 } },
  tag: TAG,
  scope: 'orders',
  summary: 'Revoke a public link to proxies',
  description: 'One’s own or, for an agent, that of a direct sub-user.',
  answer: Revoked,
  errors: ['route_not_found'],
  example: { data: { revoked: 1 } },
  async handle({ core, params }, actor) {
    await core.orders.revokeLink(actor, recordId(params.link_id))
    return { revoked: 1 }
  },
})

/** GET /open/app/static/proxies/{token} (rules 17.6). */
export const openProxyLink = publicEndpoint({
  name: 'openProxyLink',
  method: 'GET',
  path: '/open/app/static/proxies/:token',
  params: { token: { description: 'The end of the link', example: EXAMPLE_TOKEN } },
  tag: TAG,
  summary: 'The public link to proxies',
  description:
    'Needs no token but that in the link. Answers the proxies that are in use now, in the shape that was asked for when the link ' +
    'was made. A link may be called 60 times a minute; one that was revoked is `route_not_found`.',
  mediaType: 'text/plain',
  answer: z.string(),
  errors: ['route_not_found', 'account_disabled', 'rate_limited'],
  example: { data: '192.0.2.1:8000:u0q2w3e4r5t6:GkT4mP9sWx2Rb7Nq' },
  handle: ({ core, params }) => core.orders.openLink(params.token),
})
