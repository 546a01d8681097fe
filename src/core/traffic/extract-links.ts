import { createHash, randomBytes } from 'node:crypto'
import { Prisma } from '../../generated/prisma/client.ts'
import { type Actor, visibleTo } from '../access.ts'
import { selectJson, type Tx } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import { ServiceError } from '../errors.ts'
import { hashOf } from '../token-hash.ts'
import type { Bytes } from './bytes.ts'
import { type CredentialOptions, credentialLines, type GatewayLogin, makeCredentials } from './credentials.ts'
import { TRAFFIC_LEFT } from './traffic-left.ts'

/** Links of a traffic account that work at once; a further one ends the oldest. */
const LINK_LIMIT = 20
const TOKEN_BYTES = 24

/**
 * Makes the public link of an extraction (rules 6.8) in the open transaction. Only a hash of the token is kept: the link is told once.
 *
 * @param draft a secret of 100 random bits or more: asked again with it, the same link is told, and no second one is made
 * @returns the token
 */
export async function newExtractLink(
  tx: Tx,
  now: Date,
  trafficId: number,
  { countryCode, cityCode, extractConfig }: CredentialOptions,
  draft?: string,
): Promise<string> {
  const token =
    draft === undefined ? randomBytes(TOKEN_BYTES).toString('base64url') : tokenOf(trafficId, draft)
  const options = JSON.stringify({ countryCode, cityCode, extractConfig })
  await tx.$executeRaw`
    INSERT INTO extract_links (token_hash, traffic_id, options, created_at)
    VALUES (${hashOf(token)}, ${trafficId}, ${options}, ${now})
    ON CONFLICT (token_hash) DO NOTHING`
  await tx.$executeRaw`
    DELETE FROM extract_links WHERE traffic_id = ${trafficId} AND id <= (
      SELECT id FROM extract_links WHERE traffic_id = ${trafficId} ORDER BY id DESC LIMIT 1 OFFSET ${LINK_LIMIT})`
  return token
}

interface LinkedExtraction extends GatewayLogin {
  readonly productNo: string
  readonly remaining: Bytes
  readonly ownerStatus: string
  readonly options: CredentialOptions
}

/**
 * What a public link hands out: fresh credentials as lines of text.
 *
 * @throws route_not_found for a link that was never made, was revoked or whose owner is deleted; rate_limited,
 *   account_disabled, traffic_exhausted
 */
export async function openExtractLink(deps: CoreDeps, token: string): Promise<string> {
  const hash = hashOf(token)
  const [link] = await selectJson<LinkedExtraction>(
    deps.db.read,
    Prisma.sql`SELECT json_object('options', json(l.options), 'username', t.username, 'password', t.password, 'productNo', p.product_no,
                 'host', p.gateway_host, 'port', p.gateway_port, 'ownerStatus', u.status,
                 'remaining', ${TRAFFIC_LEFT}) AS json
               FROM extract_links l JOIN traffic t ON t.id = l.traffic_id JOIN products p ON p.id = t.product_id
               JOIN accounts u ON u.id = t.user_id
               WHERE l.token_hash = ${hash} AND u.status <> 'deleted'`,
  )
  if (!link) throw new ServiceError('route_not_found')
  deps.linkThrottle.pass(hash)
  if (link.ownerStatus === 'disabled') throw new ServiceError('account_disabled')
  if (link.remaining <= 0)
    throw new ServiceError('traffic_exhausted', { data: { product_no: link.productNo } })
  return credentialLines(makeCredentials(link, link.options), link.options)
}

/** A public link of the actor's own traffic; its token is not known any more. */
export interface ExtractLink {
  readonly id: number
  readonly productNameEn: string
  readonly productNameZh: string
  readonly options: CredentialOptions
  readonly createdAt: string
}

/** The public links that work, newest first. */
export function listExtractLinks({ db }: CoreDeps, actor: Actor): Promise<ExtractLink[]> {
  return selectJson<ExtractLink>(
    db.read,
    Prisma.sql`SELECT json_object('id', l.id, 'productNameEn', p.name_en, 'productNameZh', p.name_zh, 'options', json(l.options),
                                  'createdAt', l.created_at) AS json
               FROM traffic t JOIN extract_links l ON l.traffic_id = t.id JOIN products p ON p.id = t.product_id
               WHERE t.user_id = ${actor.id} ORDER BY l.id DESC`,
  )
}

/** Which link is meant. */
export type ExtractLinkKey = { readonly id: number } | { readonly token: string }

/**
 * Ends a public link: of the actor's own traffic, or an agent's of a direct sub-user's.
 *
 * @throws route_not_found for a link that does not work, or is somebody else's
 */
export async function revokeExtractLink(deps: CoreDeps, actor: Actor, key: ExtractLinkKey): Promise<void> {
  const which = 'id' in key ? Prisma.sql`id = ${key.id}` : Prisma.sql`token_hash = ${hashOf(key.token)}`
  const revoked = await deps.db.write(
    (tx) => tx.$executeRaw`
      DELETE FROM extract_links WHERE ${which}
        AND traffic_id IN (SELECT id FROM traffic WHERE ${visibleTo(actor, 'user_id')})`,
  )
  if (revoked === 0) throw new ServiceError('route_not_found')
}

/**
 * Ends all public links of the actor's own traffic, for those whose token is lost.
 *
 * @returns how many there were
 */
export function revokeAllExtractLinks(deps: CoreDeps, actor: Actor): Promise<number> {
  return deps.db.write(
    (tx) => tx.$executeRaw`
      DELETE FROM extract_links WHERE traffic_id IN (SELECT id FROM traffic WHERE user_id = ${actor.id})`,
  )
}

/** The token that a draft stands for; another one for every traffic account. */
function tokenOf(trafficId: number, draft: string): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([trafficId, draft]))
    .digest()
  return digest.subarray(0, TOKEN_BYTES).toString('base64url')
}
