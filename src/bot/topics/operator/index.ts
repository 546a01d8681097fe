import type { Topic } from '../../dialogue/topic.ts'
import { backupsFeature } from './backups.ts'
import { broadcastFeature, broadcastQuestions } from './broadcast.ts'
import { exitQuestions, exitsFeature } from './exits.ts'
import { chatIdFeature, operatorFeature, operatorGroupFeature } from './handlers.ts'
import { paymentQuestions, paymentsFeature } from './payments.ts'
import { payoutQuestions, payoutsFeature } from './payouts.ts'
import { profitFeature } from './profit.ts'
import { supplierQuestions, suppliersFeature } from './suppliers.ts'
import { usageFileFeature, usageFileQuestions } from './usage-file.ts'
import { whiteListQuestions, whiteListsFeature } from './white-lists.ts'
import { replacementQuestions, replacementsFeature } from './replacements.ts'

/** What those who run the shop do in their chats. */
export const operator: Topic = {
  features: [
    chatIdFeature(),
    operatorFeature(),
    operatorGroupFeature(),
    paymentsFeature(),
    suppliersFeature(),
    exitsFeature(),
    whiteListsFeature(),
    usageFileFeature(),
    profitFeature(),
    backupsFeature(),
    replacementsFeature(),
    payoutsFeature(),
    broadcastFeature(),
  ],
  questions: [
    ...paymentQuestions,
    ...supplierQuestions,
    ...exitQuestions,
    ...whiteListQuestions,
    ...usageFileQuestions,
    ...replacementQuestions,
    ...payoutQuestions,
    ...broadcastQuestions,
  ],
}
