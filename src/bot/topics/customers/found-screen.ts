import type { Found } from '../../../core/customers/find.ts'
import { addressOf } from '../../../core/proxy-formats.ts'
import { isIgnoredByOperator } from '../../../core/top-ups/is-ignored-by-operator.ts'
import { CUSTOMERS } from '../../actions/customers.ts'
import { OPERATOR, operatorButton } from '../../actions/operator.ts'
import { paymentKey } from '../../actions/payment-key.ts'
import { usdt } from '../../kit/format.ts'
import type { Button, Screen } from '../../kit/screen.ts'
import type { View } from '../../kit/view.ts'
import { type Html, lines } from '../../texts/html.ts'
import type { Texts } from '../../texts/index.ts'
import { proxyIcon } from '../orders/order-screen.ts'
import { customerButton, lastRow } from './screens.ts'
import { iconOf } from './icons.ts'

/** @param inGroup whether it is a group, where a plain line is not searched */
export function askFindScreen(texts: Texts, inGroup: boolean): Screen {
  const { customers } = texts
  return {
    text: inGroup ? customers.askInGroup : customers.ask,
    buttons: [[{ text: customers.buttons.create, data: CUSTOMERS.create.data() }], [operatorButton(texts)]],
  }
}

/** @param text the searched text, as far as it may be repeated */
export function foundScreen(view: View, text: string, found: readonly Found[]): Screen {
  const { customers } = view.texts
  const facts = found.flatMap((one) => factOf(view, one))
  return {
    text: found.length === 0 ? customers.nothing(text) : lines(customers.found(text), '', ...facts),
    buttons: [...found.flatMap((one) => buttonOf(view, one)).map((button) => [button]), lastRow(view.texts)],
  }
}

/** The text of a result that has no page. */
function factOf({ texts: { customers } }: View, found: Found): Html[] {
  switch (found.kind) {
    case 'stock':
      return [customers.stock(addressOf(found), found.productNo, customers.stockState[found.state])]
    case 'transfer':
      return [customers.transfer(usdt(BigInt(found.units)), found.txid, customers.transferState[found.state])]
    default:
      return []
  }
}

function buttonOf({ texts }: View, found: Found): Button[] {
  const { customers, date } = texts
  switch (found.kind) {
    case 'customer':
      return [customerButton(texts, found.id, found.username)]
    case 'order': {
      const day = date(new Date(found.createdAt))
      const { orderNo } = found
      const name = found.username
      return [
        {
          text: customers.orderOf(iconOf(texts, found.status), day, name),
          name,
          data: CUSTOMERS.order.data({ orderNo }),
        },
      ]
    }
    case 'proxy': {
      const { instanceNo, username: name } = found
      const text = customers.proxyOf(proxyIcon(texts, found), addressOf(found), name)
      return [{ text, name, data: CUSTOMERS.proxy.data({ instanceNo }) }]
    }
    case 'top_up': {
      const { orderNo } = found
      const label = customers.topUpButton(
        texts.topUps.icon[found.status],
        usdt(found.payUnits),
        date(new Date(found.createdAt)),
      )
      return [{ text: label, data: CUSTOMERS.topUp.data({ orderNo }) }]
    }
    case 'sub_account':
      return [
        {
          text: customers.traffic('📊', found.name, found.username),
          name: found.username,
          data: CUSTOMERS.customer.data({ id: found.userId }),
        },
      ]
    case 'transfer':
      return transferButton(texts, found)
    case 'stock':
      return []
  }
}

/** Leads from an unmatched transfer to its decision, from an ignored one to its reopening, else to the top-up that it paid. */
function transferButton(texts: Texts, transfer: Extract<Found, { kind: 'transfer' }>): Button[] {
  const { topUpNo, state, username } = transfer
  if (state === 'unmatched')
    return [
      {
        text: texts.operator.buttons.payments(1),
        data: OPERATOR.payment.data({ key: paymentKey(transfer) }),
      },
    ]
  if (isIgnoredByOperator(transfer))
    return [
      { text: texts.operator.buttons.reopen, data: OPERATOR.reopen.data({ key: paymentKey(transfer) }) },
    ]
  if (topUpNo === null) return []
  return [
    {
      text: texts.customers.buttons.customer(username ?? ''),
      data: CUSTOMERS.topUp.data({ orderNo: topUpNo }),
    },
  ]
}
