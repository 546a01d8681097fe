import type { MoneyRequest } from '../../../core/accounts/answer-request.ts'
import type { Core } from '../../../core/core.ts'
import type { SalesFacts } from '../../../core/facts/operator-facts.ts'
import type { NetworkTraits } from '../../../core/top-ups/payment-network.ts'
import type { TransferKey } from '../../../core/top-ups/unmatched-transfers.ts'
import type { OperatorNotice } from '../../../core/notices/messenger.ts'
import { translationIn } from '../../../core/translations.ts'
import { CUSTOMERS } from '../../actions/customers.ts'
import { MACHINE } from '../../actions/machine.ts'
import { OPERATOR, operatorButton } from '../../actions/operator.ts'
import { AGENT_BOTS } from '../../actions/own-bots.ts'
import { PEOPLE } from '../../actions/people.ts'
import { STOCK } from '../../actions/stock.ts'
import { amount, balanceText, placeName, usdt } from '../../kit/format.ts'
import { closeButton } from '../../kit/buttons.ts'
import type { Message } from '../../kit/message.ts'
import type { Button } from '../../kit/screen.ts'
import { gigabytes, used } from '../../kit/traffic-text.ts'
import type { View } from '../../kit/view.ts'
import { type Html, lines } from '../../texts/html.ts'
import { textsOf, type Texts } from '../../texts/index.ts'
import { jobButtons, jobText } from '../machine/job-screens.ts'
import { operatorStateText } from '../own-bots/of-agents-screens.ts'
import { placesText } from './backups.ts'
import { failingButton, figuresText } from './figures-screen.ts'
import { paymentButtons, paymentText } from './payment-screens.ts'
import { payoutButtons, payoutText } from './payout-screens.ts'
import { differenceText } from './supplier-screens.ts'
import { wishButtons, wishText } from './replacement-screens.ts'

/** Most failing jobs that a message names one by one. */
const NAMED_JOBS = 3

/** The buttons of a notice about a supplier: to its screen, to the call concerned, and to a comparison. */
function supplierButtons({ operator: { buttons } }: Texts, { kind, facts }: OperatorNotice): Button[][] {
  const { connection: name, callNo } = facts as { readonly connection?: string; readonly callNo?: string }
  if (name === undefined) return []
  return [
    [
      { text: buttons.openSupplier, data: OPERATOR.supplier.data({ name }) },
      ...(callNo === undefined ? [] : [{ text: buttons.openCall, data: OPERATOR.call.data({ callNo }) }]),
      ...(kind === 'supplier_differences'
        ? [{ text: buttons.reconcile, data: OPERATOR.reconcileSupplier.data({ name }) }]
        : []),
    ],
  ]
}

/** The buttons of a notice about the stock: to the list of resting proxies, and to the stock. */
function stockButtons({ stock: { buttons } }: Texts, notice: OperatorNotice): Button[][] {
  const home = [{ text: buttons.stock, data: STOCK.home.data() }]
  if (notice.kind === 'stock_low') return [home]
  if (notice.kind !== 'stock_resting') return []
  const resting = notice.facts.products.reduce((sum, product) => sum + product.resting, 0)
  return [[{ text: buttons.resting(resting), data: STOCK.resting.data() }], home]
}

/** The buttons of a notice about the gateway or its exits, to their screens. */
function gatewayButtons({ operator: { buttons } }: Texts, kind: OperatorNotice['kind']): Button[][] {
  switch (kind) {
    case 'gateway_silent':
    case 'gateway_back':
      return [[{ text: buttons.gateway, data: OPERATOR.gateway.data() }]]
    case 'pool_without_exit':
    case 'pool_with_exit':
      return [[{ text: buttons.exits, data: OPERATOR.exits.data() }]]
    default:
      return []
  }
}

/** The button of a notice about backups, to their screen. */
function backupButtons({ operator: { buttons } }: Texts, kind: OperatorNotice['kind']): Button[][] {
  return ['backup_failed', 'backup_works', 'backup_old'].includes(kind)
    ? [[{ text: buttons.backups, data: OPERATOR.backups.data() }]]
    : []
}

const personButton = ({ people }: Texts, { subject }: OperatorNotice): Button => ({
  text: people.buttons.person,
  data: PEOPLE.person.data({ id: Number(subject) }),
})

