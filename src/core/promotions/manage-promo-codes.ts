import { z } from 'zod'
import { type Actor, requireAgent } from '../access/actor.ts'
import { compiledInsert } from '../database/compiled-insert.ts'
import type { Readable, Tx } from '../database/database.ts'
import { listOf } from '../database/dialect.ts'
import { InvalidInput, parseInput, ServiceError } from '../errors.ts'
import { randomText } from '../ids.ts'
import { fromNumber, type Micros } from '../money.ts'
import { once } from '../requests/once.ts'
import { type Page, paging } from '../page.ts'
import { RequestKey } from '../requests/request-key.ts'
import { NewPromoCodeText, type PromoCode, selectPromoCodes, withState } from './promo-code.ts'
import type { PromoDeps } from './deps.ts'

const DAY_MS = 86_400_000
export const MAX_USES = 1_000_000
export const MAX_DAYS = 3650

/** In units of the currency. */
const Amount = z
  .number()
  .refine((value) => value > 0 && fromNumber(value) !== undefined, { error: 'not_an_amount' })
  .nullish()

/** The terms of a new code; it names either a percentage or an amount. */
export const PromoCodeTerms = z.object({
  /** Without one, a code is made up. */
  code: NewPromoCodeText.nullish(),
  percent: z.int().min(1).max(100).nullish(),
  /** Of each purchase. */
  amount: Amount,
  /** Numbers of products; none: all of them. */
  products: z.array(z.string().min(1).max(64)).max(100).default([]),
  /** What it may cost the balance of the agent in all; without it, nothing (rules 13.16). */
  balanceLimit: Amount,
  maxUses: z.int().min(1).max(MAX_USES).nullish(),
  maxUsesPerUser: z.int().min(1).max(MAX_USES).nullish(),
  /** How long it holds; without it, until it is stopped. */
  days: z.int().min(1).max(MAX_DAYS).nullish(),
  /** The same as a moment, ISO 8601. */
  until: z.iso.datetime({ offset: true }).nullish(),
})

const NewPromoCode = PromoCodeTerms.superRefine(({ percent, amount, days, until }, { addIssue }) => {
  const given = (values: unknown[]) => values.filter((value) => (value ?? null) !== null).length
  if (given([percent, amount]) !== 1)
    addIssue({ code: 'custom', path: ['percent'], message: 'either_percent_or_amount' })
  if (given([days, until]) > 1) addIssue({ code: 'custom', path: ['until'], message: 'either_days_or_until' })
})

export type NewPromoCode = z.input<typeof NewPromoCode>
/** A code of the shop costs nobody's balance. */
export type NewShopCode = Omit<NewPromoCode, 'balanceLimit'>

/**
 * An agent makes a code for its sub-users, and pays for it with its earnings, and its balance up to a limit (rules 13.8, 13.16).
 *
 * @param input with `requestKey`, a repeated request gets the first answer again
 * @throws agent_required, promo_code_taken, product_not_found, idempotency_conflict, rate_limited, validation_error
 */
export async function createPromoCode(
  deps: PromoDeps,
  actor: Actor,
  { requestKey, ...input }: NewPromoCode & { readonly requestKey?: string | null | undefined },
): Promise<PromoCode & { readonly replayed: boolean }> {
  requireAgent(actor)
  const terms = parseInput(NewPromoCode, input)
  const key = parseInput(RequestKey.nullish(), requestKey)
  // Whoever tries out which codes are taken could guess those of others.
  deps.promoThrottle.refuse(actor.id)
  return once(deps, actor, { key, kind: 'create_promo_code', input: terms }, async (tx) => {
    const created = await insert(deps, tx, actor.id, terms)
    if (created) return created
    deps.promoThrottle.pass(actor.id)
    throw new ServiceError('promo_code_taken')
  })
}

/**
 * The operator makes a code for everybody, paid by the shop (rules 13.8).
 *
 * @throws promo_code_taken, product_not_found, validation_error
 */
export async function addPromoCode(deps: PromoDeps, input: NewShopCode): Promise<PromoCode> {
  const terms = parseInput(NewPromoCode, input)
  return deps.db.write(async (tx) => {
    const created = await insert(deps, tx, null, terms)
    if (!created) throw new ServiceError('promo_code_taken')
    return created
  })
}

