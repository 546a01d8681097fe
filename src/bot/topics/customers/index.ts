import type { Topic } from '../../dialogue/topic.ts'
import { askedMoneyFeature } from './asked-money.ts'
import { changeQuestions, changesFeature } from './change-questions.ts'
import { customersFeature } from './customers.ts'
import { findFeature } from './find.ts'
import { editedContact, newCustomer, confirmNew } from './forms.ts'
import { ordersOfCustomersFeature } from './orders.ts'

/** Customers, their orders and what can be done for them, in the operator's chats. */
export const customers: Topic = {
  features: [
    findFeature(),
    customersFeature(),
    ordersOfCustomersFeature(),
    changesFeature(),
    askedMoneyFeature(),
  ],
  questions: [newCustomer, confirmNew, editedContact, ...changeQuestions],
}