/** The button of a notice about the bot of an agent, whose id its subject begins with. */
const agentBotButton = ({ ownBots }: Texts, { subject }: OperatorNotice): Button => ({
  text: ownBots.all.open,
  data: AGENT_BOTS.bot.data({ id: Number.parseInt(subject, 10) }),
})

/** Words a notice for the operator; undefined when somebody has settled its subject already. */
export async function operatorMessage(
  core: Core,
  notice: Exclude<OperatorNotice, { kind: 'support_question' }>,
): Promise<Message | undefined> {
  const texts = textsOf(notice)
  const lastRow = [operatorButton(texts), closeButton(texts)]
  if (notice.kind === 'replacement_wanted') {
    const wish = await core.operator.replacements.find(notice.subject)
    const view = { texts, language: notice.language }
    return wish?.status === 'requested'
      ? { text: wishText(view, wish), buttons: [...wishButtons(texts, wish), lastRow] }
      : undefined
  }
  if (notice.kind === 'money_wanted') {
    const request = await core.operator.askedMoney.find(Number(notice.subject))
    return request?.status === 'open' ? wantedMessage(core, texts, request, lastRow) : undefined
  }
  if (notice.kind === 'payout_wanted') {
    const payout = await core.operator.payouts.find(notice.subject)
    const view = { texts, currency: core.currency }
    return payout?.status === 'requested'
      ? { text: payoutText(view, payout), buttons: [...payoutButtons(texts, payout), lastRow] }
      : undefined
  }
  if (notice.kind === 'jobs_failing') return failingMessage(core, texts, notice.facts.ids, lastRow)
  if (notice.kind !== 'transfer_unmatched' && notice.kind !== 'transfer_claimed')
    return {
      text: textOf(core, notice),
      buttons: [
        ...supplierButtons(texts, notice),
        ...stockButtons(texts, notice),
        ...gatewayButtons(texts, notice.kind),
        ...backupButtons(texts, notice.kind),
        ...(notice.kind === 'agent_bot_stopped' ? [[agentBotButton(texts, notice)]] : []),
        ...(notice.kind === 'person_joined' ? [[personButton(texts, notice)]] : []),
        ...(notice.kind === 'daily_summary' ? failingButton(texts, notice.facts) : []),
        lastRow,
      ],
    }
  const payment = await core.operator.payments.find(transferIn(notice.subject))
  return (
    payment && {
      text: paymentText(texts, payment),
      buttons: [...paymentButtons(texts, core.topUps.network(payment.network), payment), lastRow],
    }
  )
}

/** Returns the name of a transfer in the subject of a notice; one from the time when there was one network does not name it. */
function transferIn(subject: string): TransferKey {
  const [first = '', second = '', third] = subject.split(':')
  return third !== undefined && /^\d+$/.test(third)
    ? { network: first, txid: second, index: Number(third) }
    : { txid: first, index: Number(second) }
}

/** Returns the network of a notice. */
function networkOf({ topUps }: Core, { network }: { readonly network?: string }): NetworkTraits {
  const usual = topUps.networks[0]
  if (!usual) throw new Error('there is no network')
  return network === undefined ? usual : topUps.network(network)
}

/** Names the network of a notice where there are several. */
function whichOf(core: Core, facts: { readonly network?: string }): string | undefined {
  return core.topUps.open.length > 1 ? networkOf(core, facts).name.full : undefined
}

function salesText(
  { texts, language, currency }: Pick<View, 'texts' | 'language' | 'currency'>,
  kind: 'sales' | 'sales_of_day',
  { count, amount: sum, largest }: SalesFacts,
): Html {
  const { sales } = texts.operator
  return lines(
    sales.title[kind](count, amount(sum, currency)),
    '',
    ...largest.map((sale) => {
      const name = translationIn(sale.names, language)
      const what =
        sale.kind === 'traffic'
          ? sales.what.traffic(gigabytes(sale.count, texts), name)
          : sales.what[sale.kind](sale.count, name)
      return sales.line(sales.who(sale.username, sale.agent), what, amount(sale.amount, currency))
    }),
    count > largest.length ? sales.more(count - largest.length) : undefined,
  )
}

