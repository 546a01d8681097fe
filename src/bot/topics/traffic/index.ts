import type { Topic } from '../../topic.ts'
import { buyTrafficFeature, howMuchTraffic } from './buy.ts'
import { extractionFeature, extractionQuestions } from './extraction.ts'
import { trafficFeature } from './handlers.ts'
import { subAccountQuestions, subAccountsFeature } from './sub-accounts.ts'

/** Dynamic traffic: buying it, getting proxies out of it, sub-accounts of it. */
export const traffic: Topic = {
  features: [trafficFeature(), buyTrafficFeature(), extractionFeature(), subAccountsFeature()],
  questions: [howMuchTraffic, ...extractionQuestions, ...subAccountQuestions],
}
