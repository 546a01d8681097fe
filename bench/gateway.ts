import { availableParallelism } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { table } from '../src/operator/table.ts'
import {
  ACCOUNT,
  accountsPage,
  authorizationOf,
  type Proxy,
  startBareProxy,
  FREE_ACCOUNT,
  startGateway,
  startHalfMetered,
  startOrigin,
  startProxyChain,
  startThreeProxy,
  startUnmetered,
} from './gateway-contenders.ts'
import { startGatewayShop } from './gateway-shop.ts'
import { median } from './load.ts'
import { processorTime, residentMb } from './server-process.ts'
import { openTunnel, type ProxyAddress } from './tunnel.ts'

/** An odd number, for the median. */
const ROUNDS = 5
const DOWNLOADS = 8
const DOWNLOAD_BYTES = 33_554_432
/** In a round, of downloads that are metered and others that are not: the noise of one pair is larger than what metering costs. */
const METERING_PAIRS = 12
/** Opened, used for a few bytes, and closed. */
const TUNNELS = 800
/** In a round, of all proxies one after the other: a busy machine disturbs one turn more than the proxies differ. */
const TUNNEL_TURNS = 5
const TUNNELS_AT_ONCE = 32
/** Until V8 has compiled what a proxy does for a tunnel. */
const WARM_UP_TIMES = 5
const IDLE_TUNNELS = 2_000
/** Opened at once: more than a listen queue holds would wait a second for their second try. */
const WAVE = 100
/** Until the memory of a proxy stays as it is. */
const SETTLE_MS = 1_000
const LIMIT_BYTES = 10_000_000
/** Without end, for the benchmark. */
const PLENTY = 1e15
/** Against proxy-chain, except memory and metering. */
const TARGETS = { bytes: 2, tunnels: 1, idleKb: 25, metering: 0.03 }

interface Subject {
  readonly proxy: Proxy
  /** Of a tunnel on which nothing happens. */
  readonly idleKb: number
  /** For a second of its processor time, round by round, and turn by turn. */
  readonly bytes: number[]
  readonly tunnels: number[]
  /** All that its tunnels sent and received. */
  carried: number
}

type Kind = 'bytes' | 'tunnels'

/**
 * `npm run bench -- gateway`: what the gateway gets out of a second of its processor time, user and system, beside a minimal proxy,
 * proxy-chain, and 3proxy where it is installed. All of them get the same work, round by round in turn; the figures are medians of
 * the rounds (of CONNECTs: of the turns), and so are the ratios, each round with that of the other beside it. The gateway runs as `npm run gateway` runs it, with
 * a shop to which it reports every second. The cost of metering is what a download takes longer than one for which nothing is
 * counted and reported, in the same process: two processes of one program differ by up to 8 %. It is the median of many pairs of
 * downloads, which change places from pair to pair. For CONNECTs there is also a gateway that has no meters, journal and reports at all.
 *
 * It compares like with like: one process each, the same client and origin, and the same username and password, which the minimal proxy
 * does not look at. proxy-chain compares them with one known pair; the gateway finds the account among others, reads country and session
 * from the username, checks the target, chooses an exit and keeps to a quota. CONNECTs are of many clients with the same header each time.
 *
 * What fails it always: a download that is not complete, and reports of anything but what the tunnels carried.
 *
 * @returns whether every target was met
 */
