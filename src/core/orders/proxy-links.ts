import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Role } from '../../generated/prisma/client.ts'
import { type Actor, maySee, targetUser } from '../access/actor.ts'
import { compiled, compiledByShape } from '../database/compiled.ts'
import { compiledInsert } from '../database/compiled-insert.ts'
import { parseInput, ServiceError } from '../errors.ts'
import { keyWorks, madeBy, makerMayAct } from '../access/makers.ts'
import { once } from '../requests/once.ts'
import { hashOf, openedToken } from '../token-hash.ts'
import { DELIMITERS, FORMAT_WORD, isLineFormat, partOfWord } from '../traffic/extraction-input.ts'
import { activeInstances, type OrderedInstance } from './active-instances.ts'
import { findStaticOrder } from './find-static-order.ts'
import { type Held, Time } from '../record.ts'
import { formatProxy, PROXY_FORMATS, type ProxyFormat } from '../proxy-formats.ts'
import { proxyObjects, proxyTable } from './proxy-table.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** Links that a user can have at the same time; a further one replaces the oldest. */
const LINK_LIMIT = 20
const TOKEN_BYTES = 24

/** What a link answers: lines, a table or objects. */
export const LINK_CONTENTS = ['txt', 'csv', 'json'] as const
export type LinkContent = (typeof LINK_CONTENTS)[number]

/** A link as the bot and the REST API ask for it (rules 17.6). */
export const ProxyLinkInput = z.object({
  /** The user whose proxies are shown; by default that of the order, else the actor. */
  userId: z.int().positive().nullish(),
  /** Order number; without it, all proxies of the user are shown. */
  orderNo: z.string().min(1).max(64).nullish(),
  content: z.enum(LINK_CONTENTS).default('txt'),
  /** Format of a line: one of the chat's formats, or a template with the words of an extraction (rules 6.6). */
  format: z
    .string()
    .max(100)
    .refine((format) => isProxyFormat(format) || isLineFormat(format), { error: 'not_a_line_format' })
    .default('colon'),
  /** Delimiter between lines, see {@link DELIMITERS}. */
  delimiter: z.literal([1, 2, 3, 4, 5]).default(4),
})

function isProxyFormat(format: string): format is ProxyFormat {
  return (PROXY_FORMATS as readonly string[]).includes(format)
}

/** What is shown of a link. */
export const PROXY_LINK = {
  id: z.int(),
  userId: z.int().meta({ description: 'Whose proxies' }),
  orderNo: z.string().nullable().meta({ description: 'Null: all proxies of the user' }),
  content: z.enum(LINK_CONTENTS).meta({ description: 'What it answers: lines, a table or objects' }),
  format: z.string().meta({ description: 'How a line is written' }),
  delimiter: z.int().meta({ description: 'Between lines' }),
  createdAt: Time,
}

export interface ProxyLink extends Held<typeof PROXY_LINK> {
  /** Undefined where none was stored, or was encrypted with another key. */
  readonly token: string | undefined
}

export const PROXY_LINK_EXAMPLE: Held<typeof PROXY_LINK> = {
  id: 1,
  userId: 3,
  orderNo: null,
  content: 'txt',
  format: 'colon',
  delimiter: 4,
  createdAt: '2026-11-20T17:57:00.123Z',
}

/**
 * Makes a public link to the proxies of a user that are in use, all of them or those of one order (rules 17.6).
 *
 * @param options.requestKey a repeated request with it gets the same answer again
 * @param options.secret at least 100 random bits from which the token is derived: a repeated call with it makes no second link
 * @throws order_not_found, idempotency_conflict, validation_error, and what targeting refuses
 */
export function createProxyLink(
  deps: Essentials,
  actor: Actor,
  input: z.input<typeof ProxyLinkInput>,
  { requestKey, secret }: { readonly requestKey?: string | undefined; readonly secret?: string } = {},
): Promise<ProxyLink & { readonly token: string; readonly replayed: boolean }> {
  const request = parseInput(ProxyLinkInput, input)
  return once(deps, actor, { key: requestKey, kind: 'proxy_link', input: request }, async (tx) => {
    const { orderNo, content, format, delimiter } = request
    const order = orderNo ? await findStaticOrder(tx, actor, { orderNo }) : undefined
    const { id: userId } = await targetUser(tx, actor, request.userId ?? order?.userId ?? actor.id)
    if (order && order.userId !== userId) throw new ServiceError('order_not_found')
    const link = { userId, orderId: order?.id ?? null, content, format, delimiter }
    const token =
      secret === undefined ? randomBytes(TOKEN_BYTES).toString('base64url') : tokenOf(link, secret)
    const tokenHash = hashOf(token)
    const now = deps.clock.now()
    const [known] = await findLink(tx, { hash: tokenHash, now: now.toISOString() })
    if (!known) {
      const sealed = deps.linkTokens.seal(token, tokenHash)
      await insertLink(tx, { tokenHash, sealed, ...link, ...madeBy(actor), createdAt: now })
      await dropOldLinks(tx, { userId })
    }
    const [made] = await readLinks(tx, { role: actor.role }, { actorId: actor.id, tokenHash })
    if (!made) throw new Error('a link of a user that the actor may see cannot be read')
    const { sealed: _sealed, tokenHash: _hash, ...shown } = made
    return { ...shown, token }
  })
}

