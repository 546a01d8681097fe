import type { CustomerChange } from '../accounts/because.ts'
import { deleteCustomer } from '../accounts/delete-sub-user.ts'
import { inviteCustomer } from '../accounts/invites.ts'
import { logOutEverywhere, setCustomerStatus } from '../customers/change-customer.ts'
import { createCustomer } from '../customers/create-customer.ts'
import { chatsOf, entriesOf, ordersOf, proxiesOf } from '../customers/lists-of-customer.ts'
import { moveCustomer } from '../customers/move-customer.ts'
import { ofCustomer } from '../accounts/owner.ts'
import { showCustomer } from '../customers/show-customer.ts'
import { toNumber } from '../money.ts'
import { about } from '../people/about.ts'
import type { Guards } from '../people/guarded.ts'
import { listTopUps } from '../top-ups/top-up.ts'
import { productsFlow } from '../traffic/remaining-traffic.ts'
import type { OperatorDeps } from './deps.ts'

/** Customers, as those who run the shop look after them (rules 16.2, 16.3). */
export function customersPart({ keep, look }: Guards<OperatorDeps>) {
  return {
    show: look(showCustomer),
    entries: look(ofCustomer(entriesOf)),
    orders: look(ofCustomer(ordersOf)),
    proxies: look(ofCustomer(proxiesOf)),
    traffic: look(ofCustomer((deps, actor) => productsFlow(deps, actor, actor.id))),
    topUps: look(ofCustomer(listTopUps)),
    chats: look(ofCustomer(chatsOf)),
    create: keep(
      'customer.create',
      createCustomer,
      (_customer, [{ username, ...input }]) => about(username, input),
      ([{ balance = 0 }]) => (balance === 0 ? undefined : 'money'),
    ),
    disable: keep(
      'customer.disable',
      (seen: OperatorDeps, change: CustomerChange) => setCustomerStatus(seen, change, 'disabled'),
      (changed, [{ username, ...input }]) => (changed ? about(username, input) : undefined),
    ),
    enable: keep(
      'customer.enable',
      (seen: OperatorDeps, change: CustomerChange) => setCustomerStatus(seen, change, 'active'),
      (changed, [{ username, ...input }]) => (changed ? about(username, input) : undefined),
    ),
    link: keep('customer.link', inviteCustomer, (_invite, [{ username, ...input }]) =>
      about(username, input),
    ),
    logOut: keep('customer.logout', logOutEverywhere, (_id, [{ username, ...input }]) =>
      about(username, input),
    ),
    move: keep('customer.move', moveCustomer, ({ from, to, ended }, [{ username, reason }]) =>
      about(username, { from, to, ended, reason }),
    ),
    delete: keep('customer.delete', deleteCustomer, ({ returnedBalance }, [{ username, ...input }]) =>
      about(username, { ...input, returned: toNumber(returnedBalance) }),
    ),
  }
}