export async function benchGateway(directory: string): Promise<boolean> {
  const origin = await startOrigin(directory)
  const limited = Array.from({ length: ROUNDS }, (_, round) => `limited${round}`)
  const page = accountsPage({
    [ACCOUNT]: PLENTY,
    [FREE_ACCOUNT]: PLENTY,
    ...Object.fromEntries(limited.map((username) => [username, LIMIT_BYTES])),
  })
  const shop = await startGatewayShop(page)
  const gateway = await prepare(await startGateway(directory, origin, shop.url))
  const unmetered = await prepare(await startUnmetered(directory, origin, page))
  const floor = await prepare(await startBareProxy(directory, origin))
  const chain = await prepare(await startProxyChain(directory, origin))
  const threeProxy = await startThreeProxy(directory, origin)
  const ownShop = await startGatewayShop(page)
  const half = await startHalfMetered(directory, origin, ownShop.url)
  const metered = await warm(half.metered)
  const free = await warm(half.free)
  const subjects = [floor, chain, unmetered, gateway, ...(threeProxy ? [await prepare(threeProxy)] : [])]

  const over: number[] = []
  const metering: number[] = []
  for (const [round, username] of limited.entries()) {
    process.stderr.write(`bench: round ${round + 1} of ${ROUNDS}\n`)
    for (const subject of subjects)
      subject.bytes.push((await perSecond(subject, download)) * DOWNLOADS * DOWNLOAD_BYTES)
    for (let turn = 0; turn < TUNNEL_TURNS; turn += 1)
      for (const subject of turn % 2 === 0 ? subjects : subjects.toReversed())
        subject.tunnels.push((await perSecond(subject, openAndClose)) * TUNNELS)
    for (let pair = 0; pair < METERING_PAIRS; pair += 1)
      metering.push(await meteredShare(metered, free, pair))
    over.push((await relayedTo(gateway, username)) - LIMIT_BYTES)
  }
  for (const { proxy } of [...subjects, metered]) await proxy.process.stop()
  await origin.stop()
  for (const one of [shop, ownShop]) one.close()
  compare('the gateway', gateway.carried, shop.used(ACCOUNT))
  compare('the gateway with an account that is free', metered.carried, ownShop.used(ACCOUNT))
  compare('the account that is free', 0, ownShop.used(FREE_ACCOUNT))

  const cost = 1 - median(metering)
  const verdicts = [
    ratio(gateway, chain, 'bytes') >= TARGETS.bytes,
    ratio(gateway, chain, 'tunnels') >= TARGETS.tunnels,
    gateway.idleKb <= TARGETS.idleKb,
    over.every((bytes) => bytes === 0),
    cost <= TARGETS.metering,
  ]
  const [bytesMet, tunnelsMet, idleMet, limitMet, meteringMet] = verdicts.map((met) => (met ? 'yes' : 'no'))
  const rows = (what: string, kind: Kind, unit: number, target: number, met = '') =>
    subjects.map((subject) => [
      what,
      subject.proxy.name,
      (median(subject[kind]) / unit).toFixed(0),
      ratio(subject, floor, kind).toFixed(2),
      ratio(subject, chain, kind).toFixed(2),
      ...(subject === gateway ? [`≥ ${target} × proxy-chain`, met] : []),
    ])
  console.log(
    table([
      ['what', 'who', 'figure', '× floor', '× proxy-chain', 'target', 'met'],
      ...rows('MB downloaded / CPU s', 'bytes', 1e6, TARGETS.bytes, bytesMet),
      ...rows('CONNECTs / CPU s', 'tunnels', 1, TARGETS.tunnels, tunnelsMet),
      ...subjects.map(({ proxy, idleKb }) => [
        'KB / idle tunnel',
        proxy.name,
        idleKb.toFixed(1),
        (idleKb / floor.idleKb).toFixed(2),
        (idleKb / chain.idleKb).toFixed(2),
        ...(proxy === gateway.proxy ? [`≤ ${TARGETS.idleKb}`, idleMet ?? ''] : []),
      ]),
      ['bytes over a limit', 'gateway', String(Math.max(...over)), '', '', '0', limitMet ?? ''],
      [
        '% for metering',
        'gateway',
        (100 * cost).toFixed(1),
        '',
        '',
        `≤ ${100 * TARGETS.metering}`,
        meteringMet ?? '',
      ],
    ]),
  )
  if (!threeProxy) console.log('\n3proxy is not installed.')
  console.log(
    `\nNode ${process.version}, ${availableParallelism()} CPUs, ${ROUNDS} rounds of ${DOWNLOADS} downloads at a time of ${DOWNLOAD_BYTES / 2 ** 20} MiB each, ${ROUNDS * METERING_PAIRS} pairs of them for metering, and ${TUNNEL_TURNS} times ${TUNNELS} tunnels, ${TUNNELS_AT_ONCE} at a time; ${IDLE_TUNNELS} idle tunnels; ${DOWNLOADS} downloads at a time for a limit of ${LIMIT_BYTES / 1e6} MB.`,
  )
  return verdicts.every(Boolean)
}

