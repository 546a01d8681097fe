import { Prisma } from '../../generated/prisma/client.ts'
import { type Actor, targetUser } from '../access.ts'
import { type OfferedPlaces, refuseOtherPlaces } from '../catalog/offered-places.ts'
import { jsonObject, type Readable, selectJson } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import { parseInput, ServiceError } from '../errors.ts'
import { once } from '../once.ts'
import type { Bytes } from './bytes.ts'
import { credentialLines, type GatewayLogin, makeCredentials, type ProxyCredential } from './credentials.ts'
import { newExtractLink } from './extract-links.ts'
import { ExtractionInput, type ExtractionRequest } from './extraction-input.ts'
import { TRAFFIC_LEFT } from './traffic-left.ts'

/** Which pools an extraction may reach: with `public` only the one that is open to the public (rules 6.5). */
export type PoolScope = 'any' | 'public'
const PUBLIC_POOL = 'dynamic_2'
const MINUTE_MS = 60_000

export interface Extraction {
  readonly productNo: string
  readonly method: 'password' | 'api'
  /** Until when sticky sessions keep their exit. */
  readonly expiresAt: string
  readonly items: ProxyCredential[]
  /** The credentials as text, when text was asked for. */
  readonly text: string | null
  /** Of the public link, with method `api`; told this once. */
  readonly linkToken: string | null
}

/**
 * Credentials for the gateway of a dynamic product, which use the traffic of the actor or of an agent's direct sub-user
 * (rules 6.5). Without a product number the one of the scope in which traffic is left.
 *
 * @param options.requestKey a repetition is answered as the first time was, with the same credentials and link
 * @param options.linkDraft with method `api`: asked again with it, the same link is told; see `newExtractLink`
 * @throws traffic_exhausted, pool_not_public, product_not_found, validation_error, and what targeting refuses
 */
export async function extractProxies(
  deps: CoreDeps,
  actor: Actor,
  scope: PoolScope,
  input: ExtractionInput,
  { requestKey, linkDraft }: { readonly requestKey?: string | undefined; readonly linkDraft?: string } = {},
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
      extraction.method === 'api' ? await newExtractLink(tx, now, trafficId, request, linkDraft) : null
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

/** A dynamic product, and the owner's traffic in it. */
interface Source extends OfferedPlaces {
  readonly productNo: string
  readonly pool: string
  readonly host: string
  readonly port: number
  /** Null when nothing was ever bought. */
  readonly trafficId: number | null
  readonly username: string | null
  readonly password: string | null
  readonly remaining: Bytes
}

const sourceJson = jsonObject({
  productNo: 'p.product_no',
  pool: 'p.pool',
  countries: 'json(p.countries)',
  cities: 'json(p.cities)',
  host: 'p.gateway_host',
  port: 'p.gateway_port',
  trafficId: 't.id',
  username: 't.username',
  password: 't.password',
  remaining: `coalesce(${TRAFFIC_LEFT.sql}, 0)`,
})

async function sourceOf(
  db: Readable,
  ownerId: number,
  scope: PoolScope,
  { productNo, proxyType }: ExtractionRequest,
): Promise<Source> {
  const conditions = [
    Prisma.sql`p.pool IS NOT NULL`,
    ...(productNo ? [Prisma.sql`p.product_no = ${productNo}`] : []),
    ...(proxyType ? [Prisma.sql`p.proxy_type = ${proxyType}`] : []),
    ...(scope === 'public' && !productNo ? [Prisma.sql`p.pool = ${PUBLIC_POOL}`] : []),
  ]
  const [source] = await selectJson<Source>(
    db,
    Prisma.sql`SELECT ${sourceJson} AS json FROM products p LEFT JOIN traffic t ON t.product_id = p.id AND t.user_id = ${ownerId}
               WHERE ${Prisma.join(conditions, ' AND ')}
               ORDER BY coalesce(t.total_bytes > t.used_bytes + t.allocated_bytes, 0) DESC, p.id LIMIT 1`,
  )
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
