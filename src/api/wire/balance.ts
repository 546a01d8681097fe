import { BALANCE, type Balance } from '../../core/accounts/balance.ts'
import { record, Shown } from '../../core/record.ts'
import type { Variant } from '../variants.ts'

/** Names of the traffic left in pools. */
export const POOL_NAMES = { dynamic1Bytes: 'lumi_balance', dynamic3Bytes: 'dyn3_balance' } as const

const { dynamic3Bytes, ...ofBoth } = BALANCE
const A = record(ofBoth, { names: POOL_NAMES })
/** Its schema has `dyn3_balance` last. */
const B = new Shown(
  record({ ...ofBoth, dynamic3Bytes }, { names: POOL_NAMES }).schema,
  record(BALANCE, { names: POOL_NAMES }).show,
)
const recordIn = ({ dyn3Balance }: Variant) => (dyn3Balance ? B : A)

/** Returns the schema of the balance (rules 2.16). */
export const balanceSchema = (variant: Variant) => recordIn(variant).schema
export const toBalance = (balance: Balance, variant: Variant) => recordIn(variant).show(balance)
