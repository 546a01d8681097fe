import { z } from 'zod'
import type { ApiKeyUse } from '../core/api-keys/use-api-key.ts'
import { type ErrorCode, ServiceError } from '../core/errors.ts'
import { GatewayId } from '../core/gateway/wire.ts'
import { LANGUAGES } from '../core/languages.ts'
import { answerSchema, type Endpoint, exampleData, type PathParameter } from './endpoint.ts'
import { errorSchema, successExample, successHead, successSchema } from './envelope.ts'
import { errorBody } from './error-body.ts'
import { ERROR_DATA } from './error-data.ts'
import { ERROR_STATUS } from './errors.ts'
import { tidy } from './json-schema.ts'
import type { Language } from './language.ts'
import { nextTurn } from '../core/turns.ts'
import { TOPICS } from '../operator/topics.ts'
import { productVersion } from '../product-version.ts'
import { RATE_LIMITS } from './rate-limits.ts'
import type { BaseAddress, Variant } from './variants.ts'
import { WEBHOOK_EVENTS } from './wire/webhook-event.ts'

type Json = Record<string, unknown>

const DESCRIPTION = `
Every answer is JSON. A success is HTTP 200 with \`code\` 0; a failure has its HTTP status in \`code\`, a stable name in
\`error\`, and an id in \`request_id\` and the header \`X-Request-Id\` that finds it in the log. \`message\` and \`msg\` are equal.

- \`Authorization: Bearer …\` holds an access token, which the log-in answers, or an API key.
- Texts follow \`Accept-Language\` (${LANGUAGES.map((language) => `\`${language}\``).join(' or ')}).
- Times are ISO 8601 in UTC. Money is a number in units of the account currency with at most 6 decimals.
- Unknown fields of a body are ignored; a field of the wrong type is refused. Bodies have at most 256 KiB and are not compressed.
- Answers 401 have the header \`WWW-Authenticate\`. A path that exists answers other methods with 405 \`method_not_allowed\` and \`Allow\`.
- Answers 429 and 503 have the header \`Retry-After\` (seconds).
- Each error has a page, to which the header \`Link\` of the answer leads (\`rel="help"\`); [all of them](docs/errors/).
- Answers to GET have a weak \`ETag\`; with \`If-None-Match\` the answer is 304 without a body while nothing has changed. Clients that take gzip
  get longer answers compressed.
- An account has ${RATE_LIMITS.reads} reads and ${RATE_LIMITS.writes} other requests a minute; public endpoints, log-in among them, and refused tokens
  count by address: ${RATE_LIMITS.strangers} a minute. The operator may have set other numbers; the headers \`RateLimit-Limit\`,
  \`RateLimit-Remaining\` and \`RateLimit-Reset\` (seconds) tell them.
`

const OPERATOR_DESCRIPTION = `
What those who run the shop ask, as the commands of \`operator\` do: each operation is one of them, with its name and its options. Who may do what
is said by the role of the person; everything that is done is kept in the trail.

- A person makes a link in the chat with the bot (_Operator › On the web_), which works once and for 5 minutes. A browser opens it; a program
  sends its code to \`logIn\` and gets a token for \`Authorization: Bearer …\`. The session ends after 12 hours, when the person logs out, is
  removed, or gets another role or Telegram user.
- \`result\` of an answer is the document that the command prints with \`--json\`, \`text\` what it prints without, and \`warnings\` are possible
  mistakes.
- Envelope, errors, times and money are those of the interface for customers. With a cookie in place of the bearer, what changes something
  must come from a page of this service (\`Origin\`).
`

const OPERATOR_SECURITY = {
  session: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'prs_<secret>',
    description: 'The token of a session',
  },
}

