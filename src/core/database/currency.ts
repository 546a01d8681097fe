import type { CoreDeps } from '../deps.ts'
import { OperatorError } from '../operator-error.ts'
import { keepSetting, readSetting, writeSetting } from '../settings.ts'

const KEY = 'currency'
type Deps = Pick<CoreDeps, 'db'>

/**
 * Holds the configured currency against that of the amounts in the database (rules 9.5), which is the one of its first start.
 *
 * @param currency code of the configuration
 * @throws OperatorError when it is another one: the same numbers would be other money
 */
export async function claimCurrency(deps: Deps, currency: string): Promise<void> {
  const own = (await currencyOf(deps)) ?? (await deps.db.write((tx) => keepSetting(tx, KEY, currency)))
  if (own !== currency)
    throw new OperatorError(
      `The amounts in this database are in ${own}, and CURRENCY is ${currency}: set CURRENCY=${own}, or DATABASE_URL to another file`,
    )
}

/** @returns undefined where no start has said it yet */
export function currencyOf(deps: Deps): Promise<string | undefined> {
  return readSetting(deps, KEY)
}

/** Says that the amounts in the database are, and were, in another currency. Nothing is converted. */
export async function relabelCurrency(deps: Deps, currency: string): Promise<void> {
  await deps.db.write((tx) => writeSetting(tx, KEY, currency))
}
