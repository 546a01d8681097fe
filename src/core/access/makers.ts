import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import type { DB, ShopRole } from '../../generated/kysely/tables.ts'
import type { Actor } from './actor.ts'
import { listOf, type ValueOf } from '../database/dialect.ts'

/** Returns the columns that record who makes a link or an address for a user: the account, and the API key that it acts with. */
export function madeBy({ id, keyId }: Pick<Actor, 'id' | 'keyId'>) {
  return { madeBy: id, keyId: keyId ?? null }
}

/**
 * Condition: whoever made a secret of a user may still act for that user: it is the user itself, or its agent, who is not disabled.
 *
 * @param madeBy an account; null where it is not known
 */
export function makerMayAct(
  madeBy: Expression<number | null>,
  userId: Expression<number>,
): Expression<SqlBool> {
  const { eb, or, exists, selectFrom } = expressionBuilder<DB>()
  return or([
    eb(madeBy, 'is', null),
    eb(madeBy, '=', userId),
    exists(
      selectFrom('accounts as maker')
        .innerJoin('accounts as owner', 'owner.agentId', 'maker.id')
        .select('maker.id')
        .where('maker.id', '=', madeBy)
        .where('owner.id', '=', userId)
        .where('maker.status', '=', 'active'),
    ),
  ])
}

/**
 * Condition: whoever made a link for the shop may still make it: a person with one of the roles; an unnamed operator, while no person is
 * named; or the command line.
 */
export function personMayAct(
  personId: Expression<number | null>,
  unnamed: Expression<boolean>,
  roles: readonly ShopRole[],
): Expression<SqlBool> {
  const { eb, or, and, not, exists, selectFrom } = expressionBuilder<DB>()
  const people = selectFrom('people').select('people.id').where('people.removedAt', 'is', null)
  return or([
    and([eb(personId, 'is', null), eb(unnamed, '=', false)]),
    and([eb(unnamed, '=', true), not(exists(people))]),
    exists(people.where('people.id', '=', personId).where('people.role', 'in', listOf<ShopRole>(roles))),
  ])
}

/**
 * Condition: a secret was made with no API key, or with one that works.
 *
 * @param now ISO 8601
 */
export function keyWorks(keyId: Expression<number | null>, now: ValueOf<string>): Expression<SqlBool> {
  const { eb, or, exists, selectFrom } = expressionBuilder<DB>()
  return or([
    eb(keyId, 'is', null),
    exists(
      selectFrom('apiKeys as key')
        .select('key.id')
        .where('key.id', '=', keyId)
        .where('key.revokedAt', 'is', null)
        .where((key) => key.or([key('key.expiresAt', 'is', null), key('key.expiresAt', '>', now)])),
    ),
  ])
}

/** Condition: a secret was made before the account chose its own password, so that others may know it. */
export function beforeItsOwn(accountId: number, createdAt: Expression<string>): Expression<SqlBool> {
  const { not, exists, selectFrom } = expressionBuilder<DB>()
  return not(
    exists(
      selectFrom('accounts as own')
        .select('own.id')
        .where('own.id', '=', accountId)
        .where('own.ownSince', '<=', createdAt),
    ),
  )
}

/** Condition: somebody else made a secret, or it was made before the account chose its own password. */
export function ofOthers(
  accountId: number,
  madeBy: Expression<number | null>,
  createdAt: Expression<string>,
): Expression<SqlBool> {
  const { eb, or } = expressionBuilder<DB>()
  return or([eb(madeBy, 'is', null), eb(madeBy, '<>', accountId), beforeItsOwn(accountId, createdAt)])
}

/**
 * Condition: a person made a link for the shop.
 *
 * @param person null: an unnamed operator
 */
export function ofPerson(
  person: number | null,
  personId: Expression<number | null>,
  unnamed: Expression<boolean>,
): Expression<SqlBool> {
  const { eb } = expressionBuilder<DB>()
  return person === null ? eb(unnamed, '=', true) : eb(personId, '=', person)
}