/** Measures what idle tunnels cost in a proxy that has just started, whose heap is not larger than it needs, and warms it up. */
async function prepare(proxy: Proxy): Promise<Subject> {
  process.stderr.write(`bench: idle tunnels of ${proxy.name}\n`)
  // The gateway allows a client address so many connections; those that are being closed count.
  const idle: ProxyAddress = { ...proxy, localAddress: '127.0.0.2' }
  const open = () => Promise.all(Array.from({ length: WAVE }, () => openTunnel(idle)))
  const tunnels = await open()
  await delay(SETTLE_MS)
  const before = residentMb(proxy.process)
  while (tunnels.length < IDLE_TUNNELS) tunnels.push(...(await open()))
  await delay(SETTLE_MS)
  const idleKb = ((residentMb(proxy.process) - before) * 1024) / (IDLE_TUNNELS - WAVE)
  for (const tunnel of tunnels) tunnel.close()

  return { ...(await warm(proxy)), idleKb }
}

async function warm(proxy: Proxy): Promise<Subject> {
  let carried = await download(proxy)
  for (let time = 0; time < WARM_UP_TIMES; time += 1) carried += await openAndClose(proxy)
  return { proxy, idleKb: 0, bytes: [], tunnels: [], carried }
}

/** The bytes of a second of processor time that are metered, as a share of those that are free. */
async function meteredShare(metered: Subject, free: Subject, pair: number): Promise<number> {
  const rates = new Map<Subject, number>()
  // Whoever comes second finds the machine as the first one has left it.
  for (const subject of pair % 2 === 0 ? [metered, free] : [free, metered])
    rates.set(subject, await perSecond(subject, download))
  return (rates.get(metered) ?? 0) / (rates.get(free) ?? Infinity)
}

/** How often a proxy would do the work in a second of its processor time. */
async function perSecond(subject: Subject, work: (proxy: Proxy) => Promise<number>): Promise<number> {
  const { proxy } = subject
  const before = processorTime(proxy.process)
  subject.carried += await work(proxy)
  return 1_000 / (processorTime(proxy.process) - before)
}

/** @returns bytes that the tunnels sent and received */
async function download(proxy: Proxy): Promise<number> {
  const tunnels = await Promise.all(Array.from({ length: DOWNLOADS }, () => openTunnel(proxy)))
  const carried = await Promise.all(
    tunnels.map(async (tunnel) => complete(proxy, DOWNLOAD_BYTES, await tunnel.download(DOWNLOAD_BYTES))),
  )
  return sum(carried)
}

/** @returns bytes that the tunnels sent and received */
async function openAndClose(proxy: Proxy): Promise<number> {
  let opened = 0
  const client = async () => {
    let carried = 0
    while (opened < TUNNELS) {
      opened += 1
      const tunnel = await openTunnel(proxy)
      carried += complete(proxy, 0, await tunnel.download(0))
    }
    return carried
  }
  return sum(await Promise.all(Array.from({ length: TUNNELS_AT_ONCE }, client)))
}

/** Downloads as much as is left to an account, several times at once. */
async function relayedTo({ proxy }: Subject, username: string): Promise<number> {
  const limited: ProxyAddress = { ...proxy, authorization: authorizationOf(username) }
  const tunnels = await Promise.all(Array.from({ length: DOWNLOADS }, () => openTunnel(limited)))
  return sum(await Promise.all(tunnels.map((tunnel) => tunnel.download(LIMIT_BYTES))))
}

/** @throws Error when a tunnel did not carry the question and the whole answer */
function complete({ name }: Proxy, bytes: number, carried: number): number {
  if (carried < bytes) throw new Error(`${name} relayed ${carried} of ${bytes} bytes`)
  return carried
}

/** @throws Error when other bytes were reported than were carried */
function compare(who: string, carried: number, reported: number): void {
  if (reported !== carried) throw new Error(`${who} carried ${carried} bytes and reported ${reported}`)
}

/** Each round or turn with its neighbour, so that a slow moment of the machine meets both. */
function ratio(one: Subject, other: Subject, kind: Kind): number {
  return median(one[kind].map((rate, round) => rate / (other[kind][round] ?? 0)))
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
