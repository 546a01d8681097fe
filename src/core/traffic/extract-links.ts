import { createHash, randomBytes } from 'node:crypto'
import { type Actor, maySee } from '../access/actor.ts'
import type { Gateway } from '../catalog/gateway.ts'
import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import { parsed } from '../database/dialect.ts'
import { ServiceError } from '../errors.ts'
import { keyWorks, madeBy, makerMayAct } from '../access/makers.ts'
import { hashOf, openedToken } from '../token-hash.ts'
import { type CredentialOptions, credentialLines, makeCredentials } from './credentials.ts'
import { bytesLeft } from './traffic-left.ts'
import type { Essentials } from '../jobs/essentials.ts'
import { PRODUCT_NAMES } from '../catalog/product-texts.ts'
import type { Translations } from '../translations.ts'

/** Links that a traffic account can have at the same time; a further one replaces the oldest. */
const LINK_LIMIT = 20
const TOKEN_BYTES = 24

/**
 * Creates the public link of an extraction (rules 6.8) in the open transaction.
 *
 * @param maker who makes it: the user, or its agent
 * @param secret at least 100 random bits from which the token is derived: a repeated call with it returns the same token
 *   and creates no second link
 * @returns the token
 */
export async function newExtractLink(
  { clock, linkTokens }: Essentials,
  tx: Tx,
  maker: Actor,
  trafficId: number,
  { countryCode, cityCode, extractConfig }: CredentialOptions,
  secret?: string,
): Promise<string> {
  const token =
    secret === undefined ? randomBytes(TOKEN_BYTES).toString('base64url') : tokenOf(trafficId, secret)
  const options = JSON.stringify({ countryCode, cityCode, extractConfig })
  const tokenHash = hashOf(token)
  const sealed = linkTokens.seal(token, tokenHash)
  await addLink(tx, { tokenHash, sealed, trafficId, options, ...madeBy(maker), now: clock.now() })
  await dropOldLinks(tx, { trafficId })
  return token
}

interface NewLink {
  readonly tokenHash: string
  readonly sealed: string
  readonly trafficId: number
  readonly options: string
  readonly madeBy: number
  readonly keyId: number | null
  readonly now: Date
}

const addLink = compiled<NewLink>()(
  (db, { tokenHash, sealed, trafficId, options, madeBy: maker, keyId, now }) =>
    db
      .insertInto('extractLinks')
      .values({ tokenHash, sealed, trafficId, options, madeBy: maker, keyId, createdAt: now })
      .onConflict((known) => known.column('tokenHash').doNothing()),
)

const dropOldLinks = compiled<{ trafficId: number }>()((db, { trafficId }) =>
  db
    .deleteFrom('extractLinks')
    .where('trafficId', '=', trafficId)
    .where('id', '<=', ({ selectFrom }) =>
      selectFrom('extractLinks')
        .select('id')
        .where('trafficId', '=', trafficId)
        .orderBy('id', 'desc')
        .limit(1)
        .offset(LINK_LIMIT),
    ),
)

/**
 * Serves a public link: fresh credentials as lines of text.
 *
 * @throws route_not_found for a link that was never made, was revoked or whose owner is deleted; rate_limited,
 *   account_disabled (the owner, the agent that has made it, or the key with which it was made), traffic_exhausted
 */
export async function openExtractLink(deps: Essentials, token: string): Promise<string> {
  const hash = hashOf(token)
  const [link] = await findLink(deps.db.read, { hash, now: deps.clock.now().toISOString() })
  if (!link) throw new ServiceError('route_not_found')
  deps.linkThrottle.pass(hash)
  if (link.ownerStatus === 'disabled' || !link.makerActs) throw new ServiceError('account_disabled')
  if (link.remaining <= 0)
    throw new ServiceError('traffic_exhausted', { data: { product_no: link.productNo } })
  return credentialLines(makeCredentials(link, link.options), link.options)
}

