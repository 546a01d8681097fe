import type { KeptBook } from '../emulators/supplier/kept-book.ts'
import { type EmulatedProxies, startProxies } from '../emulators/supplier/proxies.ts'
import { createSupplierEmulator } from '../emulators/supplier/supplier-emulator.ts'
import type { Instance, Order, OrderKind, SupplierEmulator } from '../emulators/supplier/types.ts'
import { METHODS } from '../emulators/supplier/types.ts'
import type { KeptValue } from './kept-value.ts'
import type { SandboxClock } from './sandbox-clock.ts'

/** Faults of a supplier that can be tried in the sandbox. */
export const UPSTREAM_FAULTS = [
  'slow',
  'losesAnswers',
  'outOfStock',
  'deliversPart',
  'dearer',
  'failsRenewals',
  'shortExpiry',
  'hangs',
  'silent',
] as const
export type UpstreamFault = (typeof UPSTREAM_FAULTS)[number]

/** An order of the shop as the supplier's panel shows it. */
export interface UpstreamOrder {
  readonly orderNo: string
  readonly kind: OrderKind
  readonly state: 'open' | 'done' | 'part' | 'failed'
  /** Number of proxies that were asked for, and of those that were done when the order has ended. */
  readonly count: number
  readonly done: number
  /** Amount that was charged or given back, decimal. */
  readonly amount: string
  /** Time of creation, ISO 8601. */
  readonly time: string
}

/** A proxy that was delivered. */
export interface UpstreamProxy {
  readonly instanceNo: string
  readonly ip: string
  readonly port: number
  /** The supplier's name of the product. */
  readonly product: string
  readonly isDead: boolean
}

export interface UpstreamState {
  /** Balance of the shop at the supplier, decimal. */
  readonly balance: string
  readonly faults: Readonly<Record<UpstreamFault, boolean>>
  /** The newest orders and proxies, newest first. */
  readonly orders: readonly UpstreamOrder[]
  readonly proxies: readonly UpstreamProxy[]
}

/** Positions of the switches on the panel. */
export interface KeptSwitches {
  readonly faults: readonly UpstreamFault[]
  /** Addresses of the proxies that are dead. */
  readonly dead: readonly string[]
}

export interface Upstream {
  readonly emulator: SupplierEmulator
  /** The port on this machine where all proxies answer. */
  readonly proxyPort: number
  /** Applies all faults that are switched on; before this call the supplier does not hang, which would hold up the start. */
  begin(): void
  switchFault(fault: UpstreamFault, isOn: boolean): void
  /** @returns false when no proxy of the supplier has the number */
  switchProxy(instanceNo: string, isDead: boolean): boolean
  /** Adds to the balance of the shop, or sets it to 0. */
  changeBalance(change: 'add' | 'empty'): void
  state(): UpstreamState
  close(): Promise<void>
}

/** A proxy that answers beside those of the supplier. */
export type OtherProxy = Pick<Instance, 'ip' | 'username' | 'password'>

const SHOWN_ORDERS = 15
const SHOWN_PROXIES = 50
const BALANCE = '500.00'
const ADDED = 500
const USUAL_DELAY_MS = 1_000
const LONG_DELAY_MS = 60_000
const DAY_MS = 86_400_000
/** The port in the data of delivered proxies. */
const NAMED_PORT = 8000
/** Index of the first address for benchmarks: those for documentation are the own stock of the demo data. */
const FIRST_ADDRESS = 762
const EVERY_TICK_MS = 1_000

const STATES = { 1: 'open', 2: 'open', 3: 'done', 4: 'failed', 5: 'part' } as const
const ORDER_KINDS = ['open', 'renew', 'release', 'reset'] as const

/**
 * Starts the supplier of the sandbox: an emulator with an account for the shop, and proxies that answer on this machine.
 *
 * @param options.others proxies of the own stock, which answer at the same port
 */
