import { setTimeout as delay } from 'node:timers/promises'
import autocannon, { type Options } from 'autocannon'
import { SqliteDatabase } from '../src/core/database/driver.ts'
import type { Contender } from './contender.ts'
import { processorTime } from './server-process.ts'

export const CONNECTIONS = 32
/** Short and many, and an odd number for the median: the machine may be busy with something else at times. */
export const ROUNDS = 7
export const ROUND_SECONDS = 2
/** Prisma's runtime needs that long to be compiled; the floors get the same. */
export const WARM_UP_SECONDS = 5
/** How long the product may take to complete the orders of a round. */
const COMPLETION_LIMIT_MS = 120_000

export type Request = Pick<Options, 'method' | 'headers' | 'body'> & { readonly path: string }

export interface Sample {
  readonly answers: number
  /** Answers per second. */
  readonly rate: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** From the end of the load until every job was done, in milliseconds. */
  readonly completion: number
  /** Milliseconds of processor time for an answer and what it left to be done. */
  readonly cpu: number
}

/** Of one contender. */
export interface Figures {
  readonly rounds: readonly Sample[]
  /** The warm-up's included. */
  readonly answers: number
  /** The longest. */
  readonly completion: number
}

/**
 * Puts the same load on each contender in turn.
 *
 * @param worker the contender with a background loop; the next round begins when it has nothing left to do
 * @throws when an answer was not 2xx
 */
export async function measure(
  request: Request,
  contenders: readonly Contender[],
  worker?: Contender,
): Promise<Map<Contender, Figures>> {
  const entrants = contenders.map((contender) => ({ contender, request, works: contender === worker }))
  const figures = await measureEach(entrants)
  return new Map([...figures].map(([{ contender }, each]) => [contender, each]))
}

/** A kind of load on a contender. */
export interface Entrant {
  readonly contender: Contender
  readonly request: Request
  /** Whether it has a background loop: the next round begins when that has nothing left to do. */
  readonly works: boolean
}

/**
 * Puts each load on its contender in turn.
 *
 * @throws when an answer was not 2xx
 */
export async function measureEach(entrants: readonly Entrant[]): Promise<Map<Entrant, Figures>> {
  const samples = new Map(entrants.map((entrant) => [entrant, [] as Sample[]]))
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [entrant, list] of samples) {
      const { contender, request, works } = entrant
      const before = processorTime(contender)
      const sample = await load(request, contender, round === 0 ? WARM_UP_SECONDS : ROUND_SECONDS)
      const completion = works ? await allDone(contender) : 0
      const cpu = (processorTime(contender) - before) / sample.answers
      list.push({ ...sample, completion, cpu })
    }
  }
  return new Map([...samples].map(([entrant, all]) => [entrant, summary(all)]))
}

/**
 * Puts load on a server, or on several between which the connections are shared.
 *
 * @param duration in seconds
 * @throws when an answer was not 2xx
 */
export async function load(
  request: Request,
  { name, address }: { readonly name: string; readonly address: string | readonly string[] },
  duration: number,
): Promise<Omit<Sample, 'completion' | 'cpu'>> {
  const { path, ...rest } = request
  const result = await autocannon({
    ...rest,
    url: [address].flat().map((each) => each + path),
    connections: CONNECTIONS,
    duration,
    sampleInt: 100,
  })
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${name}: ${result.non2xx} answers other than 2xx and ${result.errors} errors at ${path}`)
  }
  const { p50, p99 } = result.latency
  return { answers: result['2xx'], rate: result['2xx'] / result.duration, p50, p99 }
}

async function allDone({ name, database }: Contender): Promise<number> {
  const connection = new SqliteDatabase(database, { readonly: true })
  try {
    // Calls to suppliers that are open for longer are not waited for.
    const soon = new Date(Date.now() + COMPLETION_LIMIT_MS).toISOString()
    const left = connection
      .prepare<[string], number>(
        'SELECT (SELECT count(*) FROM jobs) + (SELECT count(*) FROM supplier_calls WHERE next_at < ?)',
      )
      .pluck()
    return await untilDone(name, () => left.get(soon))
  } finally {
    connection.close()
  }
}

/**
 * @param left how many jobs there are
 * @returns the milliseconds until there was none
 */
export async function untilDone(
  name: string,
  left: () => Promise<number | undefined> | number | undefined,
): Promise<number> {
  const start = performance.now()
  while ((await left()) !== 0) {
    if (performance.now() - start > COMPLETION_LIMIT_MS)
      throw new Error(`${name} did not complete its orders in time`)
    await delay(50)
  }
  return performance.now() - start
}

/** @param samples of the rounds, the warm-up first */
export function summary(samples: readonly Sample[]): Figures {
  return {
    rounds: samples.slice(1),
    answers: samples.reduce((total, { answers }) => total + answers, 0),
    completion: Math.max(...samples.map(({ completion }) => completion)),
  }
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

/** How the rates of two contenders compare: each round with its neighbour, so that a slow moment of the machine meets both. */
export function ratio(one: Figures, other: Figures): number {
  return median(one.rounds.map(({ rate }, round) => rate / (other.rounds[round]?.rate ?? 0)))
}