const insertLink = compiledInsert('proxyLinks')

/** Derives the token from a secret and from what the link was asked for, so that different links get different tokens. */
function tokenOf(link: object, secret: string): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([link, secret]))
    .digest()
  return digest.subarray(0, TOKEN_BYTES).toString('base64url')
}

const dropOldLinks = compiled<{ userId: number }>()((db, { userId }) =>
  db
    .deleteFrom('proxyLinks')
    .where('userId', '=', userId)
    .where('id', '<=', ({ selectFrom }) =>
      selectFrom('proxyLinks')
        .select('id')
        .where('userId', '=', userId)
        .orderBy('id', 'desc')
        .limit(1)
        .offset(LINK_LIMIT),
    ),
)

/**
 * Serves a public link: the proxies that are in use now, as text.
 *
 * @throws route_not_found for a link that was never made, was revoked or whose user is deleted; rate_limited, account_disabled (the
 *   user, the agent that has made it, or the key with which it was made)
 */
export async function openProxyLink(deps: Essentials, token: string): Promise<string> {
  const hash = hashOf(token)
  const [link] = await findLink(deps.db.read, { hash, now: deps.clock.now().toISOString() })
  if (!link) throw new ServiceError('route_not_found')
  deps.linkThrottle.pass(hash)
  if (link.ownerStatus === 'disabled' || !link.makerActs) throw new ServiceError('account_disabled')
  const { userId, orderId, content, format, delimiter } = link
  // With the role `user`: a link of an agent shows only the agent's own proxies.
  const proxies = await activeInstances(
    deps,
    { id: userId, role: 'user' },
    { userId, orderId: orderId ?? undefined },
  )
  if (content === 'csv') return proxyTable(proxies)
  if (content === 'json') return proxyObjects(proxies)
  return proxies.map((proxy) => lineOf(format, proxy)).join(DELIMITERS[delimiter])
}

const findLink = compiled<{ hash: string; now: string }>()((db, { hash, now }) =>
  db
    .selectFrom('proxyLinks as l')
    .innerJoin('accounts as u', 'u.id', 'l.userId')
    .select(['l.userId', 'l.orderId', 'l.content', 'l.format', 'l.delimiter', 'u.status as ownerStatus'])
    .select(({ ref, and }) =>
      and([makerMayAct(ref('l.madeBy'), ref('l.userId')), keyWorks(ref('l.keyId'), now)]).as('makerActs'),
    )
    .where('l.tokenHash', '=', hash)
    .where('u.status', '<>', 'deleted'),
)

function lineOf(format: string, proxy: OrderedInstance): string {
  if (isProxyFormat(format)) return formatProxy(format, proxy)
  const { ip, port, username, password } = proxy
  const parts = { host: ip.includes(':') ? `[${ip}]` : ip, port, username, password, protocol: 'http' }
  return format.replaceAll(FORMAT_WORD, (word) => String(parts[partOfWord(word)]))
}

/**
 * Lists public links to proxies, newest first.
 *
 * @param userId the actor or, for an agent, a direct sub-user; for anybody else there are none
 */
export async function listProxyLinks(
  { db, linkTokens }: Essentials,
  actor: Actor,
  userId = actor.id,
): Promise<ProxyLink[]> {
  const links = await readLinks(db.read, { role: actor.role }, { actorId: actor.id, userId })
  return links.map(({ sealed, tokenHash, ...link }) => ({
    ...link,
    token: openedToken(linkTokens, sealed, tokenHash),
  }))
}

interface WhichLinks {
  readonly actorId: number
  readonly userId?: number
  readonly tokenHash?: string
}

const readLinks = compiledByShape<{ role: Role }, WhichLinks>()(
  (db, { role }, { actorId, userId, tokenHash }) =>
    db
      .selectFrom('proxyLinks as l')
      .leftJoin('staticOrders as o', 'o.id', 'l.orderId')
      .select(['l.id', 'l.userId', 'o.orderNo', 'l.content', 'l.format', 'l.delimiter', 'l.createdAt'])
      .select(['l.sealed', 'l.tokenHash'])
      .where(({ ref }) => maySee({ role, id: actorId }, ref('l.userId')))
      .where(({ eb, and }) =>
        and([
          ...(userId ? [eb('l.userId', '=', userId)] : []),
          ...(tokenHash ? [eb('l.tokenHash', '=', tokenHash)] : []),
        ]),
      )
      .orderBy('l.id', 'desc')
      .$narrowType<{ content: LinkContent }>(),
)

/**
 * Revokes a public link to proxies of the actor or, for an agent, of a direct sub-user.
 *
 * @throws route_not_found for a link that does not exist or is somebody else's
 */
export async function revokeProxyLink(deps: Essentials, actor: Actor, id: number | undefined): Promise<void> {
  const { numDeletedRows } = await deps.db.write((tx) =>
    tx.$kysely
      .deleteFrom('proxyLinks')
      .where('id', '=', id ?? 0)
      .where(({ ref }) => maySee(actor, ref('userId')))
      .executeTakeFirstOrThrow(),
  )
  if (numDeletedRows === 0n) throw new ServiceError('route_not_found')
}
