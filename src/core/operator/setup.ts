import { z } from 'zod'
import { CURRENCY_KEY } from '../database/currency.ts'
import type { Database } from '../database/database.ts'
import { InvalidInput, parseInput } from '../errors.ts'
import { databaseOrigin, dropSetting, writeSetting } from '../database/settings.ts'
import { type Choice, CHOICES, type Chosen } from './choices.ts'
import type { OperatorDeps } from './deps.ts'

/** A setting with its present value. */
export interface ChoiceState {
  readonly name: Choice
  readonly value: string | undefined
  /** Whether the environment sets it, so that it cannot be chosen. */
  readonly fixed: boolean
}

const Choosing = z.object({
  name: z.enum(CHOICES),
  /** Null removes the choice, so that the default holds. */
  value: z.string().trim().min(1).max(300).nullable(),
})

/** Reads what was chosen in this database; the currency also when nobody has chosen it. */
export async function readChosen({ db }: { readonly db: Pick<Database, 'read'> }): Promise<Chosen> {
  const kept = await db.read.$kysely
    .selectFrom('settings')
    .select(['key', 'value'])
    .where('key', 'in', CHOICES.map(keyOf))
    .execute()
  return Object.fromEntries(
    kept.map(({ key, value }) => [CHOICES.find((name) => keyOf(name) === key), value] as const),
  )
}

/** Lists all settings that can be chosen; empty where none can be. */
export async function listChoices(deps: OperatorDeps): Promise<ChoiceState[]> {
  const { setup } = deps
  if (!setup) return []
  const chosen = await readChosen(deps)
  return CHOICES.map((name) => ({
    name,
    value: setup.environment[name] ?? chosen[name],
    fixed: setup.environment[name] !== undefined,
  }))
}

/**
 * Chooses a setting. The service restarts with it by itself (rules 9.11).
 *
 * @throws validation_error, also where the environment sets it, and for a currency when there are amounts already
 */
export async function choose(deps: OperatorDeps, input: z.input<typeof Choosing>): Promise<Chosen> {
  const { name, value } = parseInput(Choosing, input)
  const { setup } = deps
  if (!setup || setup.environment[name] !== undefined) throw InvalidInput.of(name, 'set_by_environment')
  const { [name]: before, ...others } = await readChosen(deps)
  const chosen: Chosen = value === null ? others : { ...others, [name]: value }
  if (!setup.fits(chosen) || (name === 'CURRENCY' && value === null))
    throw InvalidInput.of(name, 'unfit_setting')
  if (name === 'CURRENCY' && value !== before && (await databaseOrigin(deps)) !== 'empty')
    throw InvalidInput.of(name, 'currency_in_use')
  await deps.db.write(async (tx) => {
    if (value === null) await dropSetting(tx, keyOf(name))
    else await writeSetting(tx, keyOf(name), value)
    return chosen
  })
  setup.changed()
  return chosen
}

/** Returns the key under which a setting is kept: the currency has an older key, from before there was a choice. */
function keyOf(name: Choice): string {
  return name === 'CURRENCY' ? CURRENCY_KEY : name
}
