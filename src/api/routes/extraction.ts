import { z } from 'zod'
import type { ErrorCode } from '../../core/errors.ts'
import { endpoint, publicEndpoint } from '../endpoint.ts'
import {
  ExtractionBody,
  extractionExample,
  ExtractionResult,
  FullExtractionBody,
  toExtractionResult,
} from '../wire/extraction.ts'

const TAG = 'Extraction'
/** Path of public links below the base address. */
export const LINKS = '/open/app/dynamic/extract/'
const ERRORS: readonly ErrorCode[] = [
  'agent_required',
  'not_direct_sub_user',
  'account_disabled',
  'sub_user_not_found',
  'product_not_found',
  'traffic_exhausted',
  'idempotency_conflict',
]
/** Token of the link that the sandbox has. */
const EXAMPLE_LINK = 'd8EjAoCIvPcTotCNDLMZRxifEa489rwV'
const GRAMMAR =
  'Usernames follow the grammar `<account>[-country-us][-city-losangeles][-session-<6..16 alphanumerics>][-lifetime-<1..120>]` ' +
  '(minutes); clients may write such usernames themselves, with the same password.'
const LINK_TOKEN = { description: 'The end of the link', example: EXAMPLE_LINK } as const
const PUBLIC_PATH = '/business/dynamic-proxy/extract'
const EXTRACT_CONFIG = { method: 'password', quantity: 1, validTime: 5, sticky: true } as const

/** POST /business/dynamic-proxy/extract in variant A (rules 6.5). */
export const extractPublicPool = endpoint({
  name: 'extractPublicPool',
  method: 'POST',
  path: PUBLIC_PATH,
  variants: ['A'],
  tag: TAG,
  scope: 'traffic',
  summary: 'Credentials for the public pool',
  description: `Only products of the pool \`dynamic_2\`; use the account-level extraction for others. ${GRAMMAR}`,
  body: ExtractionBody,
  answer: ExtractionResult.schema,
  idempotent: true,
  errors: [...ERRORS, 'pool_not_public'],
  example: {
    body: { productNo: 'DYN-2', countryCode: 'US', extractConfig: EXTRACT_CONFIG },
    data: extractionExample,
  },
  async handle({ core, body, baseUrl, idempotencyKey, replayed }, actor) {
    const extraction = await core.traffic.extract(actor, 'public', body, { requestKey: idempotencyKey })
    return toExtractionResult(replayed(extraction), baseUrl + LINKS)
  },
})

/** POST /business/dynamic-proxy/extract in variant B (rules 6.5). */
export const extractNamedProduct = endpoint({
  name: 'extractNamedProduct',
  method: 'POST',
  path: PUBLIC_PATH,
  variants: ['B'],
  tag: TAG,
  scope: 'traffic',
  summary: 'Credentials for a dynamic product',
  description: `\`productNo\` and \`proxyType\` are required. ${GRAMMAR}`,
  body: FullExtractionBody,
  answer: ExtractionResult.schema,
  idempotent: true,
  errors: ERRORS,
  example: {
    body: { productNo: 'DYN-2', proxyType: 104, countryCode: 'US', extractConfig: EXTRACT_CONFIG },
    data: extractionExample,
  },
  async handle({ core, body, baseUrl, idempotencyKey, replayed }, actor) {
    const extraction = await core.traffic.extract(actor, 'any', body, { requestKey: idempotencyKey })
    return toExtractionResult(replayed(extraction), baseUrl + LINKS)
  },
})

/** POST /open/app/dynamic/extract (rules 6.5). */
export const extractOwnPool = endpoint({
  name: 'extractOwnPool',
  method: 'POST',
  path: '/open/app/dynamic/extract',
  tag: TAG,
  scope: 'traffic',
  summary: 'Credentials for any own pool',
  description:
    'Without `productNo` the product in which traffic is left. With `method` `api` the answer has a public link, which hands ' +
    `out new credentials until it is revoked; at most 20 links per product work at once, a further one ends the oldest. ${GRAMMAR}`,
  body: ExtractionBody,
  answer: ExtractionResult.schema,
  idempotent: true,
  errors: ERRORS,
  example: {
    body: {
      productNo: 'DYN-2',
      countryCode: 'US',
      extractConfig: { ...EXTRACT_CONFIG, method: 'api', returnType: 'txt', delimiter: 4 },
    },
    data: {
      ...extractionExample,
      method: 'api',
      text: 'gw2.proxy.example:8002:u0q2w3e4r5t6y7-country-us-session-a1b2c3d4-lifetime-5:GkT4mP9sWx2Rb7Nq5Hjz',
      api_url: `https://example.com/api/open/app/dynamic/extract/${EXAMPLE_LINK}`,
    },
  },
  async handle({ core, body, baseUrl, idempotencyKey, replayed }, actor) {
    const extraction = await core.traffic.extract(actor, 'any', body, { requestKey: idempotencyKey })
    return toExtractionResult(replayed(extraction), baseUrl + LINKS)
  },
})

/** GET /open/app/dynamic/extract/{token} (rules 6.8). */
export const openExtractLink = publicEndpoint({
  name: 'openExtractLink',
  method: 'GET',
  path: '/open/app/dynamic/extract/:token',
  params: { token: LINK_TOKEN },
  tag: TAG,
  summary: 'The public link of an extraction',
  description:
    'Needs no token but that in the link. Answers new credentials as lines of text, in the shape that was asked for when the ' +
    'link was made. A link may be called 60 times a minute; one that was revoked is `route_not_found`.',
  mediaType: 'text/plain',
  answer: z.string(),
  errors: ['route_not_found', 'account_disabled', 'traffic_exhausted', 'rate_limited'],
  example: { data: 'gw2.proxy.example:8002:u0q2w3e4r5t6y7-country-us:GkT4mP9sWx2Rb7Nq5Hjz' },
  handle: ({ core, params }) => core.traffic.openLink(params.token),
})

const Revoked = z.strictObject({ revoked: z.int().meta({ description: 'Number of links that ended' }) })

/** DELETE /open/app/dynamic/extract/{token}: ends a public link. */
export const revokeExtractLink = endpoint({
  name: 'revokeExtractLink',
  method: 'DELETE',
  path: '/open/app/dynamic/extract/:token',
  params: { token: LINK_TOKEN },
  tag: TAG,
  scope: 'traffic',
  summary: 'Revoke a public link',
  description: 'A link to own traffic or, for an agent, to that of a direct sub-user.',
  answer: Revoked,
  errors: ['route_not_found'],
  example: { data: { revoked: 1 } },
  async handle({ core, params }, actor) {
    await core.traffic.revokeLink(actor, { token: params.token })
    return { revoked: 1 }
  },
})

/** DELETE /open/app/dynamic/extract: ends all public links of the caller. */
export const revokeAllExtractLinks = endpoint({
  name: 'revokeAllExtractLinks',
  method: 'DELETE',
  path: '/open/app/dynamic/extract',
  tag: TAG,
  scope: 'traffic',
  summary: 'Revoke all own public links',
  answer: Revoked,
  example: { data: { revoked: 3 } },
  handle: async ({ core }, actor) => ({ revoked: await core.traffic.revokeAllLinks(actor) }),
})
