import type { CheckVerdict } from '../../generated/prisma/client.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Failures in a row, and the least time in ms that they span, for the verdict that a proxy is dead (rules 5.21). */
const CONDEMNED_AFTER = { failures: 3, ms: 10 * MINUTE_MS } as const
/** Pause after a failure, and after a check that says nothing. */
const RETRY_MS = 5 * MINUTE_MS
const REGULAR_MS = 6 * HOUR_MS

/** What the checks of a proxy have said so far. */
export interface Findings {
  readonly verdict: CheckVerdict | null
  /** Milliseconds until the first byte in the last check that passed, those of connecting included; null without one. */
  readonly answerMs: number | null
  readonly failures: number
  /** ISO 8601. */
  readonly failingSince: string | null
}

/** The findings after a check, and when the next one is due; null: only when somebody asks. */
export interface NextFindings extends Findings {
  readonly nextCheckAt: string | null
}

/** Tells whether one more failure makes a proxy dead. */
export function wouldCondemn(
  { verdict, failures, failingSince }: Omit<Findings, 'answerMs'>,
  now: Date,
): boolean {
  if (verdict === 'dead') return false
  return (
    failures + 1 >= CONDEMNED_AFTER.failures &&
    failingSince !== null &&
    now.getTime() - Date.parse(failingSince) >= CONDEMNED_AFTER.ms
  )
}

/**
 * Returns the findings after one more check (rules 5.21).
 *
 * @param outcome `passed`; `failed`; `paused`: it failed while verdicts pause, because many fail at once; `void`: our own echo did
 *   not work, so that the check says nothing
 * @param check.regular whether proxies are checked without being asked for
 * @param check.answerMs milliseconds until the first byte, of a check that passed
 */
export function findingsAfter(
  findings: Findings,
  outcome: 'passed' | 'failed' | 'paused' | 'void',
  { now, regular, answerMs }: { readonly now: Date; readonly regular: boolean; readonly answerMs: number },
): NextFindings {
  const after = (ms: number) => new Date(now.getTime() + ms).toISOString()
  const usual = regular ? after(withJitter(REGULAR_MS)) : null
  const { verdict, failures, failingSince } = findings
  switch (outcome) {
    case 'passed':
      return { verdict: 'alive', answerMs, failures: 0, failingSince: null, nextCheckAt: usual }
    case 'void':
      return {
        verdict,
        answerMs: findings.answerMs,
        failures,
        failingSince,
        nextCheckAt: regular || failures > 0 ? after(RETRY_MS) : null,
      }
    case 'failed':
    case 'paused': {
      const dead = verdict === 'dead' || (outcome === 'failed' && wouldCondemn(findings, now))
      return {
        verdict: dead ? 'dead' : 'unknown',
        answerMs: findings.answerMs,
        failures: failures + 1,
        failingSince: failingSince ?? now.toISOString(),
        nextCheckAt: dead ? usual : after(RETRY_MS),
      }
    }
  }
}

/** Returns a random time for the first check, so that the proxies of an order are not all checked at once. */
export function firstCheckAt(now: Date): string {
  return new Date(now.getTime() + Math.random() * REGULAR_MS).toISOString()
}

/** Makes a time up to a tenth shorter or longer. */
function withJitter(ms: number): number {
  return ms * (0.9 + Math.random() * 0.2)
}
