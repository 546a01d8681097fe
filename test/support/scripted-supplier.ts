import type { Delivery, SuppliedProxy, Supplier, SupplyOrder } from '../../src/core/orders/supplier.ts'

/** A supplier behind somebody's API that answers what the test says; it keeps no stock. */
export interface ScriptedSupplier extends Supplier {
  /** What the following deliveries answer; an error is thrown. The last one repeats. */
  answers: (Delivery | Error | ((order: SupplyOrder) => Delivery))[]
  /** Order numbers of all deliveries that were asked for. */
  readonly asked: string[]
  /** Order numbers whose reservation was given back. */
  readonly settled: string[]
  /** The supplier's names of the proxies that were given back. */
  readonly returned: string[]
  /** What it was told after the commit: `renew R…` or `release C…`, and about which proxies. */
  readonly told: string[]
  /** Is thrown by the next call that tells it something. */
  failure: Error | undefined
}

export function scriptedSupplier(...answers: ScriptedSupplier['answers']): ScriptedSupplier {
  const supplier: ScriptedSupplier = {
    answers,
    asked: [],
    settled: [],
    returned: [],
    told: [],
    failure: undefined,
    check: () => Promise.resolve(),
    reserve: () => Promise.resolve(),
    deliver: (order) => {
      supplier.asked.push(order.orderNo)
      const answer = supplier.answers.length > 1 ? supplier.answers.shift() : supplier.answers[0]
      if (answer === undefined) throw new Error('the test gave no answer')
      if (answer instanceof Error) return Promise.reject(answer)
      return Promise.resolve(typeof answer === 'function' ? answer(order) : answer)
    },
    settle: (_tx, order) => {
      supplier.settled.push(order.orderNo)
      return Promise.resolve()
    },
    giveBack: (_tx, proxies) => {
      supplier.returned.push(...proxies.map(({ providerInstanceNo }) => providerInstanceNo))
      return Promise.resolve()
    },
    renew: (_order, renewOrderNo, proxies) =>
      tell(
        `renew ${renewOrderNo}`,
        proxies.map(({ providerInstanceNo, expireTime }) => `${providerInstanceNo} until ${expireTime}`),
      ),
    release: (_order, cancelNo, numbers) => tell(`release ${cancelNo}`, numbers),
  }
  function tell(what: string, proxies: readonly string[]): Promise<void> {
    const { failure } = supplier
    supplier.failure = undefined
    if (failure) return Promise.reject(failure)
    supplier.told.push([what, ...proxies].join(', '))
    return Promise.resolve()
  }
  return supplier
}

/** Delivers `count` proxies of its own. */
export function delivers(count: number, details: { reason?: string; providerOrderNo?: string } = {}) {
  return (order: SupplyOrder): Delivery => ({
    status: 'delivered',
    proxies: proxiesFor(order, count),
    ...details,
  })
}

function proxiesFor({ orderId, orderNo }: SupplyOrder, count: number): SuppliedProxy[] {
  return Array.from({ length: count }, (_, index) => ({
    providerInstanceNo: `${orderNo}-${index}`,
    ip: `10.200.${orderId % 250}.${index % 250}`,
    port: 1080 + Math.floor(index / 250),
    username: `p${orderId}`,
    password: 'secret',
    cidr: '',
    countryCode: 'US',
    state: '',
    cityCode: '',
  }))
}