/** Descriptions of the headings. */
const TAGS: Readonly<Record<string, string>> = {
  Authentication: 'How to get a token, end it, and how a new account is activated.',
  'API keys': 'With which programs act for an account, beside access tokens.',
  Webhooks: 'Where an account is told what happens, instead of asking again and again.',
  'Sub-users': 'What an agent does with its direct sub-users.',
  Earnings: 'What sub-users pay, and what their agent earns by it.',
  Users: 'The calling account itself.',
  Products: 'What can be bought, where, and for how much.',
  Orders: 'What all orders have in common.',
  'Static orders': 'Proxies sold per IP for a term.',
  'Dynamic orders': 'Proxies sold by traffic.',
  Traffic: 'What is left of the traffic that was bought, and what it was used for.',
  Extraction: 'Credentials that use up bought traffic.',
  'Dynamic sub-accounts': 'Credentials with an amount of traffic of their own.',
  Gateway: 'What a gateway for dynamic traffic asks and reports; with the token of the gateways.',
  Records: 'The dashboard, and every change of a balance.',
  'USDT top-up': 'Balance for USDT on the TRON network.',
}

/** Refusals that endpoints share. */
const SHARED_ERRORS = {
  all: ['rate_limited', 'internal_error', 'unavailable'],
  token: [
    'token_missing',
    'token_invalid',
    'user_not_found',
    'account_disabled',
    'account_not_activated',
    'scope_missing',
    'address_not_allowed',
  ],
  gatewayToken: ['token_missing', 'token_invalid'],
  session: ['token_missing', 'token_invalid', 'not_permitted'],
  input: ['validation_error'],
  body: ['malformed_json', 'payload_too_large', 'unsupported_media_type'],
  /** Answered when a path parameter is too long. */
  path: ['route_not_found'],
} as const satisfies Record<string, readonly ErrorCode[]>

/**
 * Makes the OpenAPI 3.1 document of one base address from the endpoints' own schemas; one endpoint in each turn of the event loop,
 * so that requests do not wait for it.
 */
export async function openApiDocument(
  { path: base, variant, isOfOperator = false }: BaseAddress,
  endpoints: readonly Endpoint[],
): Promise<Json> {
  const schemas = new Schemas()
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    await nextTurn()
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint, variant, schemas) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: `Proxy reseller service, ${isOfOperator ? 'for those who run the shop' : `variant ${variant.name}`}`,
      version: productVersion(),
      description: (isOfOperator ? OPERATOR_DESCRIPTION : DESCRIPTION).trim(),
    },
    servers: [{ url: base }],
    tags: [...new Set(endpoints.map(({ tag }) => tag))].map((name) => ({
      name,
      description: TAGS[name] ?? TOPICS[name],
    })),
    paths,
    ...(!isOfOperator && { webhooks: webhooks(schemas) }),
    components: {
      securitySchemes: isOfOperator
        ? OPERATOR_SECURITY
        : {
            bearer: {
              type: 'http',
              scheme: 'bearer',
              bearerFormat: 'JWT',
              description: 'The access token of a log-in',
            },
            apiKey: {
              type: 'http',
              scheme: 'bearer',
              bearerFormat: 'prk_<id>_<secret>',
              description: 'An API key with the scope that the operation names',
            },
            gateway: {
              type: 'http',
              scheme: 'bearer',
              description: 'The token of the gateways, which `operator gateway token` shows',
            },
          },
      schemas: schemas.components,
      examples: schemas.examples,
    },
    security: [isOfOperator ? { session: [] } : { bearer: [] }],
  }
}

/** The headers of Standard Webhooks. */
const DELIVERY_HEADERS = {
  'webhook-id': 'Id of the delivery, `msg_…`: the same whenever it is repeated',
  'webhook-timestamp': 'When it was sent, in seconds since 1970',
  'webhook-signature':
    'Signatures of `id.timestamp.body` by HMAC-SHA256, `v1,` before each, separated by spaces',
}

/** Describes the deliveries to webhooks (rules 19.2). */
function webhooks(schemas: Schemas): Json {
  const entries = Object.entries(WEBHOOK_EVENTS).map(([name, { body, summary, example }]) => [
    name,
    {
      post: {
        operationId: `on${name.charAt(0).toUpperCase()}${name.slice(1)}Event`,
        tags: ['Webhooks'],
        summary,
        description:
          'Sent again, with growing pauses over 3 days, until the answer is 2xx. Events of the same subject come in their order.',
        security: [],
        parameters: Object.entries(DELIVERY_HEADERS).map(([header, description]) => ({
          name: header,
          in: 'header',
          required: true,
          description,
          schema: { type: 'string' },
        })),
        requestBody: { required: true, content: json(schemas.of(body, 'output'), example) },
        responses: {
          '2XX': { description: 'Taken' },
          410: { description: 'Nobody is here any more: the webhook is switched off' },
        },
      },
    },
  ])
  return Object.fromEntries(entries) as Json
}

