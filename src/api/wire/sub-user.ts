import { SUB_USER, type SubUser } from '../../core/accounts/sub-user.ts'
import { record, Shown } from '../../core/record.ts'
import type { Variant } from '../variants.ts'
import { POOL_NAMES } from './balance.ts'

const options = { id: 'SubUser', names: POOL_NAMES } as const
const { dynamic3Bytes, ...ofBoth } = SUB_USER
const A = record(ofBoth, options)
/** Its schema has `dyn3_balance` last. */
const B = new Shown(
  record({ ...ofBoth, dynamic3Bytes }, options).schema,
  record(SUB_USER, { names: POOL_NAMES }).show,
)
const recordIn = ({ dyn3Balance }: Variant) => (dyn3Balance ? B : A)

/** Returns the schema of a sub-user (rules 2.9). */
export const subUserSchema = (variant: Variant) => recordIn(variant).schema
export const toSubUser = (user: SubUser, variant: Variant) => recordIn(variant).show(user)
