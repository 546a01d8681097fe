import { z } from 'zod'
import type { ErrorCode } from '../core/errors.ts'
import { answerSchema, type Endpoint, exampleData } from './endpoint.ts'
import { ErrorSchema, SUCCESS, success, successHead, successSchema } from './envelope.ts'
import { ERRORS } from './errors.ts'
import { RATE_LIMITS } from './rate-limits.ts'
import type { BaseAddress, Variant } from './variants.ts'

type Json = Record<string, unknown>

const DESCRIPTION = `
Every answer is JSON. A success is HTTP 200 with \`code\` 0; a failure has its HTTP status in \`code\`, a stable name in
\`error\`, and an id in \`request_id\` and the header \`X-Request-Id\` that finds it in the log. \`message\` and \`msg\` are equal.

- Texts follow \`Accept-Language\` (\`en\` or \`zh\`).
- Times are ISO 8601 in UTC. Money is a number in units of the account currency with at most 6 decimals.
- Unknown fields of a body are ignored; a field of the wrong type is refused. Bodies have at most 256 KiB.
- Answers 429 and 503 have the header \`Retry-After\` (seconds).
- An account has ${RATE_LIMITS.reads} reads and ${RATE_LIMITS.writes} other requests a minute; public endpoints, log-in among them, and refused tokens
  count by address: ${RATE_LIMITS.strangers} a minute. The operator may have set other numbers; the headers \`RateLimit-Limit\`,
  \`RateLimit-Remaining\` and \`RateLimit-Reset\` (seconds) tell them.
`

/** What is found under each heading. */
const TAGS: Readonly<Record<string, string>> = {
  Authentication: 'How to get a token, and how a new account is activated.',
  'Sub-users': 'What an agent does with its direct sub-users.',
  Users: 'The calling account itself.',
  Products: 'What can be bought, where, and for how much.',
  Orders: 'What all orders have in common.',
  'Static orders': 'Proxies sold per IP for a term.',
  'Dynamic orders': 'Proxies sold by traffic.',
  Traffic: 'What is left of the traffic that was bought.',
  Extraction: 'Credentials that use up bought traffic.',
  'Dynamic sub-accounts': 'Credentials with an amount of traffic of their own.',
  Records: 'The dashboard, and every change of a balance.',
  'USDT top-up': 'Balance for USDT on the TRON network.',
}

/** Refusals that endpoints share. */
const SHARED_ERRORS = {
  all: ['rate_limited', 'internal_error', 'unavailable'],
  token: ['token_missing', 'token_invalid', 'user_not_found', 'account_disabled', 'account_not_activated'],
  input: ['validation_error'],
  body: ['malformed_json', 'payload_too_large', 'unsupported_media_type'],
} as const satisfies Record<string, readonly ErrorCode[]>

/** The interface under one base address as an OpenAPI 3.1 document, made from the endpoints' own schemas. */
export function openApiDocument({ path: base, variant }: BaseAddress, endpoints: readonly Endpoint[]): Json {
  const schemas = new Schemas()
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint, variant, schemas) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: `Proxy reseller service, variant ${variant.name}`,
      version: '2.0.0',
      description: DESCRIPTION.trim(),
    },
    servers: [{ url: base }],
    tags: [...new Set(endpoints.map(({ tag }) => tag))].map((name) => ({ name, description: TAGS[name] })),
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: schemas.components,
    },
    security: [{ bearer: [] }],
  }
}

function operation(endpoint: Endpoint, variant: Variant, schemas: Schemas): Json {
  const { tag, summary, description, method, path, body, example } = endpoint
  const required = body && !body.safeParse(undefined).success
  const data = answerSchema(endpoint, variant)
  const head = successHead(endpoint.text ?? SUCCESS)[variant.language]
  return {
    operationId: `${method.toLowerCase()}${path.replace(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    tags: [tag],
    summary,
    ...(description && { description }),
    ...(endpoint.public && { security: [] }),
    parameters: parameters(endpoint, schemas),
    ...(body && { requestBody: { required, content: json(schemas.of(body, 'input'), example.body) } }),
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
              JSON.parse(success(head, exampleData(endpoint, variant))),
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

function parameters({ path, query, example, idempotent }: Endpoint, schemas: Schemas): Json[] {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const { properties = {}, required = [] } = query ? schemas.fields(query) : {}
  const inQuery = Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema,
    ...(example.query?.[name] !== undefined && { example: example.query[name] }),
  }))
  const header = {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes repeating the request harmless; of an order, its application number when the body has none',
    schema: { type: 'string', maxLength: 64 },
  }
  return [...inPath, ...inQuery, ...(idempotent ? [header] : [])]
}

function errorResponses(endpoint: Endpoint, { language }: Variant, schemas: Schemas): Json {
  const codes = new Set<ErrorCode>([
    ...(endpoint.public ? [] : SHARED_ERRORS.token),
    ...(endpoint.body || endpoint.query || endpoint.idempotent ? SHARED_ERRORS.input : []),
    ...(endpoint.method === 'GET' ? [] : SHARED_ERRORS.body),
    ...(endpoint.errors ?? []),
    ...SHARED_ERRORS.all,
  ])
  const statuses = [...new Set([...codes].map((code) => ERRORS[code].status))]
  return Object.fromEntries(
    statuses.map((status) => {
      const errors = [...codes].filter((code) => ERRORS[code].status === status)
      const examples = errors.map((code) => [code, { value: errorExample(code, ERRORS[code][language]) }])
      return [
        status,
        {
          description: errors.map((code) => `\`${code}\``).join(', '),
          content: {
            'application/json': {
              schema: schemas.of(ErrorSchema, 'output'),
              examples: Object.fromEntries(examples),
            },
          },
        },
      ]
    }),
  )
}

function errorExample(code: ErrorCode, message: string): z.infer<typeof ErrorSchema> {
  const request_id = '6f1d9c1e-8f0b-4f43-9d8e-0c6b8a1f2e3d'
  return { code: ERRORS[code].status, error: code, message, msg: message, data: null, request_id }
}

function json(schema: Json, example: unknown): Json {
  return { 'application/json': { schema, ...(example !== undefined && { example }) } }
}

/** Turns zod schemas into JSON Schemas; those with an id become components. */
class Schemas {
  readonly components: Record<string, Json> = {}

  of(schema: z.ZodType, io: 'input' | 'output'): Json {
    const {
      $schema: _,
      $defs = {},
      ...root
    } = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: dropNoise })
    for (const [id, component] of Object.entries($defs)) this.#add(id, component)
    const { id } = z.globalRegistry.get(schema) ?? {}
    if (id === undefined) return withComponentRefs(root)
    this.#add(id, root)
    return { $ref: `#/components/schemas/${id}` }
  }

  /** The fields of an object schema, for parameters. */
  fields(schema: z.ZodType): { properties?: Record<string, Json>; required?: string[] } {
    return this.of(schema, 'input')
  }

  #add(name: string, component: Json): void {
    const { id: _, ...schema } = component
    this.components[name] ??= withComponentRefs(schema)
  }
}

function withComponentRefs(schema: Json): Json {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as Json
}

/** Every whole number of JavaScript has these bounds; they tell a reader nothing. */
function dropNoise({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}
