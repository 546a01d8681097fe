import type { Topic } from '../../dialogue/topic.ts'
import { allowListFeature, allowListQuestions } from './allow-list.ts'
import { buyTrafficFeature, buyingTraffic } from './buy.ts'
import { extractionFeature, extractionQuestions } from './extraction.ts'
import { trafficFeature } from './handlers.ts'
import { subAccountQuestions, subAccountsFeature } from './sub-accounts.ts'
import { usageFeature } from './usage.ts'

/** Dynamic traffic: buying it, getting proxies out of it, sub-accounts of it, what it is used for and from where. */
export const traffic: Topic = {
  features: [
    trafficFeature(),
    buyTrafficFeature(),
    extractionFeature(),
    subAccountsFeature(),
    usageFeature(),
    allowListFeature(),
  ],
  questions: [buyingTraffic, ...extractionQuestions, ...subAccountQuestions, ...allowListQuestions],
}
