import { z } from 'zod'
import { type Renewal, RenewalStatus } from '../../core/orders/renewal.ts'
import { Money, money, Time } from './fields.ts'
import { staticOrderExample } from './static-order.ts'

export const RENEWAL_STATUSES = Object.values(RenewalStatus)

/** A renewal as it stands (rules 5.7). */
export const RenewalRecord = z
  .strictObject({
    orderNo: z.string(),
    order_no: z.string(),
    renew_order_no: z.string(),
    user_id: z.int().meta({ description: 'Who owns the proxies, and pays' }),
    username: z.string(),
    automatic: z.boolean().meta({ description: 'Made by the service, because the proxies renew themselves' }),
    status: z.enum(RENEWAL_STATUSES).meta({
      description:
        '`processing` until the supplier has answered; `success`: renewed, be it in part; `failed`: no proxy was renewed',
    }),
    fail_reason: z.string().nullable().meta({ description: 'Why proxies were not renewed; null: all were' }),
    amount: Money,
    refunded_amount: Money.meta({ description: 'Given back for proxies that were not renewed' }),
    instances: z.array(
      z.strictObject({
        instance_no: z.string(),
        status: z.enum(RENEWAL_STATUSES),
        old_expire_time: Time,
        new_expire_time: Time.meta({
          description:
            'When the term ends now; while it is `processing`, when it will end at the latest; the old one when it `failed`',
        }),
      }),
    ),
    balance: Money.meta({ description: 'Of the order’s user, right after the payment' }),
    created_at: Time,
    updated_at: Time.meta({ description: 'When the supplier answered, if one had to' }),
  })
  .meta({ id: 'StaticOrderRenewal' })

export function toRenewal(renewal: Renewal): z.infer<typeof RenewalRecord> {
  return {
    orderNo: renewal.orderNo,
    order_no: renewal.orderNo,
    renew_order_no: renewal.renewOrderNo,
    user_id: renewal.userId,
    username: renewal.username,
    automatic: renewal.automatic,
    status: renewal.status,
    fail_reason: renewal.failReason,
    amount: money(renewal.amount),
    refunded_amount: money(renewal.refundedAmount),
    instances: renewal.instances.map(({ instanceNo, status, oldExpireTime, newExpireTime }) => ({
      instance_no: instanceNo,
      status,
      old_expire_time: oldExpireTime,
      new_expire_time: newExpireTime,
    })),
    balance: money(renewal.balance),
    created_at: renewal.createdAt,
    updated_at: renewal.endedAt ?? renewal.createdAt,
  }
}

export const renewalExample: z.infer<typeof RenewalRecord> = {
  orderNo: staticOrderExample.order_no,
  order_no: staticOrderExample.order_no,
  renew_order_no: 'R20261201080000000A2B3C4D5',
  user_id: 2,
  username: 'customer',
  automatic: false,
  status: 'success',
  fail_reason: null,
  amount: 5,
  refunded_amount: 0,
  instances: [
    {
      instance_no: 'I20261120175700456A1B2C3D4',
      status: 'success',
      old_expire_time: '2026-12-20T17:57:00.456Z',
      new_expire_time: '2027-01-20T17:57:00.456Z',
    },
  ],
  balance: 40,
  created_at: '2026-12-01T08:00:00.000Z',
  updated_at: '2026-12-01T08:00:00.000Z',
}
