import { withWrite } from '../database/database.ts'
import type { FactOf } from '../facts/facts.ts'
import { alsoTelling } from '../facts/happened.ts'
import type { Operator } from './operator.ts'
import { type OperatorAction, type Permission, requirePermission } from './permissions.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** What the trail keeps of an action. */
export type Facts = Pick<FactOf<'operator.acted'>, 'subject' | 'username' | 'details'>

/** Who carries out a use case that is kept, as a dependency of it. */
export interface Acting {
  readonly by: Operator
}

/** What is stored of who makes a link for the shop (rules 2.28). */
export function makerOf({ person, via }: Operator): {
  readonly personId: number | null
  readonly unnamed: boolean
} {
  return { personId: person?.id ?? null, unnamed: person === null && via !== 'shell' }
}

/** A function of the operator's part of the core. `action`: what it keeps in the trail; null where it only reads. */
export type Guarded<Args extends never[], Result> = ((...args: Args) => Result) & {
  readonly action: OperatorAction | null
}

/** The operator's part of the core: each function either keeps what it changes, or changes nothing. */
export interface OperatorPart {
  readonly [name: string]: Guarded<never[], unknown> | OperatorPart | readonly number[]
}

interface Keeping<Args, Result> {
  /**
   * What to keep.
   *
   * @param written what the first transaction of the use case returned: a use case that is kept returns it as it is
   * @returns undefined when nothing was changed
   */
  readonly facts: (written: Result, args: Args) => Facts | undefined
  /** What this input takes besides the permission of the action. */
  readonly needs?: (args: Args) => Permission | undefined
}

export type Guards<Deps extends Essentials> = ReturnType<typeof guarding<Deps>>

/** Binds the use cases of the operator to their dependencies. */
export function guarding<Deps extends Essentials>(deps: Deps) {
  /** A use case that changes nothing: it cannot. */
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
     * A use case whose first argument becomes who does it. It is refused to those without the permission, and its first transaction
     * also says what was done, which the trail keeps (rules 14.4): once for each time it was carried out, not when it was refused.
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
