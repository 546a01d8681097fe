import type { z } from 'zod'
import type { Actor } from '../core/access.ts'
import type { Core } from '../core/core.ts'
import type { ErrorCode } from '../core/errors.ts'
import type { List } from './envelope.ts'
import type { Language, Texts } from './language.ts'
import type { Variant } from './variants.ts'

/** A call of an endpoint, as its handler sees it. */
export interface Call<Query, Body> {
  readonly core: Core
  readonly query: Query
  readonly body: Body
  /** Of texts, and of names unless the endpoint takes a language of its own. */
  readonly language: Language
  readonly variant: Variant
  /** Network address of the client. */
  readonly address: string
  /** The header `Idempotency-Key`; endpoints that are not `idempotent` never see it. */
  readonly idempotencyKey: string | undefined
  /** Sets a header of the answer. */
  readonly setHeader: (name: string, value: string) => void
}

interface Described<Query extends z.ZodType, Body extends z.ZodType, Answer extends z.ZodType> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Below the base address. */
  readonly path: string
  /** Heading under which the API docs show it. */
  readonly tag: string
  readonly summary: string
  readonly description?: string
  readonly query?: Query
  readonly body?: Body
  /** Schema of `data`: for the API docs, and for tests, which check every answer against it. */
  readonly answer: Answer | ((variant: Variant) => Answer)
  /** Text of the success, where it is not the usual one. */
  readonly text?: Texts
  /** Refusals of its own; those that all endpoints share need no mention. */
  readonly errors?: readonly ErrorCode[]
  /** Takes the header `Idempotency-Key` (contract 4). */
  readonly idempotent?: true
  /** For the API docs; tests hold it against the schemas. */
  readonly example: {
    readonly query?: Readonly<Record<string, string | number>>
    readonly body?: z.input<Body>
    readonly data: Data<Answer> | ((variant: Variant) => Data<Answer>)
  }
}

/** What a handler returns: the data of its answer, a list as a {@link List}. */
type Data<Answer extends z.ZodType> =
  z.output<Answer> extends { readonly list: readonly (infer Item)[] } ? List<Item> : z.output<Answer>

interface PublicEndpoint<
  Query extends z.ZodType,
  Body extends z.ZodType,
  Answer extends z.ZodType,
> extends Described<Query, Body, Answer> {
  readonly public: true
  handle(call: Call<z.output<Query>, z.output<Body>>): Promise<Data<Answer>>
}

interface PrivateEndpoint<
  Query extends z.ZodType,
  Body extends z.ZodType,
  Answer extends z.ZodType,
> extends Described<Query, Body, Answer> {
  /** Wants a bearer token. */
  readonly public: false
  handle(call: Call<z.output<Query>, z.output<Body>>, actor: Actor): Promise<Data<Answer>>
}

/**
 * All there is to say about one endpoint: route, validation, documentation and what it does. Adding one is writing one and
 * naming it in `routes/index.ts`.
 */
export type Endpoint =
  PublicEndpoint<z.ZodType, z.ZodType, z.ZodType> | PrivateEndpoint<z.ZodType, z.ZodType, z.ZodType>

/** An endpoint that wants a bearer token. */
export function endpoint<
  Answer extends z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
>(definition: Omit<PrivateEndpoint<Query, Body, Answer>, 'public'>): Endpoint {
  return { ...definition, public: false }
}

/** An endpoint for everybody. */
export function publicEndpoint<
  Answer extends z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
>(definition: Omit<PublicEndpoint<Query, Body, Answer>, 'public'>): Endpoint {
  return { ...definition, public: true }
}

/** The schema of an endpoint's `data` under a variant. */
export function answerSchema({ answer }: Endpoint, variant: Variant): z.ZodType {
  return typeof answer === 'function' ? answer(variant) : answer
}

/** The example of an endpoint's `data` under a variant. */
export function exampleData({ example }: Endpoint, variant: Variant): unknown {
  return typeof example.data === 'function' ? example.data(variant) : example.data
}
