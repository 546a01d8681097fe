import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { PROXY_CHECK } from '../core/checks/record-check.ts'
import type { TestedProxy } from '../core/orders/test-order.ts'
import { addressOf } from '../core/proxy-formats.ts'
import { record } from '../core/record.ts'
import { action, typed } from './action.ts'
import { Refusal } from './refusal.ts'
import { table } from './table.ts'

const { verdict, stage, checkedAt, ...seen } = PROXY_CHECK
const TestedProxyRecord = record({
  instanceNo: z.string(),
  ip: z.string(),
  port: z.int(),
  verdict: verdict.nullable(),
  stage: stage.nullable(),
  ...seen,
  checkedAt: checkedAt.nullable(),
})
/** Shown of a proxy that was never checked. */
const NOTHING_SEEN = {
  verdict: null,
  stage: null,
  reason: null,
  connectMs: null,
  firstByteMs: null,
  exitAddress: null,
  checkedAt: null,
}

const HEADING = ['PROXY', 'ADDRESS', 'VERDICT', 'STAGE', 'REASON', 'CONNECT', 'FIRST BYTE', 'EXIT']
const POLL_MS = 300
/** Time without a result after which the server counts as not testing. */
const PATIENCE_MS = 60_000

/** Has the server test all active proxies of an order, or one proxy (rules 5.20). */
export const checkAction = action({
  name: 'check',
  summary: 'test the proxies of an order, or one proxy; the server does it, and must be running',
  input: { number: typed(z.string(), '<number>', 'number of the order or of the proxy') },
  answer: z.object({ items: TestedProxyRecord.array().schema, alive: z.int(), total: z.int() }),
  async run({ core, by }, { number }) {
    const proxies = await finished(await core.operator.test(by, number))
    const works = proxies.filter(({ check }) => check?.verdict === 'alive').length
    const items = proxies.map((proxy) =>
      TestedProxyRecord.show({ ...proxy, ...(proxy.check ?? NOTHING_SEEN) }),
    )
    return {
      data: { items, alive: works, total: proxies.length },
      text: `${table([HEADING, ...proxies.map(rowOfProxy)])}\n\n${works} of ${proxies.length} work`,
    }
  },
})

/** Waits until all checks are made. */
async function finished(read: () => Promise<readonly TestedProxy[]>): Promise<readonly TestedProxy[]> {
  let [before, since] = [Infinity, performance.now()]
  for (;;) {
    const proxies = await read()
    const left = proxies.filter((proxy) => proxy.left).length
    if (left === 0) return proxies
    const now = performance.now()
    if (left < before) [before, since] = [left, now]
    if (now - since > PATIENCE_MS)
      throw new Refusal(
        'unavailable',
        'Nothing was tested for a minute: the server must be running, and proxies must reach its PUBLIC_URL',
      )
    await sleep(POLL_MS)
  }
}

function rowOfProxy({ check, ...proxy }: TestedProxy): string[] {
  const ms = (time: number | null | undefined) => (typeof time === 'number' ? `${time} ms` : '')
  return [
    proxy.instanceNo,
    addressOf(proxy),
    check?.verdict ?? '',
    check?.stage ?? '',
    check?.reason ?? '',
    ms(check?.connectMs),
    ms(check?.firstByteMs),
    check?.exitAddress ?? '',
  ]
}