/** Words a request for money: one press gives the missing amount, or declines. */
function wantedMessage(
  { currency }: Core,
  texts: Texts,
  { id, userId, username, amount: missing }: MoneyRequest,
  lastRow: Button[],
): Message {
  const { give, decline } = texts.users.asked
  const { notices, askedMoney } = texts.operator
  const sum = amount(missing, currency)
  const other = CUSTOMERS.change.data({ change: 'adjust', subject: String(userId) })
  return {
    text: notices.money_wanted(username, sum),
    buttons: [
      [{ text: give(sum), data: CUSTOMERS.giveAsked.data({ id }), style: 'success' }],
      [
        { text: askedMoney.other, data: other },
        { text: decline, data: CUSTOMERS.declineAsked.data({ id }), style: 'danger' },
      ],
      lastRow,
    ],
  }
}

/** Names the jobs that still fail; a single one has its own buttons. */
async function failingMessage(
  core: Core,
  texts: Texts,
  ids: readonly number[],
  lastRow: Button[],
): Promise<Message | undefined> {
  const found = await Promise.all(ids.slice(0, NAMED_JOBS).map((id) => core.operator.jobs.find(id)))
  const failing = found.filter((job) => job !== undefined)
  const [job] = failing
  if (!job) return undefined
  const { failing: title, buttons } = texts.machine
  const count = ids.length > NAMED_JOBS ? ids.length : failing.length
  return {
    text: lines(title(count), ...failing.flatMap((each) => ['' as const, jobText(texts, each)])),
    buttons: [
      ...(count === 1
        ? jobButtons(texts, job)
        : [[{ text: buttons.jobs(count), data: MACHINE.jobs.data() }]]),
      lastRow,
    ],
  }
}

