import { setTimeout as sleep } from 'node:timers/promises'
import { Command } from 'commander'
import type { TestedProxy } from '../../core/orders/test-order.ts'
import { addressOf } from '../../core/proxy-formats.ts'
import { Refusal } from '../../operator/refusal.ts'
import type { Run } from '../run.ts'
import { table } from '../../operator/table.ts'

const HEADING = ['PROXY', 'ADDRESS', 'VERDICT', 'STAGE', 'REASON', 'CONNECT', 'FIRST BYTE', 'EXIT']
const POLL_MS = 300
/** Time without a result after which the server counts as not testing. */
const PATIENCE_MS = 60_000

/** `check ORDER|PROXY`: has the server test all active proxies of an order, or one proxy (rules 5.20). */
export function checkCommand(run: Run): Command {
  return new Command('check')
    .description('test the proxies of an order, or one proxy; the server does it, and must be running')
    .argument('<number>', 'number of the order or of the proxy')
    .action(
      run(async (session, number: string) => {
        const core = await session.core()
        const proxies = await finished(await core.operator.test(session.by, number))
        const works = proxies.filter(({ check }) => check?.verdict === 'alive').length
        return {
          data: { items: proxies.map(recordOfProxy), alive: works, total: proxies.length },
          text: `${table([HEADING, ...proxies.map(rowOfProxy)])}\n\n${works} of ${proxies.length} work`,
        }
      }),
    )
}

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

function recordOfProxy({ check, instanceNo, ip, port }: TestedProxy): object {
  return {
    instance_no: instanceNo,
    ip,
    port,
    verdict: check?.verdict ?? null,
    stage: check?.stage ?? null,
    reason: check?.reason ?? null,
    connect_ms: check?.connectMs ?? null,
    first_byte_ms: check?.firstByteMs ?? null,
    exit_address: check?.exitAddress ?? null,
    checked_at: check?.checkedAt ?? null,
  }
}
