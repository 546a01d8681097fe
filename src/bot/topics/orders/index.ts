import type { Topic } from '../../dialogue/topic.ts'
import { proxyCareFeature, whyReplace } from './care-handlers.ts'
import { orderChangeFeature } from './change-handlers.ts'
import { exportProxiesFeature } from './export.ts'
import { ordersFeature } from './handlers.ts'
import { proxyLinksFeature } from './links.ts'
import { findAllOf, findProxy, proxiesFeature, whatNote, whichProxies } from './proxies.ts'
import { selecting, selectionFeature, whatNoteOfMany } from './selection-handlers.ts'
import { searchOrdersFeature, whatToFind } from './search.ts'

/** Orders of static proxies: to see, find, export, test, renew, replace and release what one has. */
export const orders: Topic = {
  features: [
    proxiesFeature(),
    ordersFeature(),
    searchOrdersFeature(),
    exportProxiesFeature(),
    proxyLinksFeature(),
    orderChangeFeature(),
    selectionFeature(),
    proxyCareFeature(),
  ],
  finds: [findAllOf, findProxy],
  questions: [whatToFind, whyReplace, whichProxies, whatNote, selecting, whatNoteOfMany],
}