function textOf(
  core: Core,
  notice: Exclude<
    OperatorNotice,
    {
      kind:
        | 'transfer_unmatched'
        | 'transfer_claimed'
        | 'replacement_wanted'
        | 'money_wanted'
        | 'payout_wanted'
        | 'support_question'
        | 'jobs_failing'
    }
  >,
): Html {
  const { currency } = core
  const texts = textsOf(notice)
  const { notices } = texts.operator
  const time = (iso: string) => texts.dateTime(new Date(iso))
  switch (notice.kind) {
    case 'account_credited_anyway': {
      const { username, credited, orderNo } = notice.facts
      return notices.account_credited_anyway(username, amount(credited, currency), orderNo)
    }
    case 'chain_stale': {
      const { lastSuccessAt, reason } = notice.facts
      return notices.chain_stale(
        whichOf(core, notice.facts),
        lastSuccessAt === null ? undefined : time(lastSuccessAt),
        reason,
      )
    }
    case 'chain_back':
      return notices.chain_back(whichOf(core, notice.facts), time(notice.facts.staleSince))
    case 'chain_bad_key':
      return notices.chain_bad_key(networkOf(core, notice.facts).keySetting)
    case 'top_up_slots_low':
      return notices.top_up_slots_low(usdt(notice.facts.amountUnits), notice.facts.free)
    case 'reconciliation_mismatch': {
      const { chainUnits, bookUnits, asOf } = notice.facts
      return notices.reconciliation_mismatch(
        whichOf(core, notice.facts),
        usdt(BigInt(chainUnits)),
        usdt(BigInt(bookUnits)),
        time(asOf),
      )
    }
    case 'books_wrong': {
      const { differences, examples } = notice.facts
      return lines(notices.books_wrong(differences), ...examples.map((text) => notices.example(text)))
    }
    case 'stock_low': {
      const { free, told = true, places = [] } = notice.facts
      const name = translationIn(notice.facts.names, notice.language)
      return lines(
        told ? notices.stock_low(name, free) : undefined,
        ...places.map((place) => notices.stock_low_in(name, placeName(place, notice.language), place.free)),
      )
    }
    case 'stock_resting':
      return lines(
        notices.stock_resting,
        ...notice.facts.products.map((product) =>
          texts.operator.figures.resting(translationIn(product.names, notice.language), product.resting),
        ),
      )
    case 'supplier_incident': {
      const { supplier, checked, failing } = notice.facts
      return notices.supplier_incident(supplier, failing, checked)
    }
    case 'supplier_in_doubt': {
      const { connection, callNo, orderNo, count, expectedCost } = notice.facts
      return lines(
        notices.supplier_in_doubt(connection, count, amount(expectedCost, currency)),
        notices.call(callNo, orderNo),
      )
    }
    case 'supplier_slow': {
      const { connection, callNo, orderNo, count, since } = notice.facts
      return lines(notices.supplier_slow(connection, count, time(since)), notices.call(callNo, orderNo))
    }
    case 'supplier_price_changed': {
      const { connection, callNo, orderNo, expected, charged } = notice.facts
      return lines(
        notices.supplier_price_changed(connection, amount(expected, currency), amount(charged, currency)),
        notices.call(callNo, orderNo),
      )
    }
    case 'supplier_extra': {
      const { connection, callNo, orderNo, ordered, extra } = notice.facts
      return lines(notices.supplier_extra(connection, ordered, extra), notices.call(callNo, orderNo))
    }
    case 'supplier_short_term': {
      const { connection, callNo, orderNo, expireTime, boughtUntil } = notice.facts
      return lines(
        notices.supplier_short_term(connection, time(expireTime), time(boughtUntil)),
        notices.call(callNo, orderNo),
      )
    }
    case 'person_joined': {
      const { name, role, telegramId } = notice.facts
      return notices.person_joined(name, texts.people.roleNames[role], telegramId)
    }
    case 'version_newer':
      return notices.version_newer(notice.facts.newest, notice.facts.running)
    case 'disk_low': {
      const { full, freeBytes, totalBytes } = notice.facts
      const percent = Math.floor((freeBytes / totalBytes) * 100)
      return notices.disk_low(full, Math.floor(freeBytes / 1e6), percent)
    }
    case 'chat_gone':
    case 'chat_back': {
      const { person, chatId } = notice.facts
      const who = person ?? String(chatId)
      return notice.kind === 'chat_gone' ? notices.chat_gone(who, person !== null) : notices.chat_back(who)
    }
    case 'agent_bot_stopped': {
      const { agent, username, ...stopped } = notice.facts
      return lines(notices.agent_bot_stopped(agent, username), operatorStateText(texts, stopped))
    }
    case 'message_refused': {
      const { reason, chatId, kind, subject } = notice.facts
      return notices.message_refused(reason, chatId, kind, subject)
    }
    case 'backup_failed': {
      const { backups } = texts.operator
      const { problem, detail, places } = notice.facts
      return lines(
        notices.backup_failed(backups.problems[problem], detail),
        places.length > 0 ? notices.backup_stands(placesText(texts, places)) : undefined,
      )
    }
    case 'backup_works': {
      const { bytes, places } = notice.facts
      return notices.backup_works(used(bytes, texts), placesText(texts, places))
    }
    case 'backup_old':
      return notices.backup_old(notice.facts.since === null ? undefined : time(notice.facts.since))
    case 'supplier_balance_expires': {
      const { connection, balance, expiresOn, over } = notice.facts
      const sum = balance === null ? undefined : balanceText(balance, currency)
      return notices.supplier_balance_expires(connection, expiresOn, over, sum)
    }
    case 'supplier_balance_short': {
      const { connection, callNo, orderNo } = notice.facts
      return lines(notices.supplier_balance_short(connection), notices.call(callNo, orderNo))
    }
    case 'supplier_balance_low': {
      const { connection, balance, daysLeft } = notice.facts
      return notices.supplier_balance_low(connection, balanceText(balance, currency), daysLeft ?? undefined)
    }
    case 'gateway_silent':
      return notices.gateway_silent(time(notice.facts.since))
    case 'gateway_back':
      return notices.gateway_back(time(notice.facts.since))
    case 'pool_without_exit':
      return notices.pool_without_exit(notice.facts.pool ?? '')
    case 'pool_with_exit':
      return notices.pool_with_exit(notice.facts.pool ?? '', time(notice.facts.since))
    case 'webhooks_late':
      return notices.webhooks_late(time(notice.facts.since), notice.facts.webhooks)
    case 'webhooks_back':
      return notices.webhooks_back(time(notice.facts.since))
    case 'supplier_differences': {
      const { connection, counts, examples } = notice.facts
      const { differences } = texts.operator.suppliers
      return lines(
        notices.supplier_differences(connection),
        ...Object.entries(counts).map(([kind, count]) =>
          differences.counted(differences.kinds[kind as keyof typeof counts], count),
        ),
        '',
        ...examples.map((example) => differenceText(texts, example)),
      )
    }
    case 'sales':
    case 'sales_of_day':
      return salesText({ texts, language: notice.language, currency }, notice.kind, notice.facts)
    case 'daily_summary':
      return figuresText({ texts, language: notice.language, currency }, notice.facts)
  }
}
