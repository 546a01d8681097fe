import type { Topic } from '../../topic.ts'
import { orderChangeFeature } from './change-handlers.ts'
import { exportProxiesFeature } from './export.ts'
import { ordersFeature } from './handlers.ts'
import { searchOrdersFeature, whatToFind } from './search.ts'

/** Orders of static proxies: to see, find, export, renew and release what one has. */
export const orders: Topic = {
  features: [ordersFeature(), searchOrdersFeature(), exportProxiesFeature(), orderChangeFeature()],
  questions: [whatToFind],
}
