/**
 * The gateway as `npm run gateway` runs it, but for one account (`FREE_ACCOUNT`) nothing is counted. What its other accounts cost more
 * is the cost of metering.
 */
import type { Allowance } from '../src/gateway/allowance.ts'
import { Meters } from '../src/gateway/meters.ts'

const free: Allowance = { take: (wanted) => wanted, more: () => Promise.resolve(true) }
// oxlint-disable-next-line typescript/unbound-method -- called on the meters below
const { know } = Meters.prototype
Meters.prototype.know = function (account, sequence, isFresh) {
  const meter = know.call(this, account, sequence, isFresh)
  return account.username === process.env['FREE_ACCOUNT'] ? free : meter
}

await import('../src/gateway/main.ts')
