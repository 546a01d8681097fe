import type { Customer } from '../../../core/customers/show-customer.ts'
import { CUSTOMERS, type ListName } from '../../actions/customers.ts'
import { ask } from '../../dialogue/ask.ts'
import type { Screen } from '../../kit/screen.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { isOperatorChat } from '../../session/operator-chat.ts'
import { viewOf } from '../../session/view-of.ts'
import { editedContact, newCustomer } from './forms.ts'
import {
  chatsScreen,
  entriesScreen,
  LIST_PAGE,
  ordersScreen,
  proxiesScreen,
  topUpsScreen,
  trafficScreen,
} from './list-screens.ts'
import { customerScreenFor, orGone } from './pages.ts'

/** Customers, as those who run the shop look after them (rules 16.2). */
export function customersFeature(): Feature {
  const feature = new Feature(isOperatorChat)
  feature.on(CUSTOMERS.customer, (ctx, { id = 0 }) =>
    orGone(ctx, async () => ctx.show(await customerScreenFor(ctx, id))),
  )
  feature.on(CUSTOMERS.list, (ctx, { id = 0, list = 'orders', page }) =>
    orGone(ctx, async () => ctx.show(await listScreen(ctx, id, list, page))),
  )
  feature.on(CUSTOMERS.create, (ctx) => ask(ctx, newCustomer, null))
  feature.on(CUSTOMERS.contact, (ctx, { id = 0 }) => orGone(ctx, () => ask(ctx, editedContact, { id })))
  return feature
}

async function listScreen(ctx: BotContext, id: number, list: ListName, page: number): Promise<Screen> {
  const { customers } = ctx.core.operator
  const customer: Customer = await customers.show(id)
  const view = viewOf(ctx)
  const { username } = customer
  const wanted = { page, pageSize: LIST_PAGE }
  switch (list) {
    case 'orders':
      return ordersScreen(view, customer, await customers.orders(username, wanted))
    case 'proxies':
      return proxiesScreen(view, customer, await customers.proxies(username, wanted))
    case 'entries':
      return entriesScreen(view, customer, await customers.entries(username, wanted))
    case 'traffic':
      return trafficScreen(view, customer, (await customers.traffic(username)).items)
    case 'topUps':
      return topUpsScreen(view, customer, await customers.topUps(username, wanted))
    case 'chats':
      return chatsScreen(view, customer, await customers.chats(username))
  }
}
