import { RENEWAL, type Renewal } from '../../core/orders/renewal.ts'
import { record, Shown, Time } from '../../core/record.ts'
import { staticOrderExample } from './static-order.ts'

const shown = record(
  {
    number: RENEWAL.orderNo,
    ...RENEWAL,
    updatedAt: Time.meta({ description: 'When the supplier answered, if one had to' }),
  },
  { id: 'StaticOrderRenewal', names: { number: 'orderNo' } },
)

/** A renewal as it stands (rules 5.7). */
export const RenewalRecord = new Shown(shown.schema, (renewal: Renewal) =>
  shown.show({
    ...renewal,
    number: renewal.orderNo,
    updatedAt: renewal.endedAt ?? renewal.createdAt,
  }),
)

export const renewalExample = RenewalRecord.show({
  orderNo: staticOrderExample.order_no,
  renewOrderNo: 'R20261201080000000A2B3C4D5',
  userId: 2,
  username: 'customer',
  automatic: false,
  status: 'success',
  failReason: null,
  amount: 5_000_000,
  refundedAmount: 0,
  instances: [
    {
      instanceNo: 'I20261120175700456A1B2C3D4',
      status: 'success',
      oldExpireTime: '2026-12-20T17:57:00.456Z',
      newExpireTime: '2027-01-20T17:57:00.456Z',
    },
  ],
  balance: 40_000_000,
  createdAt: '2026-12-01T08:00:00.000Z',
  endedAt: null,
})
