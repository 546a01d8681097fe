import type { Core } from '../../core/core.ts'
import { readSystemRemark } from '../../core/ledger/system-remarks.ts'
import type { Micros } from '../../core/money.ts'
import type { Notice } from '../../core/notices/messenger.ts'
import { usdtText } from '../../core/top-ups/usdt.ts'
import { errorText } from '../kit/errors.ts'
import { amount, productName } from '../kit/format.ts'
import { type Html, lines } from '../kit/html.ts'
import type { Button } from '../kit/screen.ts'
import { gigabytes } from '../kit/traffic-text.ts'
import { LOCALES, type Texts } from '../texts/index.ts'
import { CHANGE } from '../topics/orders/actions.ts'
import { aboutOrder, deliveryMessage, orderButton } from '../topics/orders/notices.ts'
import { TOP_UP } from '../topics/top-ups/actions.ts'
import { resumeButton } from '../topics/top-ups/resume-button.ts'
import { BUY_TRAFFIC } from '../topics/traffic/actions.ts'
import { AS_LEFT, USERS } from '../topics/users/actions.ts'
import { type Message, noticeMessage } from './message.ts'

/**
 * What somebody is told about its own matters.
 *
 * @throws order_not_found when the order is not the recipient's business any more
 */
export async function ownMessage(core: Core, notice: Notice): Promise<Message> {
  const texts = LOCALES[notice.language]
  switch (notice.kind) {
    case 'order_ready':
    case 'order_partial':
    case 'order_failed':
      return deliveryMessage(core, notice)
    case 'renewal_done':
    case 'renewal_failed':
    case 'expiring_72h':
    case 'expiring_24h':
    case 'expired':
      return lifeMessage(core, texts, notice)
    case 'traffic_80':
    case 'traffic_100': {
      const { used, total } = notice.facts
      const text = lines(
        texts.notices[notice.kind],
        '',
        texts.buy.chosen.product(productName(notice.facts, notice.language)),
        texts.notices.traffic(gigabytes(used), gigabytes(total)),
      )
      return noticeMessage(texts, text, {
        text: texts.notices.buttons.buyTraffic,
        data: BUY_TRAFFIC.amounts.data(),
      })
    }
    case 'low_balance': {
      const { balance, needed, until } = notice.facts
      const text = texts.notices.low_balance(
        amount(balance, core.currency),
        amount(needed, core.currency),
        texts.dateTime(new Date(until)),
      )
      return noticeMessage(texts, text, topUpButton(texts))
    }
    case 'balance_adjusted': {
      const { amount: change, balance, remark, by } = notice.facts
      const { adjusted } = texts.notices
      const show = (micros: Micros) => amount(micros, core.currency)
      const text = lines(
        change > 0 ? adjusted.added(by, show(change)) : adjusted.taken(by, show(-change)),
        readSystemRemark(remark) ? undefined : texts.users.remark(remark),
        texts.notices.balance(show(balance)),
      )
      return noticeMessage(texts, text)
    }
    case 'money_wanted': {
      const { userId, username, missing } = notice.facts
      const sum = amount(missing, core.currency)
      return noticeMessage(texts, texts.notices.moneyWanted(username, sum), {
        text: texts.buy.giveBalance(username),
        data: USERS.adjust.data({ id: userId, place: AS_LEFT, missing }),
        style: 'primary',
      })
    }
    case 'top_up_paid':
    case 'top_up_late': {
      const { orderNo, payUnits, credited, balance, manual } = notice.facts
      const text = lines(
        texts.notices[notice.kind],
        '',
        texts.notices.topUpNo(orderNo),
        manual ? texts.notices.assigned : undefined,
        texts.notices.received(usdtText(payUnits), amount(credited, core.currency)),
        texts.notices.balance(amount(balance, core.currency)),
      )
      const [resume] = resumeButton({ texts }, await core.topUps.get(notice.recipient, orderNo))
      return noticeMessage(texts, text, resume, topUpDetailsButton(texts, orderNo))
    }
    case 'top_up_expired': {
      const text = lines(texts.notices.top_up_expired, '', texts.notices.topUpNo(notice.subject))
      return noticeMessage(texts, text, topUpButton(texts))
    }
    case 'broadcast':
      return noticeMessage(texts, texts.operator.broadcast.message(notice.facts.text))
  }
}

type InLife = Extract<
  Notice,
  { kind: 'renewal_done' | 'renewal_failed' | 'expiring_72h' | 'expiring_24h' | 'expired' }
>

/** What time has done, or will do, to proxies of an order. */
async function lifeMessage(core: Core, texts: Texts, notice: InLife): Promise<Message> {
  const order = await core.orders.getStatic(notice.recipient, { orderNo: notice.facts.orderNo })
  const { facts } = notice
  const text = lines(
    ...happened(texts, notice, core.currency),
    ...aboutOrder(texts, notice, order),
    'expireTime' in facts ? texts.orders.expires(texts.dateTime(new Date(facts.expireTime))) : undefined,
  )
  const shortfall = 'shortfall' in facts ? facts.shortfall : undefined
  return noticeMessage(
    texts,
    text,
    shortfall === undefined ? undefined : topUpButton(texts, shortfall),
    notice.kind === 'renewal_done'
      ? undefined
      : { text: texts.orders.renew.button, data: CHANGE.renew.data({ id: order.id }) },
    orderButton(texts, order),
  )
}

function happened(texts: Texts, notice: InLife, currency: string): Html[] {
  const { notices } = texts
  switch (notice.kind) {
    case 'renewal_done': {
      const { count, amount: paid, balance } = notice.facts
      return [notices.renewal_done(count, amount(paid, currency), amount(balance, currency))]
    }
    case 'renewal_failed': {
      const { count, reason, shortfall } = notice.facts
      const why =
        shortfall === undefined ? errorText(texts, reason) : notices.short(amount(shortfall, currency))
      return [notices.renewal_failed(count, why)]
    }
    case 'expiring_72h':
    case 'expiring_24h': {
      const { count, shortfall } = notice.facts
      return [
        notices[notice.kind](count),
        ...(shortfall === undefined ? [] : [notices.wouldRenew(amount(shortfall, currency))]),
      ]
    }
    case 'expired': {
      const { count, renewableUntil } = notice.facts
      return [notices.expired(count, texts.dateTime(new Date(renewableUntil)))]
    }
  }
}

/** @param missing what the balance lacks: the way to top up begins with it */
function topUpButton(texts: Texts, missing?: Micros): Button {
  const data = missing === undefined ? TOP_UP.home.data() : TOP_UP.shortOfRenewal.data({ missing })
  return { text: texts.notices.buttons.topUp, data, style: 'primary' }
}

function topUpDetailsButton(texts: Texts, orderNo: string): Button {
  return { text: texts.notices.buttons.topUpDetails, data: TOP_UP.view.data({ orderNo }) }
}