const findLink = compiled<{ hash: string; now: string }>()((db, { hash, now }) =>
  db
    .selectFrom('extractLinks as l')
    .innerJoin('traffic as t', 't.id', 'l.trafficId')
    .innerJoin('products as p', 'p.id', 't.productId')
    .innerJoin('accounts as u', 'u.id', 't.userId')
    .select(({ ref }) => parsed<CredentialOptions>(ref('l.options')).as('options'))
    .select(['t.username', 't.password', 'p.productNo', 'p.gatewayHost as host', 'p.gatewayPort as port'])
    .select(['u.status as ownerStatus', bytesLeft().as('remaining')])
    .select(({ ref, and }) =>
      and([makerMayAct(ref('l.madeBy'), ref('t.userId')), keyWorks(ref('l.keyId'), now)]).as('makerActs'),
    )
    .where('l.tokenHash', '=', hash)
    .where('u.status', '<>', 'deleted')
    .$narrowType<Gateway>(),
)

/** A public link of the actor's own traffic; its token is undefined when it cannot be decrypted, or was not stored (old links). */
export interface ExtractLink {
  readonly token: string | undefined
  readonly id: number
  readonly productNames: Translations
  readonly options: CredentialOptions
  readonly createdAt: string
}

/** Lists the actor's public links, newest first. */
export async function listExtractLinks({ db, linkTokens }: Essentials, actor: Actor): Promise<ExtractLink[]> {
  const links = await findLinks(db.read, { userId: actor.id })
  return links.map(({ sealed, tokenHash, ...link }) => ({
    ...link,
    token: openedToken(linkTokens, sealed, tokenHash),
  }))
}

const findLinks = compiled<{ userId: number }>()((db, { userId }) =>
  db
    .selectFrom('traffic as t')
    .innerJoin('extractLinks as l', 'l.trafficId', 't.id')
    .innerJoin('products as p', 'p.id', 't.productId')
    .select(['l.id', PRODUCT_NAMES, 'l.createdAt'])
    .select(['l.sealed', 'l.tokenHash'])
    .select(({ ref }) => parsed<CredentialOptions>(ref('l.options')).as('options'))
    .where('t.userId', '=', userId)
    .orderBy('l.id', 'desc'),
)

/** Identifies a link: by its id in a list, or by its token. */
type ExtractLinkKey = { readonly id: number } | { readonly token: string }

/**
 * Revokes a public link of the actor's own traffic or, for an agent, of a direct sub-user's traffic.
 *
 * @throws route_not_found for a link that does not exist or is somebody else's
 */
export async function revokeExtractLink(deps: Essentials, actor: Actor, key: ExtractLinkKey): Promise<void> {
  const { numDeletedRows } = await deps.db.write((tx) =>
    tx.$kysely
      .deleteFrom('extractLinks')
      .where(({ eb }) => ('id' in key ? eb('id', '=', key.id) : eb('tokenHash', '=', hashOf(key.token))))
      .where('trafficId', 'in', ({ selectFrom }) =>
        selectFrom('traffic')
          .select('id')
          .where(({ ref }) => maySee(actor, ref('userId'))),
      )
      .executeTakeFirstOrThrow(),
  )
  if (numDeletedRows === 0n) throw new ServiceError('route_not_found')
}

/**
 * Revokes all public links of the actor's own traffic, also those whose token is lost.
 *
 * @returns how many there were
 */
export async function revokeAllExtractLinks(deps: Essentials, actor: Actor): Promise<number> {
  const { numDeletedRows } = await deps.db.write((tx) =>
    tx.$kysely
      .deleteFrom('extractLinks')
      .where('trafficId', 'in', ({ selectFrom }) =>
        selectFrom('traffic').select('id').where('userId', '=', actor.id),
      )
      .executeTakeFirstOrThrow(),
  )
  return Number(numDeletedRows)
}

/** Derives the token of a secret; it differs for every traffic account. */
function tokenOf(trafficId: number, secret: string): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([trafficId, secret]))
    .digest()
  return digest.subarray(0, TOKEN_BYTES).toString('base64url')
}
