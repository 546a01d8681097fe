import { withWrite } from '../database/database.ts'
import type { FactOf } from '../facts/facts.ts'
import { alsoTelling } from '../facts/happened.ts'
import type { Operator } from './operator.ts'
import { type OperatorAction, type Permission, requirePermission } from './permissions.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** What the trail keeps of an action. */
export type Facts = Pick<FactOf<'operator.acted'>, 'subject' | 'username' | 'details'>

/** Dependency of a use case that the trail keeps: who carries it out. */
export interface Acting {
  readonly by: Operator
}

/** Returns the columns that record who makes a link for the shop (rules 2.28). */
export function makerOf({ person, via }: Operator): {
  readonly personId: number | null
  readonly unnamed: boolean
} {
  return { personId: person?.id ?? null, unnamed: person === null && via !== 'shell' }
}

/** A function of the operator's part of the core. `action`: the action that the trail keeps; null where it only reads. */
export type Guarded<Args extends never[], Result> = ((...args: Args) => Result) & {
  readonly action: OperatorAction | null
}

/** The operator's part of the core: each function either has the trail keep its changes, or changes nothing. */
export interface OperatorPart {
  readonly [name: string]: Guarded<never[], unknown> | OperatorPart | readonly number[]
}

interface Keeping<Args, Result> {
  /**
   * Returns what the trail keeps.
   *
   * @param written the result of the first transaction, which the use case must return unchanged
   * @returns undefined when nothing was changed
   */
  readonly facts: (written: Result, args: Args) => Facts | undefined
  /** The permission that this input needs besides that of the action. */
  readonly needs?: (args: Args) => Permission | undefined
}

export type Guards<Deps extends Essentials> = ReturnType<typeof guarding<Deps>>

/** Binds the use cases of the operator to their dependencies. */
export function guarding<Deps extends Essentials>(deps: Deps) {
  /** Binds a use case that changes nothing: its writes are rejected. */
  const look = <Args extends unknown[], Result>(useCase: (deps: Deps, ...args: Args) => Result) =>
    Object.assign((...args: Args): Result => useCase(reading, ...args), { action: null })
  const reading: Deps = {
    ...deps,
    db: withWrite(deps.db, () =>
      Promise.reject(new Error('a use case that is kept nowhere changes nothing')),
    ),
  }

  return {
    look,
    /** {@link look} for those with a permission. */
    lookWith:
      (permission: Permission) =>
      <Args extends unknown[], Result>(useCase: (deps: Deps, ...args: Args) => Promise<Result>) =>
        Object.assign(
          async (by: Operator, ...args: Args): Promise<Result> => {
            requirePermission(by, permission)
            return useCase(reading, ...args)
          },
          { action: null },
        ),
    /**
     * Binds a use case and adds a first argument: who carries it out. Refuses those without the permission. The first transaction also
     * tells what was done, which the trail keeps (rules 14.4): once per execution, not when it was refused.
     */
    keep: <Args extends unknown[], Result>(
      action: OperatorAction,
      useCase: (deps: Deps & Acting, ...args: Args) => Promise<Result>,
      facts: Keeping<Args, Result>['facts'],
      needs?: Keeping<Args, Result>['needs'],
    ) =>
      Object.assign(
        async (by: Operator, ...args: Args): Promise<Result> => {
          requirePermission(by, action)
          const extra = needs?.(args)
          if (extra) requirePermission(by, extra)
          const db = alsoTelling(deps.db, (written) => {
            const known = facts(written as Result, args)
            return known && { kind: 'operator.acted', by, action, ...known }
          })
          return useCase({ ...deps, db, by }, ...args)
        },
        { action },
      ),
  }
}
