import {
  type Capabilities,
  type CatalogueOffer,
  type DriverKind,
  type Ended,
  type Found,
  type Placed,
  SupplierFault,
  type SupplierInstance,
  type SupplierRequest,
} from '../../src/core/supply/driver.ts'

/** What happens to the next request of a kind, once. */
export type Trouble =
  /** The supplier carries it out, and its answer is lost. */
  | 'answer_lost'
  /** It never arrives, and nobody knows. */
  | 'request_lost'
  /** It is refused by a code of which nobody knows what it means; nothing is carried out. */
  | 'declined'
  /** The same, and it is carried out. */
  | 'declined_but_done'
  /** The connection is refused. */
  | 'not_sent'
  /** No answer comes until the signal ends the wait; the supplier carries it out. */
  | 'hangs'
  | 'wrong_credentials'
  | 'too_many_requests'
  | 'driver_breaks'

/** An order as the third party keeps it. */
interface KeptOrder {
  readonly providerOrderNo: string
  readonly request: SupplierRequest
  done: boolean
  instances: SupplierInstance[]
  amount: number
  reason?: string
}

interface Behaviour {
  /** Orders are carried out at once and answered with the result; otherwise they are open until {@link finish}. */
  immediate: boolean
  /** Of an order, proxies that are opened; all without. */
  delivers: number | undefined
  /** What a proxy is charged for a period; the price of the offer without. */
  charges: number | undefined
  /** When proxies end; not said without. */
  expireTime: string | undefined
  /** All requests are refused with this. */
  refuses: Extract<Placed, { status: 'refused' }>['reason'] | undefined
}

export type TestSupplier = ReturnType<typeof testSupplier>

const MICROS = 1_000_000

/**
 * A third party in memory behind the port of drivers. It processes a number once, as real ones do, and has the faults that they
 * have.
 */
