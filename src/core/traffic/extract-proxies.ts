import { z } from 'zod'
import type { TrafficPool } from '../../generated/kysely/tables.ts'
import { type Actor, targetUser } from '../access/actor.ts'
import type { Gateway } from '../catalog/gateway.ts'
import { refuseOtherPlaces } from '../catalog/offered-places.ts'
import { compiledForGiven } from '../database/compiled-for-given.ts'
import type { Readable } from '../database/database.ts'
import { parsed } from '../database/dialect.ts'
import type { Queryable } from '../database/queries.ts'
import { parseInput, ServiceError } from '../errors.ts'
import { type Held, Time } from '../record.ts'
import { once } from '../requests/once.ts'
import { credentialLines, type GatewayLogin, makeCredentials, ProxyCredentialRecord } from './credentials.ts'
import { newExtractLink } from './extract-links.ts'
import { ExtractionInput, type ExtractionRequest } from './extraction-input.ts'
import { bytesLeft } from './traffic-left.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** The pools that an extraction may use: with `public` only {@link PUBLIC_POOL} (rules 6.5). */
type PoolScope = 'any' | 'public'
const PUBLIC_POOL = 'dynamic_2'
const MINUTE_MS = 60_000

/** Fields shown of an extraction: credentials, and what belongs to all of them. */
export const EXTRACTION = {
  productNo: z.string(),
  method: z.enum(['password', 'api']),
  expiresAt: Time.meta({ description: 'Until when sticky sessions keep their exit' }),
  items: ProxyCredentialRecord.array(),
  text: z.string().nullable().meta({ description: 'The credentials as lines, with `returnType` `txt`' }),
}

export interface Extraction extends Held<typeof EXTRACTION> {
  /** Token of the public link, with method `api`; shown only this once. */
  readonly linkToken: string | null
}

/**
 * Makes credentials for the gateway of a dynamic product, which use the traffic of the actor or of an agent's direct sub-user
 * (rules 6.5). Without a product number, the first product of the scope in which traffic is left.
 *
 * @param options.requestKey a repeated request with it gets the first answer again, with the same credentials and link
 * @param options.linkSecret with method `api`: a repeated request with it gets the same link; see `newExtractLink`
 * @throws traffic_exhausted, pool_not_public, product_not_found, validation_error, and what targeting refuses
 */
export async function extractProxies(
  deps: Essentials,
  actor: Actor,
  scope: PoolScope,
  input: ExtractionInput,
  { requestKey, linkSecret }: { readonly requestKey?: string | undefined; readonly linkSecret?: string } = {},
): Promise<Extraction & { readonly replayed: boolean }> {
  const request = parseInput(ExtractionInput, input)
  const now = deps.clock.now()
  if (requestKey === undefined && request.extractConfig.method === 'password') {
    const { trafficId: _, ...extraction } = await extract(deps.db.read, now, actor, scope, request)
    return { ...extraction, linkToken: null, replayed: false }
  }
  const keyed = { key: requestKey, kind: 'extract', input: { scope, request } }
  return once(deps, actor, keyed, async (tx) => {
    const { trafficId, ...extraction } = await extract(tx, now, actor, scope, request)
    const linkToken =
      extraction.method === 'api'
        ? await newExtractLink(deps, tx, actor, trafficId, request, linkSecret)
        : null
    return { ...extraction, linkToken }
  })
}

async function extract(
  db: Readable,
  now: Date,
  actor: Actor,
  scope: PoolScope,
  request: ExtractionRequest,
): Promise<Omit<Extraction, 'linkToken'> & { readonly trafficId: number }> {
  const { method, returnType, validTime } = request.extractConfig
  const owner = await targetUser(db, actor, request.userId ?? actor.id)
  const source = await sourceOf(db, owner.id, scope, request)
  refuseOtherPlaces(source, request)
  const login = loginOf(source)
  const items = makeCredentials(login, request)
  return {
    trafficId: login.trafficId,
    productNo: source.productNo,
    method,
    expiresAt: new Date(now.getTime() + validTime * MINUTE_MS).toISOString(),
    items,
    text: returnType === 'txt' ? credentialLines(items, request) : null,
  }
}

/** A dynamic product, with the owner's traffic account for it, if there is one. */
type Source = Awaited<ReturnType<typeof findSource>>[number]

interface WantedSource {
  readonly ownerId: number
  readonly productNo?: string | undefined
  readonly proxyType?: number | undefined
  readonly pool?: TrafficPool | undefined
}

const findSource = compiledForGiven<WantedSource>()((db, { ownerId, productNo, proxyType, pool }) =>
  db
    .selectFrom('products as p')
    .leftJoin('traffic as t', (on) => on.onRef('t.productId', '=', 'p.id').on('t.userId', '=', ownerId))
    .select(['p.productNo', 'p.pool', 'p.gatewayHost as host', 'p.gatewayPort as port'])
    .select(({ ref, fn, lit }) => [
      parsed<string[]>(ref('p.countries')).as('countries'),
      parsed<string[]>(ref('p.cities')).as('cities'),
      fn.coalesce(bytesLeft(), lit(0)).as('remaining'),
    ])
    .select(['t.id as trafficId', 't.username', 't.password'])
    .where('p.pool', 'is not', null)
    .where(({ eb, and }) =>
      and([
        ...(productNo ? [eb('p.productNo', '=', productNo)] : []),
        ...(proxyType ? [eb('p.proxyType', '=', proxyType)] : []),
        ...(pool ? [eb('p.pool', '=', pool)] : []),
      ]),
    )
    .orderBy(({ eb }) => eb.case().when(bytesLeft(), '>', 0).then(0).else(1).end())
    .orderBy('p.id')
    .limit(1)
    .$narrowType<Gateway>(),
)

async function sourceOf(
  db: Queryable,
  ownerId: number,
  scope: PoolScope,
  { productNo, proxyType }: ExtractionRequest,
): Promise<Source> {
  const [source] = await findSource(db, {
    ownerId,
    productNo: productNo || undefined,
    proxyType: proxyType || undefined,
    pool: scope === 'public' && !productNo ? PUBLIC_POOL : undefined,
  })
  if (!source) throw new ServiceError('product_not_found')
  if (scope === 'public' && source.pool !== PUBLIC_POOL)
    throw new ServiceError('pool_not_public', {
      data: { product_no: source.productNo, pool_type: source.pool },
    })
  return source
}

/** @throws traffic_exhausted, also when nothing was ever bought */
function loginOf({
  productNo,
  host,
  port,
  trafficId,
  username,
  password,
  remaining,
}: Source): GatewayLogin & {
  readonly trafficId: number
} {
  if (trafficId === null || username === null || password === null || remaining <= 0)
    throw new ServiceError('traffic_exhausted', { data: { product_no: productNo } })
  return { host, port, username, password, trafficId }
}