function operation(endpoint: Endpoint, variant: Variant, schemas: Schemas): Json {
  const { name, tag, summary, description, body, example } = endpoint
  const required = body && !body.safeParse(undefined).success
  const data = answerSchema(endpoint, variant)
  const head = successHead(endpoint)[variant.language]
  return {
    operationId: name,
    tags: [tag],
    summary,
    description: [description, keyNote(endpoint)].filter((text) => text !== undefined).join('\n\n'),
    ...(endpoint.public && { security: [] }),
    ...(isForKeys(endpoint) && { security: [{ bearer: [] }, { apiKey: [endpoint.scope].flat() }] }),
    ...(endpoint.gateway && { security: [{ gateway: [] }] }),
    ...(endpoint.operator && { security: [{ session: [] }] }),
    parameters: parameters(endpoint, schemas),
    ...(body && { requestBody: { required, content: json(schemas.of(body, 'input'), example?.body) } }),
    responses: {
      200: {
        description: 'Success',
        content: endpoint.mediaType
          ? {
              [endpoint.mediaType]: {
                schema: schemas.of(data, 'output'),
                example: exampleData(endpoint, variant),
              },
            }
          : json(
              schemas.of(successSchema(data), 'output'),
              endpoint.operator ? undefined : successExample(head, exampleData(endpoint, variant)),
            ),
      },
      ...Object.fromEntries(
        Object.entries(endpoint.statuses ?? {}).map(([status, text]) => [
          status,
          {
            description: text,
            content: { [endpoint.mediaType ?? 'application/json']: { schema: schemas.of(data, 'output') } },
          },
        ]),
      ),
      ...errorResponses(endpoint, variant, schemas),
    },
  }
}

type KeyEndpoint = Extract<Endpoint, { readonly scope: unknown }>

function isForKeys(
  endpoint: Endpoint,
): endpoint is KeyEndpoint & { readonly scope: NonNullable<ApiKeyUse['scope']> } {
  return 'scope' in endpoint && endpoint.scope !== null
}

