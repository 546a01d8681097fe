import type { Delivery, SuppliedProxy, Supplier, SupplyOrder } from '../../src/core/supply/supplier.ts'

/** A supplier behind somebody's API that answers what the test says; it keeps no stock. */
export interface ScriptedSupplier extends Supplier {
  /** What the following deliveries answer; an error is thrown. The last one repeats. */
  answers: (Delivery | Error | ((order: SupplyOrder) => Delivery))[]
  /** Order numbers of all deliveries that were asked for. */
  readonly asked: string[]
  /** Order numbers of which a part was not delivered. */
  readonly undelivered: string[]
  /** The supplier's names of the proxies that were given back. */
  readonly returned: string[]
}

export function scriptedSupplier(...answers: ScriptedSupplier['answers']): ScriptedSupplier {
  const supplier: ScriptedSupplier = {
    answers,
    asked: [],
    undelivered: [],
    returned: [],
    check: () => Promise.resolve(),
    reserve: () => Promise.resolve(),
    deliver: (order) => {
      supplier.asked.push(order.orderNo)
      const answer = supplier.answers.length > 1 ? supplier.answers.shift() : supplier.answers[0]
      if (answer === undefined) throw new Error('the test gave no answer')
      if (answer instanceof Error) return Promise.reject(answer)
      return Promise.resolve(typeof answer === 'function' ? answer(order) : answer)
    },
    freeUndelivered: (_tx, order) => {
      supplier.undelivered.push(order.orderNo)
      return Promise.resolve()
    },
    takeBack: (_tx, proxies) => {
      supplier.returned.push(...proxies.map(({ providerInstanceNo }) => providerInstanceNo))
      return Promise.resolve()
    },
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
