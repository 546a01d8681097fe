import { OperatorError } from '../operator-error.ts'
import { keepSetting, readSetting, type Stored, writeSetting } from './settings.ts'

/** Key of the setting that holds the currency. */
export const CURRENCY_KEY = 'currency'
const USUAL_CURRENCY = 'USD'

/**
 * Compares the configured currency with that of the amounts in the database (rules 9.5), which was stored at the first start.
 *
 * @param currency code from the configuration, if it sets one
 * @returns code of the currency
 * @throws OperatorError when they differ: the same numbers would be other amounts of money
 */
export async function claimCurrency(deps: Stored, currency: string | undefined): Promise<string> {
  const own =
    (await currencyOf(deps)) ??
    (await deps.db.write((tx) => keepSetting(tx, CURRENCY_KEY, currency ?? USUAL_CURRENCY)))
  if (currency === undefined || own === currency) return own
  throw new OperatorError(
    `The amounts in this database are in ${own}, and CURRENCY is ${currency}: set CURRENCY=${own}, or DATABASE_URL to another file`,
  )
}

/** @returns the currency of the amounts; undefined before the first start */
export function currencyOf(deps: Stored): Promise<string | undefined> {
  return readSetting(deps, CURRENCY_KEY)
}

/** Changes the currency of all amounts in the database, earlier ones included. Nothing is converted. */
export async function relabelCurrency(deps: Stored, currency: string): Promise<void> {
  await deps.db.write((tx) => writeSetting(tx, CURRENCY_KEY, currency))
}
