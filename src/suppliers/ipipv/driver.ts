import { z } from 'zod'
import {
  type Capabilities,
  type DriverKind,
  type Found,
  type Placed,
  type ResetRequest,
  type SupplierBalance,
  type SupplierDriver,
  SupplierFault,
} from '../../core/supply/driver.ts'
import { DECIMAL, sum } from '../decimal.ts'
import { type Api, apiOf, shaped } from './api.ts'
import { readCatalogue } from './catalogue.ts'
import { readInstances, readRunning } from './instances.ts'
import { findOrder, placeOrder, readOrders } from './orders.ts'
import { resetPasswords } from './reset.ts'

/*
 * The platform IPIPV, as its public SDK (clpublic/ipv-sdk) and documentation describe it: orders are carried out later and are found by the
 * number of the call, which is processed once. Prices have no ceiling.
 */
const capabilities: Capabilities = {
  findsByNumber: true,
  renews: true,
  releases: true,
  resets: true,
  takesCeiling: false,
}

const Account = z.object({
  coin: z.string().regex(DECIMAL),
  credit: z.string().regex(DECIMAL).or(z.literal('')).optional(),
  status: z.int().default(1),
})
const DISABLED = -1

/** The platform IPIPV: key and secret are those of an app there. */
export const ipipv: DriverKind = {
  connect(access): SupplierDriver {
    const api = apiOf(access)
    return {
      capabilities,
      balance: (signal) => balance(api, signal),
      catalogue: (signal) => readCatalogue(api, signal),
      place: (request, signal) =>
        request.kind === 'reset' ? placeReset(api, request, signal) : placeOrder(api, request, signal),
      find: (request, providerOrderNo, signal) =>
        request.kind === 'reset'
          ? findReset(api, request, signal)
          : findOrder(api, request, providerOrderNo, signal),
      instances: (numbers, signal) => readInstances(api.read, numbers, signal),
      orders: (since, signal) => readOrders(api, since, signal),
      running: (signal) => readRunning(api, signal),
    }
  },
  callback: {
    /** `type=order|instance&no=…`; the number may be the call's or the platform's. A product is no subject of a call. */
    subject({ type, no }) {
      const isSubject = type === 'order' || type === 'instance'
      return isSubject && no !== undefined && /^[\w.:-]{1,64}$/.test(no) ? no : undefined
    },
    answer: { code: 'success' },
  },
}

async function balance(api: Api, signal: AbortSignal): Promise<SupplierBalance> {
  const { coin, credit, status } = shaped(Account, 'info', await api.read('info', {}, signal))
  if (status === DISABLED) throw new SupplierFault('misconfigured', 'info: the account is disabled')
  return { available: sum(coin, credit || '0') }
}

async function placeReset(api: Api, request: ResetRequest, signal: AbortSignal): Promise<Placed> {
  return (await resetPasswords(api, 'act', request, signal)) ?? { status: 'accepted' }
}

async function findReset(api: Api, request: ResetRequest, signal: AbortSignal): Promise<Found> {
  return (await resetPasswords(api, 'look', request, signal)) ?? { status: 'open' }
}
