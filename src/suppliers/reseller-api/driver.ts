import type {
  Capabilities,
  ConnectionAccess,
  DriverKind,
  Found,
  Placed,
  SupplierDriver,
  SupplierRequest,
} from '../../core/supply/driver.ts'
import { readBalance, readInstances, readOrders, readRunning } from './account.ts'
import { readCatalogue } from './catalogue.ts'
import { findOpen, placeOpen } from './open.ts'
import { findRelease, placeRelease } from './release.ts'
import { findRenew, placeRenew } from './renew.ts'
import { Session } from './session.ts'

const CAPABILITIES: Capabilities = {
  findsByNumber: true,
  renews: true,
  releases: true,
  resets: false,
  takesCeiling: true,
}

/** Another service of this API; key and secret are the username and password of an account there. */
export const resellerApi: DriverKind = { connect }

function connect(access: ConnectionAccess): SupplierDriver {
  const session = new Session(access)
  return {
    capabilities: CAPABILITIES,
    balance: (signal) => readBalance(session, signal),
    catalogue: (signal) => readCatalogue(session, signal),
    place: (request, signal) => place(session, request, signal),
    find: (request, providerOrderNo, signal) => find(session, request, providerOrderNo, signal),
    instances: (numbers, signal) => readInstances(session, numbers, signal),
    orders: (since, signal) => readOrders(session, since, signal),
    running: (signal) => readRunning(session, signal),
    self: (signal) => session.instanceId(signal),
  }
}

async function place(session: Session, request: SupplierRequest, signal: AbortSignal): Promise<Placed> {
  switch (request.kind) {
    case 'open':
      return placeOpen(session, request, signal)
    case 'renew':
      return placeRenew(session, request, signal)
    case 'release':
      return placeRelease(session, request, signal)
    case 'reset':
      return { status: 'refused', reason: 'not_supported', message: 'The service gives no other credentials' }
  }
}

async function find(
  session: Session,
  request: SupplierRequest,
  providerOrderNo: string | null,
  signal: AbortSignal,
): Promise<Found> {
  switch (request.kind) {
    case 'open':
      return findOpen(session, request, providerOrderNo, signal)
    case 'renew':
      return findRenew(session, request, providerOrderNo, signal)
    case 'release':
      return findRelease(session, request, signal)
    case 'reset':
      return { status: 'absent' }
  }
}