export function testSupplier(
  offers: readonly (Partial<CatalogueOffer> & { readonly offerNo: string })[] = [],
  { capabilities = {}, balance = 1000 }: { capabilities?: Partial<Capabilities>; balance?: number } = {},
) {
  const orders = new Map<string, KeptOrder>()
  const troubles: { readonly of: 'place' | 'find' | 'read'; readonly trouble: Trouble }[] = []
  let seats = 0
  const sent = new Map<string, SupplierRequest>()
  let afterFind: () => void = () => {}
  const supplier = {
    /** What it has to sell; may be changed. */
    offers: offers.map((offer) => ({ ...OFFER, name: offer.offerNo, ...offer })) as CatalogueOffer[],
    balance,
    behaviour: {
      immediate: true,
      delivers: undefined,
      charges: undefined,
      expireTime: undefined,
      refuses: undefined,
    } as Behaviour,
    /** Everything that it was asked, in order. */
    asked: [] as string[],
    orders,
    /** How many requests are being answered. */
    busy: 0,
    mostBusy: 0,
    /** The next requests of this kind meet these troubles. */
    meets: (of: 'place' | 'find' | 'read', ...list: readonly Trouble[]) => {
      troubles.push(...list.map((trouble) => ({ of, trouble })))
    },
    /** A request that was lost arrives after all. */
    receive: (callNo: string) => {
      const request = sent.get(callNo)
      if (!request) throw new Error(`no request ${callNo} was lost`)
      take(request)
    },
    /** Happens when the next look-up has been answered. */
    afterNextFind: (happens: () => void) => {
      afterFind = happens
    },
    /** Carries out an open order. */
    finish: (callNo: string) => {
      const order = orders.get(callNo)
      if (!order) throw new Error(`the supplier does not know ${callNo}`)
      carryOut(order)
    },
  }

  function running(): SupplierInstance[] {
    return [...orders.values()].flatMap(({ request, instances }) =>
      request.kind === 'open' ? instances : [],
    )
  }

  function place(request: SupplierRequest): Placed {
    const { refuses, immediate } = supplier.behaviour
    if (refuses) return { status: 'refused', reason: refuses, message: `refused: ${refuses}` }
    const known = orders.get(request.callNo)
    const order = known ?? take(request)
    if (immediate && !known) carryOut(order)
    return order.done ? endedOf(order) : { status: 'accepted', providerOrderNo: order.providerOrderNo }
  }

  function take(request: SupplierRequest): KeptOrder {
    const providerOrderNo = `P${orders.size + 1}`
    const order: KeptOrder = { providerOrderNo, request, done: false, instances: [], amount: 0 }
    orders.set(request.callNo, order)
    return order
  }

  function find({ callNo }: SupplierRequest, providerOrderNo: string | null): Found {
    const order =
      orders.get(callNo) ?? [...orders.values()].find((one) => one.providerOrderNo === providerOrderNo)
    if (!order) return { status: 'absent' }
    return order.done ? endedOf(order) : { status: 'open', providerOrderNo: order.providerOrderNo }
  }

  function carryOut(order: KeptOrder): void {
    if (order.done) return
    order.done = true
    const { request } = order
    const { delivers, charges, expireTime } = supplier.behaviour
    const count = delivers ?? (request.kind === 'open' ? request.count : request.instances.length)
    if (request.kind !== 'open') {
      order.instances = running()
        .filter((one) =>
          request.instances.some((asked) => asked.providerInstanceNo === one.providerInstanceNo),
        )
        .slice(0, count)
      return
    }
    const offer = supplier.offers.find(({ offerNo }) => offerNo === request.offerNo)
    order.instances = Array.from({ length: count }, () => {
      seats += 1
      return {
        providerInstanceNo: `N${seats}`,
        ip: `10.77.${seats >> 8}.${seats & 255}`,
        port: 8000,
        username: `u${seats}`,
        password: `secret-${seats}`,
        status: 'running',
        ...(expireTime && { expireTime }),
      }
    })
    order.amount = (charges ?? Number(offer?.cost ?? 0)) * count * request.periods
    if (count < request.count) order.reason = 'no more capacity'
    supplier.balance = Math.round((supplier.balance - order.amount) * MICROS) / MICROS
  }

  function endedOf({ providerOrderNo, instances, amount, reason }: KeptOrder): Ended {
    return {
      status: 'ended',
      providerOrderNo,
      amount: String(amount),
      instances,
      ...(reason !== undefined && { reason }),
    }
  }

  async function answer<Answer>(
    of: 'place' | 'find' | 'read',
    asked: string,
    _signal: AbortSignal,
    work: () => Answer,
  ): Promise<Answer> {
    supplier.asked.push(asked)
    supplier.busy += 1
    supplier.mostBusy = Math.max(supplier.mostBusy, supplier.busy)
    try {
      await Promise.resolve()
      const index = troubles.findIndex((each) => each.of === of)
      const [met] = index === -1 ? [] : troubles.splice(index, 1)
      switch (met?.trouble) {
        case 'answer_lost':
          work()
          throw new SupplierFault('unknown', 'timeout')
        case 'request_lost':
          throw new SupplierFault('unknown', 'timeout')
        case 'declined_but_done':
          work()
          throw new SupplierFault('declined', 'instance/open: code 500: "busy"')
        case 'declined':
          throw new SupplierFault('declined', 'instance/open: code 500: "busy"')
        case 'not_sent':
          throw new SupplierFault('not_sent', 'connection refused')
        case 'wrong_credentials':
          throw new SupplierFault('misconfigured', 'the supplier refuses the credentials')
        case 'too_many_requests':
          throw new SupplierFault('not_sent', 'too many requests', { retryAfterMs: 5_000 })
        case 'driver_breaks':
          throw new TypeError('cannot read properties of undefined')
        case 'hangs':
          work()
          // Does not even heed the signal.
          return await new Promise<never>(() => {})
        case undefined:
          return work()
      }
    } finally {
      supplier.busy -= 1
    }
  }
  const kind: DriverKind = {
    connect: () => ({
      capabilities: {
        findsByNumber: true,
        renews: true,
        releases: true,
        resets: true,
        takesCeiling: false,
        ...capabilities,
      },
      balance: (signal) => answer('read', 'balance', signal, () => ({ available: String(supplier.balance) })),
      catalogue: (signal) => answer('read', 'catalogue', signal, () => supplier.offers),
      place: (request, signal) => {
        sent.set(request.callNo, request)
        return answer('place', `place ${request.callNo}`, signal, () => place(request))
      },
      find: (request, providerOrderNo, signal) =>
        answer('find', `find ${request.callNo}`, signal, () => {
          const found = find(request, providerOrderNo)
          const happens = afterFind
          afterFind = () => {}
          happens()
          return found
        }),
      instances: (numbers, signal) =>
        answer('read', 'instances', signal, () =>
          running().filter(({ providerInstanceNo }) => numbers.includes(providerInstanceNo)),
        ),
      orders: (_since, signal) =>
        answer('read', 'orders', signal, () =>
          [...orders].map(([callNo, { providerOrderNo, request, amount, done }]) => ({
            callNo,
            providerOrderNo,
            count: request.kind === 'open' ? request.count : request.instances.length,
            amount: String(amount),
            createdAt: '2026-03-01T12:00:00.000Z',
            status: done ? ('done' as const) : ('open' as const),
          })),
        ),
      running: (signal) => answer('read', 'running', signal, running),
    }),
    callback: { subject: ({ no }) => no, answer: { code: 'success' } },
  }
  return Object.assign(supplier, { kind })
}

const OFFER: Omit<CatalogueOffer, 'offerNo' | 'name'> = {
  proxyType: 103,
  countryCode: 'US',
  state: '',
  cityCode: '',
  periodUnit: 3,
  periodLength: 1,
  cost: '2',
  stock: 100,
  maxCount: 50,
  projects: [],
  ranges: [],
  data: { sku: 'a' },
}
