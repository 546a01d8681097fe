import { type Tx, withWrite } from '../database/database.ts'
import { compiledInsert } from '../database/compiled-insert.ts'
import type { Operator } from './operator.ts'
import { type OperatorAction, type Permission, requirePermission } from './permissions.ts'
import { happened } from '../facts/happened.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** What the trail keeps of an action. Never a secret. */
export interface Facts {
  /** The id, number, name or username that the action is about, as people search for it. */
  readonly subject: string
  /** The account that it concerns, where the subject is something else. */
  readonly username?: string
  readonly details?: Readonly<Record<string, unknown>>
}

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
     * also writes the row of the trail (rules 14.4): one for each time it was carried out, none when it was refused.
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
          let kept = false
          const db = withWrite(deps.db, (job) =>
            deps.db.write(async (tx) => {
              const written = await job(tx)
              if (kept) return written
              const known = facts(written as Result, args)
              if (known) await keepInTrail(deps, tx, by, action, known)
              kept = true
              return written
            }),
          )
          return useCase({ ...deps, db, by }, ...args)
        },
        { action },
      ),
  }
}

/** Writes the row of the trail, and says what was done; for what is not bound by {@link guarding}. */
export async function keepInTrail(
  { clock }: Pick<Essentials, 'clock'>,
  tx: Tx,
  by: Operator,
  action: OperatorAction,
  { subject, username, details = {} }: Facts,
): Promise<void> {
  const { person, via, chat, telegram } = by
  happened(tx, { kind: 'operator.acted', by, action, subject })
  await insertRow(tx, {
    at: clock.now(),
    personId: person?.id ?? null,
    person: person?.name ?? null,
    via,
    chatId: chat ?? null,
    telegramId: telegram ?? null,
    action,
    subject,
    username: username ?? null,
    details: JSON.stringify(details),
  })
}

const insertRow = compiledInsert('trail')
