import type { z } from 'zod'
import type { Actor } from '../core/access/actor.ts'
import type { ApiKeyUse } from '../core/api-keys/use-api-key.ts'
import type { Core } from '../core/core.ts'
import type { Session } from '../core/people/web-log-ins.ts'
import type { Operator } from '../core/people/operator.ts'
import type { ErrorCode } from '../core/errors.ts'
import type { List } from './envelope.ts'
import type { Language } from './language.ts'
import type { Variant } from './variants.ts'

/** Names of the parameters in a path: `/orders/:order_no/cancel` has `order_no`. */
type ParamsOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamsOf<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

/** A call of an endpoint, as its handler sees it. */
interface Call<Query, Body, Param extends string = string> {
  readonly core: Core
  /** Parameters of the path as they were sent; what cannot be an id is treated like the id of nothing. */
  readonly params: Readonly<Record<Param, string>>
  readonly query: Query
  readonly body: Body
  /** Language of texts, and of names unless the endpoint takes a language of its own. */
  readonly language: Language
  readonly variant: Variant
  /** Address under which the client reached this variant of the interface, such as `https://example.com/api`. */
  readonly baseUrl: string
  /** Network address of the client. */
  readonly address: string
  /** What the client calls itself: the header `User-Agent`. */
  readonly program: string
  /** The bearer token of the request; undefined on public endpoints. */
  readonly token: string | undefined
  /** The header `Idempotency-Key`; endpoints that are not `idempotent` never see it. */
  readonly idempotencyKey: string | undefined
  /** Ids of the services that resell, the first seller first: the header `X-Reseller-Via`. */
  readonly via: readonly string[]
  /** Sets a header of the answer. */
  readonly setHeader: (name: string, value: string) => void
  /** Notes in a header of the answer when a result is that of an earlier request (rules 4.3, 4.4); returns the result. */
  readonly replayed: <Result extends { readonly replayed: boolean }>(result: Result) => Result
  /** Sets the status of an answer that has no envelope; 200 unless set. */
  readonly setStatus: (status: number) => void
}

/** A parameter in a path. */
export interface PathParameter {
  readonly description: string
  readonly example: string | number
}

interface Described<
  Query extends z.ZodType,
  Body extends z.ZodType,
  Answer extends z.ZodType,
  Path extends string,