export async function createUpstream(options: {
  clock: SandboxClock
  book: KeptValue<KeptBook | undefined>
  switches: KeptValue<KeptSwitches>
  others: readonly OtherProxy[]
}): Promise<Upstream> {
  const { clock, book, switches, others } = options
  const emulator = createSupplierEmulator({
    clock,
    account: { coin: BALANCE },
    proxyPort: NAMED_PORT,
    firstAddress: FIRST_ADDRESS,
    kept: book,
  })
  const stock = others.map((proxy) => ({ ...proxy, status: 3 as const }))
  const proxies = await startProxies(() => [...emulator.instances(), ...stock])
  for (const ip of switches.get().dead) proxies.dead(ip)
  misbehave(
    emulator,
    switches.get().faults.filter((fault) => fault !== 'hangs'),
  )
  const clockwork = setInterval(() => void emulator.tick(), EVERY_TICK_MS).unref()

  return {
    emulator,
    proxyPort: proxies.port,
    begin: () => misbehave(emulator, switches.get().faults),
    switchFault(fault, isOn) {
      const others = switches.get().faults.filter((other) => other !== fault)
      switches.set({ ...switches.get(), faults: isOn ? [...others, fault] : others })
      misbehave(emulator, switches.get().faults)
    },
    switchProxy(instanceNo, isDead) {
      const proxy = emulator.instances().find((instance) => instance.instanceNo === instanceNo)
      if (!proxy) return false
      setDead(proxies, switches, proxy.ip, isDead)
      return true
    },
    changeBalance(change) {
      const { account } = emulator
      account.coin = change === 'empty' ? '0.00' : (Math.max(Number(account.coin), 0) + ADDED).toFixed(2)
      void emulator.tick()
    },
    state: () => stateOf(emulator, switches.get()),
    close() {
      clearInterval(clockwork)
      return proxies.close()
    },
  }
}

/** Sets these faults in the emulator, and no others. */
function misbehave({ behaviour, faults }: SupplierEmulator, on: readonly UpstreamFault[]): void {
  const has = (fault: UpstreamFault) => on.includes(fault)
  Object.assign(behaviour, {
    delayMs: has('slow') ? LONG_DELAY_MS : USUAL_DELAY_MS,
    outOfStock: has('outOfStock') ? 'fails' : 'no',
    deliversAtMost: has('deliversPart') ? 1 : Infinity,
    dearerByPercent: has('dearer') ? 20 : 0,
    failsRenewals: has('failsRenewals'),
    expiryShortMs: has('shortExpiry') ? DAY_MS : 0,
    neverCompletes: has('silent'),
  })
  faults.clear()
  if (has('hangs')) for (const on of METHODS) faults.add({ on, what: 'hang', times: Infinity })
  if (has('losesAnswers'))
    for (const on of ORDER_KINDS) faults.add({ on, what: 'lose_answer', times: Infinity })
}

function setDead(
  proxies: EmulatedProxies,
  switches: KeptValue<KeptSwitches>,
  ip: string,
  isDead: boolean,
): void {
  const others = switches.get().dead.filter((other) => other !== ip)
  switches.set({ ...switches.get(), dead: isDead ? [...others, ip] : others })
  proxies.dead(ip, isDead)
}

function stateOf(emulator: SupplierEmulator, { faults, dead }: KeptSwitches): UpstreamState {
  return {
    balance: emulator.account.coin,
    faults: Object.fromEntries(UPSTREAM_FAULTS.map((fault) => [fault, faults.includes(fault)])) as Record<
      UpstreamFault,
      boolean
    >,
    orders: emulator.orders().slice(-SHOWN_ORDERS).toReversed().map(orderView),
    proxies: emulator
      .instances()
      .filter(({ status }) => status === 3)
      .slice(-SHOWN_PROXIES)
      .toReversed()
      .map(({ instanceNo, ip, port, productNo }) => ({
        instanceNo,
        ip,
        port,
        product: emulator.product(productNo).productName,
        isDead: dead.includes(ip),
      })),
  }
}

function orderView({ orderNo, kind, status, count, done, amount, createdAt }: Order): UpstreamOrder {
  return { orderNo, kind, state: STATES[status], count, done, amount, time: createdAt.toISOString() }
}
