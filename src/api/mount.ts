import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Core } from '../core/core.ts'
import { parseInput, ServiceError } from '../core/errors.ts'
import { RequestKey } from '../core/request-key.ts'
import { authenticator } from './authentication.ts'
import { answerSchema, type Endpoint } from './endpoint.ts'
import { SUCCESS, success, successHead, successSchema } from './envelope.ts'
import { languageOf } from './language.ts'
import type { Limiter } from './limits.ts'
import type { Variant } from './variants.ts'

export interface MountOptions {
  readonly core: Core
  readonly variant: Variant
  readonly checkAnswers: boolean
  /** Where people reach this server; where the request says without it. */
  readonly publicUrl: string | undefined
  /** Without one nobody is limited. */
  readonly limiter: Limiter | undefined
}

const IdempotencyHeader = z.object({ 'Idempotency-Key': RequestKey.optional() })

/** Makes an endpoint a route: token, validation, handler and envelope. Schemas and texts are prepared here, once. */
export function mount(
  scope: FastifyInstance,
  endpoint: Endpoint,
  { core, variant, checkAnswers, limiter, publicUrl }: MountOptions,
): void {
  const { query, body, text = SUCCESS, idempotent = false, mediaType } = endpoint
  const heads = successHead(text)
  const authenticate = authenticator(core)
  const dataSchema = answerSchema(endpoint, variant)
  const answer = mediaType ? dataSchema : successSchema(dataSchema)

  scope.route({
    method: endpoint.method,
    url: endpoint.path,
    // Whoever only looks whether a page is there must not do what opening it does.
    exposeHeadRoute: !mediaType,
    config: { bodyOptional: !body || body.safeParse(undefined).success },
    onRequest: limiter?.hooks(endpoint, authenticate) ?? (endpoint.public ? [] : [authenticate]),
    handler: async (request, reply) => {
      const { headers } = request
      const language = languageOf(headers['accept-language'], variant.language)
      const call = {
        core,
        variant,
        language,
        baseUrl: `${publicUrl ?? `${request.protocol}://${request.host}`}${scope.prefix}`,
        address: request.ip,
        params: request.params as Readonly<Record<string, string>>,
        query: query && parseInput(query, request.query),
        body: body && parseInput(body, request.body),
        idempotencyKey: idempotent
          ? parseInput(IdempotencyHeader, { 'Idempotency-Key': headers['idempotency-key'] })[
              'Idempotency-Key'
            ]
          : undefined,
        setHeader: (name: string, value: string) => void reply.header(name, value),
        setStatus: (status: number) => void reply.code(status),
      }
      const data = await (endpoint.public
        ? endpoint.handle(call)
        : endpoint.handle(call, actorOf(request.actor)))
      const answerText = mediaType ? String(data) : success(heads[language], data)
      if (checkAnswers) check(answer, mediaType ? data : JSON.parse(answerText))
      void reply.header('content-type', `${mediaType ?? 'application/json'}; charset=utf-8`)
      return answerText
    },
  })
}

function actorOf<Actor>(actor: Actor | null): Actor {
  if (!actor) throw new ServiceError('token_missing')
  return actor
}

/** @throws what does not fit, as an error that is no refusal: it fails the test that caused it */
function check(schema: z.ZodType, answer: unknown): void {
  const result = schema.safeParse(answer)
  if (!result.success) throw new Error(`the answer does not fit its schema: ${z.prettifyError(result.error)}`)
}