/** Returns a note on what API keys need for an endpoint; undefined on public endpoints and those of gateways. */
function keyNote(endpoint: Endpoint): string | undefined {
  if (!('scope' in endpoint)) return undefined
  return endpoint.scope === null
    ? 'Takes an access token only, no API key.'
    : `An API key needs ${[endpoint.scope]
        .flat()
        .map((scope) => `the scope \`${scope}\``)
        .join(' and ')}.`
}

function parameters(
  { path, params, query, example, idempotent, gateway }: Endpoint,
  schemas: Schemas,
): Json[] {
  const described: Readonly<Record<string, PathParameter>> = params ?? {}
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => {
    const { description, example: value } = described[name] ?? {}
    const schema = { type: typeof value === 'number' ? 'integer' : 'string' }
    return { name, in: 'path', required: true, description, schema, example: value }
  })
  const { properties = {}, required = [] } = query ? schemas.fields(query) : {}
  const inQuery = Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema,
    ...(example?.query?.[name] !== undefined && { example: example.query[name] }),
  }))
  const header = {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'The caller’s own name for this request, kept for 30 days at least. The same key with the same body answers the first result, ' +
      'with the header `Idempotency-Replayed: true`; with another body `idempotency_conflict`. Of an order, its application number when ' +
      'the body has none',
    schema: { type: 'string', maxLength: 64 },
  }
  const journal = {
    name: 'Gateway-Id',
    in: 'header',
    required: true,
    description: 'Names the journal of the gateway: the same after a restart',
    schema: schemas.of(GatewayId, 'input'),
    example: 'gateway-of-the-docs',
  }
  return [...inPath, ...inQuery, ...(idempotent ? [header] : []), ...(gateway ? [journal] : [])]
}

function tokenErrors(endpoint: Endpoint): readonly ErrorCode[] {
  if (endpoint.public) return []
  if (endpoint.operator) return SHARED_ERRORS.session
  return endpoint.gateway ? SHARED_ERRORS.gatewayToken : SHARED_ERRORS.token
}

/** Returns the errors with which an endpoint answers. */
export function codesOf(endpoint: Endpoint): ReadonlySet<ErrorCode> {
  return new Set<ErrorCode>([
    ...tokenErrors(endpoint),
    ...(endpoint.body || !endpoint.mediaType || endpoint.query ? SHARED_ERRORS.input : []),
    ...(endpoint.method === 'GET' ? [] : SHARED_ERRORS.body),
    ...(endpoint.params ? SHARED_ERRORS.path : []),
    ...(endpoint.errors ?? []),
    ...SHARED_ERRORS.all,
  ])
}

function errorResponses(endpoint: Endpoint, variant: Variant, schemas: Schemas): Json {
  const codes = codesOf(endpoint)
  const statuses = [...new Set([...codes].map((code) => ERROR_STATUS[code]))]
  return Object.fromEntries(
    statuses.map((status) => {
      const errors = [...codes].filter((code) => ERROR_STATUS[code] === status)
      return [status, errorResponse(errors, variant, schemas)]
    }),
  )
}

/** Statuses after which a retry makes sense (rules 1.14). */
const RETRIED: ReadonlySet<number> = new Set([429, 503])
const RETRY_AFTER = { description: 'Seconds after which a repeat makes sense', schema: { type: 'integer' } }

/** Describes the errors of one status; a client tells several apart by `error`. */
function errorResponse(codes: readonly ErrorCode[], { language }: Variant, schemas: Schemas): Json {
  const refs = codes.map((code) => schemas.of(errorSchema(code), 'output'))
  const mapping = Object.fromEntries(codes.map((code, index) => [code, refs[index]?.['$ref']]))
  const schema =
    refs.length === 1 ? refs[0] : { oneOf: refs, discriminator: { propertyName: 'error', mapping } }
  const examples = codes.map((code) => [code, schemas.example(code, language)])
  const headers = codes.some((code) => RETRIED.has(ERROR_STATUS[code])) && { 'Retry-After': RETRY_AFTER }
  return {
    description: codes.map((code) => `\`${code}\``).join(', '),
    ...(headers && { headers }),
    content: { 'application/json': { schema, examples: Object.fromEntries(examples) } },
  }
}

/** Returns what the service answers, with a made-up request id. */
export function errorExample(code: ErrorCode, language: Language): object {
  const { example } = ERROR_DATA[code] ?? {}
  const error =
    example instanceof ServiceError ? example : new ServiceError(code, example && { data: example })
  return errorBody(error, language, '6f1d9c1e-8f0b-4f43-9d8e-0c6b8a1f2e3d')
}

function json(schema: Json, example: unknown): Json {
  return { 'application/json': { schema, ...(example !== undefined && { example }) } }
}

/** Turns zod schemas into JSON Schemas; those with an id become components, and so do the examples of errors. */
class Schemas {
  readonly components: Record<string, Json> = {}
  readonly examples: Record<string, Json> = {}

  /** Returns a reference to the example of an error, which is the same wherever it is answered. */
  example(code: ErrorCode, language: Language): Json {
    this.examples[code] ??= { value: errorExample(code, language) }
    return { $ref: `#/components/examples/${code}` }
  }

  of(schema: z.ZodType, io: 'input' | 'output'): Json {
    const { id } = z.globalRegistry.get(schema) ?? {}
    const reference = { $ref: `#/components/schemas/${id}` }
    if (id !== undefined && this.components[id]) return reference
    const {
      $schema: _,
      $defs = {},
      ...root
    } = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: dropNoise })
    for (const [name, component] of Object.entries($defs)) this.#add(name, component)
    if (id === undefined) return withComponentRefs(root)
    this.#add(id, root)
    return reference
  }

  /** Returns the fields of an object schema, for parameters. */
  fields(schema: z.ZodType): { properties?: Record<string, Json>; required?: string[] } {
    return this.of(schema, 'input')
  }

  #add(name: string, component: Json): void {
    const { id: _, ...schema } = component
    this.components[name] ??= withComponentRefs(schema)
  }
}

function withComponentRefs(schema: Json): Json {
  return tidy(JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as Json)
}

/** Drops the bounds of safe integers, which tell a reader nothing. */
function dropNoise({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}
