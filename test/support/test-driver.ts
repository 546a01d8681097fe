import {
  type CatalogueOffer,
  type DriverKind,
  type DriverKinds,
  type Found,
  SupplierFault,
  type SupplierInstance,
  type SupplierOrder,
} from '../../src/core/supply/driver.ts'

export const KEY = 'key-of-the-test'
export const SECRET = 'secret-of-the-test-supplier'

/** An offer at 2 for a month in Los Angeles, unless said otherwise. */
export function offer(change: Partial<CatalogueOffer> = {}): CatalogueOffer {
  return {
    offerNo: 'US-LAX-30',
    name: 'Los Angeles ISP',
    proxyType: 103,
    countryCode: 'US',
    state: '',
    cityCode: 'USLAX',
    periodUnit: 3,
    periodLength: 1,
    cost: '2',
    stock: 100,
    maxCount: 50,
    projects: [],
    ranges: [],
    data: {},
    ...change,
  }
}

export type TestDriver = ReturnType<typeof testDriver>

/**
 * A third party as far as it is only read: the test sets what it answers, or that it does not. Nothing can be bought there.
 *
 * It refuses a secret of fewer than 8 characters when it is connected, and another one than {@link SECRET} when it is asked.
 */
export function testDriver() {
  const state = {
    balance: '100',
    currency: 'USD' as string | undefined,
    offers: [offer()] as readonly CatalogueOffer[],
    orders: [] as readonly SupplierOrder[],
    instances: [] as readonly SupplierInstance[],
    /** What {@link find} says of a number; absent when it is not there. */
    found: new Map<string, Found>(),
    fault: undefined as SupplierFault | undefined,
    /** Never answers until the signal ends it. */
    hangs: false,
    /** The id of the service behind the address; undefined: it is no service of this API. */
    self: undefined as string | undefined,
    /** What was asked, in order. */
    asked: [] as string[],
  }
  const kind: DriverKind = {
    connect({ secret }) {
      if (secret.length < 8) throw new SupplierFault('misconfigured', 'the secret must have 8 characters')
      const answer = <T>(what: string, value: () => T, signal: AbortSignal): Promise<T> => {
        state.asked.push(what)
        if (state.fault) return Promise.reject(state.fault)
        if (secret !== SECRET) return Promise.reject(new SupplierFault('misconfigured', 'wrong secret'))
        if (!state.hangs) return Promise.resolve(value())
        return new Promise((_, reject) => {
          const giveUp = () => reject(new SupplierFault('unknown', 'no answer in time'))
          if (signal.aborted) giveUp()
          signal.addEventListener('abort', giveUp)
        })
      }
      const capabilities = {
        findsByNumber: true,
        renews: true,
        releases: true,
        resets: false,
        takesCeiling: false,
        refundHours: 12,
      }
      const { self } = state
      return {
        capabilities,
        ...(self !== undefined && { self: (signal: AbortSignal) => answer('self', () => self, signal) }),
        balance: (signal) =>
          answer(
            'balance',
            () => ({
              available: state.balance,
              ...(state.currency !== undefined && { currency: state.currency }),
            }),
            signal,
          ),
        catalogue: (signal) => answer('catalogue', () => state.offers, signal),
        place: (_request, signal) =>
          answer('place', () => ({ status: 'refused', reason: 'other', message: 'nothing is sold' }), signal),
        find: ({ callNo }, _number, signal) =>
          answer(`find ${callNo}`, () => state.found.get(callNo) ?? { status: 'absent' }, signal),
        instances: (numbers, signal) =>
          answer(
            'instances',
            () => state.instances.filter((one) => numbers.includes(one.providerInstanceNo)),
            signal,
          ),
        orders: (since, signal) =>
          answer(
            'orders',
            () => state.orders.filter(({ createdAt }) => createdAt >= since.toISOString()),
            signal,
          ),
        running: (signal) =>
          answer('running', () => state.instances.filter(({ status }) => status === 'running'), signal),
      }
    },
  }
  const drivers: Partial<DriverKinds> = { ipipv: kind }
  return { state, drivers }
}