> {
  /** Its `operationId`: what generated clients call it. Unique, and kept for ever. The text of its success goes by it, too. */
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path below the base address; `:name` is a parameter. */
  readonly path: Path
  /** The parameters in the path, for the API docs. */
  readonly params?: Readonly<Record<ParamsOf<Path>, PathParameter>>
  /** The variants that have it; all when missing. */
  readonly variants?: readonly Variant['name'][]
  /** Heading under which the API docs show it. */
  readonly tag: string
  readonly summary: string
  readonly description?: string
  readonly query?: Query
  readonly body?: Body
  /** Schema of `data`: for the API docs, and for tests, which check every answer against it. */
  readonly answer: Answer | ((variant: Variant) => Answer)
  /** Media type of an answer that is no JSON: the handler's text is sent as it is, without envelope. */
  readonly mediaType?: 'text/html' | 'text/plain'
  /** Meaning of the statuses other than 200 that come with that media type. */
  readonly statuses?: Readonly<Record<number, string>>
  /** The form of a page posts here: its body is empty, whatever its type, and is not read. */
  readonly form?: true
  /** Refusals of its own; those that all endpoints share need no mention. */
  readonly errors?: readonly ErrorCode[]
  /** Takes the header `Idempotency-Key` (rules 4.4): every POST that creates or moves something does. */
  readonly idempotent?: true
  /** Reads only, although it is no GET: counts as a read where requests are limited. */
  readonly changesNothing?: true
  /** Example for the API docs; tests check it against the schemas. */
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
  Path extends string,
> extends Described<Query, Body, Answer, Path> {
  readonly public: true
  readonly gateway?: never
  readonly operator?: never
  handle(call: Call<z.output<Query>, z.output<Body>, ParamsOf<Path>>): Promise<Data<Answer>>
}

interface PrivateEndpoint<
  Query extends z.ZodType,
  Body extends z.ZodType,
  Answer extends z.ZodType,
  Path extends string,
> extends Described<Query, Body, Answer, Path> {
  /** Needs an access token, or an API key. */
  readonly public: false
  /** The scopes that an API key needs, one or several (rules 1.16); null: no API key will do, only an access token. */
  readonly scope: ApiKeyUse['scope']
  readonly gateway?: never
  readonly operator?: never
  handle(call: Call<z.output<Query>, z.output<Body>, ParamsOf<Path>>, actor: Actor): Promise<Data<Answer>>
}

/** The gateway that made the call. */
export interface CallingGateway {
  /** The header `Gateway-Id`: names its journal. */
  readonly id: string
  /** Aborts when the gateway disconnects, or the service stops. */
  readonly gone: AbortSignal | undefined
}

interface GatewayEndpoint<
  Query extends z.ZodType,
  Body extends z.ZodType,
  Answer extends z.ZodType,
  Path extends string,
> extends Described<Query, Body, Answer, Path> {
  readonly public: false
  /** Needs the token of the gateways; requests with it are exempt from rate limits. */
  readonly gateway: true
  readonly operator?: never
  /** Largest body in bytes, where it is not the usual one. */
  readonly bodyLimit?: number
  handle(
    call: Call<z.output<Query>, z.output<Body>, ParamsOf<Path>>,
    gateway: CallingGateway,
  ): Promise<Data<Answer>>
}

/** Who acts for the shop, and until when. */
export interface OperatorCall {
  readonly operator: Operator
  readonly session: Session
  readonly token: string
}

interface OperatorEndpoint<
  Query extends z.ZodType,
  Body extends z.ZodType,
  Answer extends z.ZodType,
  Path extends string,
> extends Omit<Described<Query, Body, Answer, Path>, 'example'> {
  readonly example?: never
  readonly public: false
  readonly gateway?: never
  /** Needs the token of a session of those who run the shop (rules 14.11). */
  readonly operator: true
  handle(call: Call<z.output<Query>, z.output<Body>, ParamsOf<Path>>, by: OperatorCall): Promise<Data<Answer>>
}

/**
 * Everything about one endpoint: route, validation, documentation and handler. A new one is also listed in `routes/index.ts`.
 */
export type Endpoint =
  | PublicEndpoint<z.ZodType, z.ZodType, z.ZodType, string>
  | PrivateEndpoint<z.ZodType, z.ZodType, z.ZodType, string>
  | GatewayEndpoint<z.ZodType, z.ZodType, z.ZodType, string>
  | OperatorEndpoint<z.ZodType, z.ZodType, z.ZodType, string>

/** Declares an endpoint that needs an access token or an API key. */
export function endpoint<
  Answer extends z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Path extends string = string,
>(definition: Omit<PrivateEndpoint<Query, Body, Answer, Path>, 'public'>): Endpoint {
  return { ...definition, public: false }
}

/** Declares an endpoint for gateways (rules 12.1). */
export function gatewayEndpoint<
  Answer extends z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Path extends string = string,
>(definition: Omit<GatewayEndpoint<Query, Body, Answer, Path>, 'public' | 'gateway'>): Endpoint {
  return { ...definition, public: false, gateway: true }
}

/** Declares an endpoint for those who run the shop. */
export function operatorEndpoint<
  Answer extends z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Path extends string = string,
>(definition: Omit<OperatorEndpoint<Query, Body, Answer, Path>, 'public' | 'operator'>): Endpoint {
  return { ...definition, public: false, operator: true }
}

/** Declares an endpoint that needs no token. */
export function publicEndpoint<
  Answer extends z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Path extends string = string,
>(definition: Omit<PublicEndpoint<Query, Body, Answer, Path>, 'public'>): Endpoint {
  return { ...definition, public: true }
}

/** Returns a test whether the variant has an endpoint. */
export function isIn({ name }: Variant): (endpoint: Endpoint) => boolean {
  return ({ variants }) => variants?.includes(name) ?? true
}

/** Returns the schema of an endpoint's `data` under a variant. */
export function answerSchema({ answer }: Endpoint, variant: Variant): z.ZodType {
  return typeof answer === 'function' ? answer(variant) : answer
}

/** Returns the example of an endpoint's `data` under a variant. */
export function exampleData({ example }: Endpoint, variant: Variant): unknown {
  return typeof example?.data === 'function' ? example.data(variant) : example?.data
}
