import { z } from 'zod'
import type { UsageFigures } from '../../core/gateway/usage-figures.ts'
import { Gigabytes, gigabytes } from './fields.ts'

const Day = z.iso.date()
const Host = z.strictObject({
  host: z.string().meta({ description: 'The host that was reached' }),
  used: Gigabytes,
})
const UsedByCredential = z.strictObject({
  username: z.string().meta({ description: '`<account>` in the grammar of credentials' }),
  used: Gigabytes,
})

/** What a traffic account used (rules 12.9). */
export const UsageRecord = z
  .strictObject({
    user_id: z.int().meta({ description: 'Whose traffic it is' }),
    product_no: z.string(),
    from: Day.meta({ description: 'First day, UTC' }),
    to: Day.meta({ description: 'Last day, UTC' }),
    used: Gigabytes.meta({ description: 'GB that were reported in these days' }),
    days: z
      .array(
        z.strictObject({
          date: Day,
          used: Gigabytes,
          credentials: z.array(UsedByCredential).meta({ description: 'By credential, the most use first' }),
        }),
      )
      .meta({ description: 'Days with use, the earliest first' }),
    keeps_hosts: z.boolean().meta({ description: 'Whether it is kept which hosts are reached' }),
    targets: z.array(Host).meta({ description: 'The 20 hosts with the most use' }),
    other_targets: Gigabytes.meta({ description: 'GB that were used for all other hosts' }),
    unit: z.literal('GB'),
  })
  .meta({ id: 'TrafficUsage' })

export function toUsage(figures: UsageFigures): z.infer<typeof UsageRecord> {
  return {
    user_id: figures.userId,
    product_no: figures.productNo,
    from: figures.from,
    to: figures.to,
    used: gigabytes(figures.bytes),
    days: figures.days.map(({ day, bytes, credentials }) => ({
      date: day,
      used: gigabytes(bytes),
      credentials: credentials.map((credential) => ({
        username: credential.username,
        used: gigabytes(credential.bytes),
      })),
    })),
    keeps_hosts: figures.keepsHosts,
    targets: figures.targets.map((target) => ({ host: target.host, used: gigabytes(target.bytes) })),
    other_targets: gigabytes(figures.otherTargets),
    unit: 'GB',
  }
}

export const usageExample: z.infer<typeof UsageRecord> = {
  user_id: 2,
  product_no: 'DYN-1',
  from: '2026-11-14',
  to: '2026-11-20',
  used: 1.25,
  days: [{ date: '2026-11-20', used: 1.25, credentials: [{ username: 'u0abcdef123456', used: 1.25 }] }],
  keeps_hosts: true,
  targets: [{ host: 'www.example.com', used: 1 }],
  other_targets: 0.25,
  unit: 'GB',
}
