import { endpoint } from '../endpoint.ts'
import { balanceSchema, toBalance } from '../wire/balance.ts'

const BALANCE = {
  userId: 2,
  username: 'customer',
  balance: 37_500_000,
  totalRecharge: 50_000_000,
  totalConsumption: 12_500_000,
  dynamic1Bytes: 1_500_000_000,
  dynamic3Bytes: 0,
  currency: 'USD',
}

/** GET /open/app/user/balance/current (rules 2.16). */
export const currentBalance = endpoint({
  name: 'currentBalance',
  method: 'GET',
  path: '/open/app/user/balance/current',
  tag: 'Users',
  scope: 'read',
  summary: 'Balance of the logged-in user',
  answer: balanceSchema,
  example: { data: (variant) => toBalance(BALANCE, variant) },
  async handle({ core, variant }, actor) {
    return toBalance(await core.accounts.balance(actor), variant)
  },
})
