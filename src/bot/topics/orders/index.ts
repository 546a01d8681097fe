import type { Topic } from '../../topic.ts'
import { proxyCareFeature, whyReplace } from './care-handlers.ts'
import { orderChangeFeature } from './change-handlers.ts'
import { exportProxiesFeature } from './export.ts'
import { ordersFeature } from './handlers.ts'
import { searchOrdersFeature, whatToFind } from './search.ts'

/** Orders of static proxies: to see, find, export, test, renew, replace and release what one has. */
export const orders: Topic = {
  features: [
    ordersFeature(),
    searchOrdersFeature(),
    exportProxiesFeature(),
    orderChangeFeature(),
    proxyCareFeature(),
  ],
  questions: [whatToFind, whyReplace],
}