/** @returns undefined when there is such a code */
async function insert(
  { clock }: PromoDeps,
  tx: Tx,
  agentId: number | null,
  { code, amount, balanceLimit, products, ...terms }: Terms,
): Promise<PromoCode | undefined> {
  const now = clock.now()
  const chosen = code ?? randomText(8)
  const known = await selectPromoCodes(tx).where('c.code', '=', chosen).executeTakeFirst()
  if (known) return undefined
  await refuseUnknown(tx, products)
  const id = await insertCode(tx, {
    code: chosen,
    agentId,
    percent: terms.percent ?? null,
    amount: microsOf(amount),
    balanceLimit: agentId === null ? null : microsOf(balanceLimit),
    products: JSON.stringify([...new Set(products)]),
    maxUses: terms.maxUses ?? null,
    maxUsesPerUser: terms.maxUsesPerUser ?? null,
    validUntil: endOfCode(terms, now),
    createdAt: now,
  })
  return find(tx, now, id)
}

function microsOf(amount: number | null | undefined): Micros | null {
  return typeof amount === 'number' ? (fromNumber(amount) ?? null) : null
}

/** @throws validation_error for a moment that has passed, or is too far away */
function endOfCode({ days, until }: Pick<Terms, 'days' | 'until'>, now: Date): Date | null {
  if (typeof days === 'number') return new Date(now.getTime() + days * DAY_MS)
  if (typeof until !== 'string') return null
  const end = new Date(until)
  const ahead = end.getTime() - now.getTime()
  if (ahead <= 0 || ahead > MAX_DAYS * DAY_MS) throw InvalidInput.of('until', 'not_in_the_next_ten_years')
  return end
}

type Terms = z.output<typeof NewPromoCode>

/** @throws product_not_found for a number that no product has */
async function refuseUnknown({ $kysely }: Readable, products: readonly string[]): Promise<void> {
  const known = await $kysely
    .selectFrom('products')
    .select('productNo')
    .where('productNo', 'in', listOf(products))
    .execute()
  if (known.length < new Set(products).size) throw new ServiceError('product_not_found')
}

const insertCode = compiledInsert('promoCodes')

/** Whose codes: those of an agent; undefined: all of them, for the operator. */
type Owner = Actor | undefined

export const PromoCodeFilter = z.object(paging)

/**
 * Promotion codes, newest first: those of an agent, or for the operator all of them.
 *
 * @throws agent_required, validation_error
 */
export async function listPromoCodes(
  { db, clock }: PromoDeps,
  owner: Owner,
  input: z.input<typeof PromoCodeFilter> = {},
): Promise<Page<PromoCode>> {
  const { page, pageSize } = parseInput(PromoCodeFilter, input)
  const found = ofOwner(db.read, owner)
  const { total } = await found
    .clearSelect()
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await found
    .orderBy('c.id', 'desc')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute()
  return { items: rows.map((row) => withState(row, clock.now())), total, page, pageSize }
}

/**
 * One code, by its text in any case.
 *
 * @throws agent_required, promo_code_not_found, also when it is somebody else's
 */
export async function getPromoCode({ db, clock }: PromoDeps, owner: Owner, code: string): Promise<PromoCode> {
  return findByCode(db.read, clock.now(), owner, code)
}

/**
 * Ends a code; purchases that were made with it stay as they are. The operator may end those of agents, too.
 *
 * @throws agent_required, promo_code_not_found, also when it is somebody else's
 */
export async function stopPromoCode(
  { db, clock }: PromoDeps,
  owner: Owner,
  code: string,
): Promise<PromoCode> {
  return db.write(async (tx) => {
    const now = clock.now()
    const { id } = await findByCode(tx, now, owner, code)
    await tx.$kysely
      .updateTable('promoCodes')
      .set({ stoppedAt: now })
      .where('id', '=', id)
      .where('stoppedAt', 'is', null)
      .execute()
    return find(tx, now, id)
  })
}

function ofOwner(db: Readable, owner: Owner) {
  if (!owner) return selectPromoCodes(db)
  requireAgent(owner)
  return selectPromoCodes(db).where('c.agentId', '=', owner.id)
}

async function findByCode(db: Readable, now: Date, owner: Owner, code: string): Promise<PromoCode> {
  const row = await ofOwner(db, owner).where('c.code', '=', code.trim().toUpperCase()).executeTakeFirst()
  if (!row) throw new ServiceError('promo_code_not_found')
  return withState(row, now)
}

async function find(db: Readable, now: Date, id: number): Promise<PromoCode> {
  return withState(await selectPromoCodes(db).where('c.id', '=', id).executeTakeFirstOrThrow(), now)
}
