import { z } from 'zod'
import { compiled } from '../database/compiled.ts'
import { compiledInsert } from '../database/compiled-insert.ts'
import type { Tx } from '../database/database.ts'
import { isIncident } from './incident.ts'
import { type Probe, PROBE_REASONS, PROBE_STAGES } from './prober.ts'
import { type ProxyInUse, proxyAsItIs } from './proxy-of.ts'
import { findingsAfter, type NextFindings, wouldCondemn } from './verdict.ts'
import { type Held, Time } from '../record.ts'
import { happened } from '../facts/happened.ts'
import { ASKED, noteTest } from './asked-checks.ts'
import type { CheckDeps } from './deps.ts'

/** Maximum number of checks that are kept of a proxy. */
const KEPT = 20

const STAGES = [...PROBE_STAGES, 'control'] as const
const REASONS = [...PROBE_REASONS, 'control_failed'] as const

/** Fields shown of what a check of a proxy saw (rules 5.20). */
export const PROXY_CHECK = {
  verdict: z.enum(['alive', 'dead', 'unknown']).meta({
    description:
      '`unknown`: this test failed, or says nothing; it takes three failures over ten minutes to be `dead`',
  }),
  stage: z.enum(STAGES).meta({
    description:
      'How far the test came: `connect`, `handshake`, `credentials`, `echo`, `done`; `control`: it says nothing, because our own echo cannot be reached',
  }),
  reason: z.enum(REASONS).nullable().meta({ description: 'Why it came no further' }),
  connectMs: z.int().nullable().meta({ description: 'Until the connection to the proxy stood' }),
  firstByteMs: z.int().nullable().meta({ description: 'From the request to the first byte of its answer' }),
  exitAddress: z.string().nullable().meta({ description: 'From which the request arrived' }),
  checkedAt: Time.meta({ description: 'When it was tested' }),
}
export type ProxyCheck = Held<typeof PROXY_CHECK>

/**
 * Notes a check and what follows from it: the proxy's state, the next check, and a notice to its owner when it turns out to be dead.
 *
 * @param probe undefined when our own echo does not work
 * @returns undefined when the proxy has ended or was exchanged meanwhile: then nothing is noted
 */
export async function recordCheck(
  deps: CheckDeps,
  tx: Tx,
  probed: ProxyInUse,
  probe: Probe | undefined,
): Promise<ProxyCheck | undefined> {
  const now = deps.clock.now()
  const proxy = await proxyAsItIs(tx, probed.id)
  if (!proxy || proxy.status !== 'active' || addressOf(proxy) !== addressOf(probed)) return undefined
  const outcome =
    probe === undefined
      ? 'void'
      : probe.stage === 'done'
        ? 'passed'
        : wouldCondemn(proxy, now) && (await isIncident(deps, tx, proxy.supplier))
          ? 'paused'
          : 'failed'
  const found = findingsAfter(proxy, outcome, {
    now,
    regular: deps.checks?.regular ?? false,
    answerMs: (probe?.connectMs ?? 0) + (probe?.firstByteMs ?? 0),
  })
  await setFindings(tx, { id: proxy.id, ...found })
  const { health } = (await proxyAsItIs(tx, proxy.id)) ?? proxy
  if (health !== proxy.health) await setChanged(tx, { id: proxy.id, now })
  const check: ProxyCheck = {
    verdict: outcome === 'void' ? 'unknown' : (found.verdict ?? 'unknown'),
    ...(probe ?? NOTHING_SEEN),
    checkedAt: now.toISOString(),
  }
  await insertCheck(tx, { instanceId: proxy.id, ...check })
  await forgetOldChecks(tx, { instanceId: proxy.id })
  if (proxy.nextCheckAt === ASKED) await noteTest(tx, proxy.orderId, proxy.userId)
  if (found.verdict === 'dead' && proxy.verdict !== 'dead') noteDeath(tx, proxy, found)
  return check
}

const NOTHING_SEEN = {
  stage: 'control',
  reason: 'control_failed',
  connectMs: null,
  firstByteMs: null,
  exitAddress: null,
} as const

function addressOf({ ip, port, username, password }: ProxyInUse): string {
  return JSON.stringify([ip, port, username, password])
}

const setFindings = compiled<NextFindings & { id: number }>()(
  (db, { id, verdict, answerMs, failures, failingSince, nextCheckAt }) =>
    db
      .updateTable('instances')
      .set({ verdict, answerMs, failures, failingSince, nextCheckAt })
      .where('id', '=', id),
)

/** Marks a proxy as changed, because its health has changed. */
const setChanged = compiled<{ id: number; now: Date }>()((db, { id, now }) =>
  db.updateTable('instances').set({ updatedAt: now }).where('id', '=', id),
)

const insertCheck = compiledInsert('proxyChecks')

const forgetOldChecks = compiled<{ instanceId: number }>()((db, { instanceId }) =>
  db
    .deleteFrom('proxyChecks')
    .where('instanceId', '=', instanceId)
    .where('id', '<=', ({ selectFrom }) =>
      selectFrom('proxyChecks')
        .select('id')
        .where('instanceId', '=', instanceId)
        .orderBy('id', 'desc')
        .limit(1)
        .offset(KEPT),
    ),
)

function noteDeath(tx: Tx, proxy: ProxyInUse, { failingSince }: NextFindings): void {
  const { id: instanceId, instanceNo, orderNo, userId, ip, port } = proxy
  const facts = { orderNo, userId, instanceNo, instanceId, ip, port, since: failingSince ?? '' }
  happened(tx, { kind: 'proxy.dead', ...facts })
}
