import { adjustBalanceByOperator } from '../accounts/adjust-balance.ts'
import { findRequest } from '../accounts/answer-request.ts'
import { declineAskedMoney, giveAskedMoneyByOperator } from '../accounts/money-requests.ts'
import { clearDeleted, leftWithDeleted } from '../accounts/clear-deleted.ts'
import { createAgent } from '../accounts/create-account.ts'
import { editAgent } from '../accounts/edit-agent.ts'
import { inviteAgent } from '../accounts/invites.ts'
import { editContact } from '../accounts/edit-contact.ts'
import { listAgents } from '../accounts/list-agents.ts'
import { agentNamed } from '../accounts/account-named.ts'
import { allBots, findBot } from '../bots/agent-bot.ts'
import { type CommandedBot, commandBot } from '../bots/manage-bots.ts'
import { countTarget } from '../broadcasts/audience.ts'
import {
  cancelBroadcast,
  draftBroadcast,
  listBroadcasts,
  readBroadcast,
  startBroadcast,
} from '../broadcasts/broadcast.ts'
import { backupOverview } from '../backups/list-backups.ts'
import { recordBackup } from '../backups/record-backup.ts'
import { requestBackup } from '../backups/schedule-backups.ts'
import { editProduct } from '../supply/edit-product.ts'
import { importStock } from '../catalog/import-stock.ts'
import { listStock } from '../catalog/list-stock.ts'
import { removePrice, setPrice, setPrices } from '../catalog/manage-prices.ts'
import { addProduct, listProducts } from '../catalog/manage-products.ts'
import { withTextFields } from '../catalog/product-texts.ts'
import { listResting, releaseResting } from './resting-stock.ts'
import { setOnSale } from '../catalog/set-on-sale.ts'
import { setStockCost } from '../catalog/set-stock-cost.ts'
import { updateStock } from '../catalog/update-stock.ts'
import { checkProxy } from '../checks/check-proxy.ts'
import { testByNumber } from '../orders/test-order.ts'
import { find } from '../customers/find.ts'
import { relabelCurrency } from '../database/currency.ts'
import { agentPriceTerms, setAgentPriceTerms, termsForWire } from '../earnings/agent-price-terms.ts'
import { payPayout, refusePayout } from '../earnings/end-payout.ts'
import { findPayout, listAllPayouts } from '../earnings/payout.ts'
import { addExit, editExit, listExits, removeExit, setExitStatus, testExit } from '../gateway/exits.ts'
import { freeAddress, heldAddresses } from '../gateway/held-addresses.ts'
import { gatewayStatus } from '../gateway/status.ts'
import { dropJob, listJobs, retryJob } from './manage-jobs.ts'
import { failingJobs, namedJob } from './named-jobs.ts'
import { audit } from '../books/audit.ts'
import { toNumber } from '../money.ts'
import { decideReplacement } from '../orders/decide-replacement.ts'
import { findReplacement, listAllReplacements } from '../orders/list-replacements.ts'
import { about } from '../people/about.ts'
import { type Facts, guarding, type OperatorPart } from '../people/guarded.ts'
import { addPerson, editPerson, listPeople, removePerson } from '../people/manage-people.ts'
import { invitePerson, listPersonInvites, revokePersonInvite } from '../people/person-invites.ts'
import { listTrail, wholeTrail } from '../people/trail.ts'
import { endWebLogIns, listWebLogIns, offerWebLogIn } from '../people/web-log-ins.ts'
import { closeTicket } from '../support/manage-ticket.ts'
import { listTickets, readTicket } from '../support/read-tickets.ts'
import { writeTicket } from '../support/write-ticket.ts'
import { importUsage } from '../traffic/import-usage.ts'
import {
  addPromoCode,
  getPromoCode,
  listPromoCodes,
  stopPromoCode,
} from '../promotions/manage-promo-codes.ts'
import { promoEffects } from '../promotions/promo-effects.ts'
import { addSuppliedProduct } from '../supply/add-supplied-product.ts'
import { instanceId } from '../supply/instance-id.ts'
import { decideCall, getCall, listCalls } from '../supply/list-calls.ts'
import { listConnections } from '../supply/list-connections.ts'
import { getOffer, listOffers, setOfferPaused, type WhichOffer } from '../supply/list-offers.ts'
import {
  addConnection,
  callbackPath,
  editConnection,
  removeConnection,
  setConnectionStatus,
} from '../supply/manage-connections.ts'
import { profit } from '../records/profit.ts'
import { reconcileSupplier } from '../supply/reconcile.ts'
import { syncConnection, testConnection } from '../supply/test-connection.ts'
import { auditWallets } from '../top-ups/reconcile.ts'
import {
  assignTransfer,
  ignoreTransfer,
  refundTransfer,
  reopenTransfer,
} from '../top-ups/resolve-transfer.ts'
import { listAllTopUps, topUpOfNumber } from '../top-ups/top-up.ts'
import { findIgnored, findUnmatched, listUnmatched, pageOfUnmatched } from '../top-ups/unmatched-transfers.ts'
import { customersPart } from './customers-part.ts'
import { dayFigures } from './day-figures.ts'
import { health } from './health.ts'
import { choose, listChoices } from './setup.ts'
import { isShopChat, shopChats } from '../people/moved-chats.ts'
import { goneChats } from './gone-chats.ts'
import { operatorChats } from './operator-chats.ts'
import { ordersPart } from './orders-part.ts'
import type { OperatorDeps } from './deps.ts'

/**
 * What those who run the shop can do; they are no accounts. A use case that changes something is kept in the trail, and takes the
 * acting person as its first argument (rules 14.4); one that only reads has no access to writes.
 */
export function operatorPart(deps: OperatorDeps) {
  const guards = guarding(deps)
  const { keep, look, lookWith } = guards
  /** Makes the id of this service before a use case that needs it, so that the trail does not keep it as a part of the action. */
  const withId =
    <Args extends unknown[], Result>(useCase: (seen: OperatorDeps, ...args: Args) => Promise<Result>) =>
    async (seen: OperatorDeps, ...args: Args): Promise<Result> => {
      await instanceId(deps)
      return useCase(seen, ...args)
    }

  return {
    /** Telegram chats, groups among them, of those who run the shop. */
    chats: look((seen) => shopChats(seen, seen.db.read)),
    isShopChat: look(isShopChat),
    goneChats: look(goneChats),
    createAgent: keep(
      'agent.create',
      createAgent,
      (_agent, [{ username, ...input }]) => about(username, input),
      ([{ balance = 0, funding }]) => (balance === 0 && funding !== 'mint' ? undefined : 'money'),
    ),
    editAgent: keep(
      'agent.edit',
      editAgent,
      (_id, [username, edit]) => about(username, edit),
      ([, { funding }]) => (funding === undefined ? undefined : 'money'),
    ),
    editContact: keep('account.edit', editContact, (_id, [username, edit]) => about(username, edit)),
    inviteAgent: keep('agent.invite', inviteAgent, (_invite, [username]) => about(username)),
    /** Balances that deleted sub-users of an agent have left. */
    leftWithDeleted: look(leftWithDeleted),
    clearDeleted: keep('agent.clear', clearDeleted, (left, [{ username, reason }]) =>
      left.length === 0
        ? undefined
        : about(username, {
            reason,
            amount: toNumber(left.reduce((sum, { balance }) => sum + balance, 0)),
            users: left.length,
          }),
    ),
    listAgents: look(listAgents),
    adjustBalance: keep(
      'balance.adjust',
      adjustBalanceByOperator,
      ({ transactionNo, replayed }, [{ username, requestKey: _key, ...input }]) =>
        replayed ? undefined : about(username, { ...input, transactionNo }),
    ),
    /** Requests for money by accounts without an agent. */
    askedMoney: {
      find: look(({ db }, id: number) => findRequest(db.read, null, id)),
      give: keep('balance.adjust', giveAskedMoneyByOperator, ({ username, amount, changed }) =>
        changed ? about(username, { amount: toNumber(amount) }) : undefined,
      ),
      decline: keep(
        'balance.decline',
        (seen, id: number | undefined) => declineAskedMoney(seen, null, id),
        ({ username, amount, changed }) =>
          changed ? about(username, { amount: toNumber(amount) }) : undefined,
      ),
    },
    addProduct: keep('product.add', addProduct, (_product, [{ productNo, ...input }]) =>
      about(productNo, withTextFields(input)),
    ),
    addSuppliedProduct: keep('product.add', addSuppliedProduct, (_product, [{ productNo, ...input }]) =>
      about(productNo, withTextFields(input)),
    ),
    editProduct: keep('product.edit', editProduct, (_product, [productNo, edit]) =>
      about(productNo, withTextFields(edit)),
    ),
    listProducts: look(listProducts),
    setPrice: keep('price.set', setPrice, (_price, [{ productNo, username, ...input }]) =>
      about(productNo, input, username),
    ),
    setPrices: keep('price.set', setPrices, (_price, [{ productNo, username, ...input }]) =>
      about(productNo, input, username),
    ),
    removePrice: keep('price.remove', removePrice, (_price, [{ productNo, username, ...input }]) =>
      about(productNo, input, username),
    ),
    /** The limits within which agents set prices. */
    agentPriceTerms: look(agentPriceTerms),
    setAgentPriceTerms: keep('price.limit', setAgentPriceTerms, (terms) => about('', termsForWire(terms))),
    promotions: {
      add: keep('promo.add', addPromoCode, ({ code }, [{ code: _asked, ...input }]) => about(code, input)),
      list: look((seen, input?: Parameters<typeof listPromoCodes>[2]) =>
        listPromoCodes(seen, undefined, input),
      ),
      find: look((seen, code: string) => getPromoCode(seen, undefined, code)),
      effects: look(promoEffects),
      stop: keep(
        'promo.stop',
        (seen, code: string) => stopPromoCode(seen, undefined, code),
        ({ code, agent }) => about(code, {}, agent ?? undefined),
      ),
    },
    /** The bots of agents (rules 20.6). */
    bots: {
      list: look(allBots),
      find: look((seen, which: number | string) => findBot(seen.db.read, which)),
      pause: keep('bot.pause', botCommand('paused'), keptOfBot),
      resume: keep('bot.resume', botCommand('active'), keptOfBot),
      remove: keep('bot.remove', botCommand('removed'), keptOfBot),
    },
    listStock: look(listStock),
    importStock: keep('stock.import', importStock, ({ imported, skipped, dryRun }, [, options]) =>
      dryRun
        ? undefined
        : about('', { imported, skipped, ...(options?.cost !== undefined && { cost: options.cost }) }),
    ),
    setStockCost: keep('stock.cost', setStockCost, (proxies, [{ cost, ips, productNo }]) =>
      ips
        ? about(subjectOf(ips), { cost, proxies, ...addresses(ips) })
        : about(productNo ?? '', { cost, proxies }),
    ),
    updateStock: keep('stock.update', updateStock, ({ updated, dryRun }) =>
      dryRun ? undefined : about('', { updated }),
    ),
    listResting: look(listResting),
    releaseResting: keep('stock.release', releaseResting, (released, [input]) =>
      'productNo' in input
        ? about(input.productNo, { released })
        : about(subjectOf(input.ips), { released, ...addresses(input.ips) }),
    ),
    setOnSale: keep('stock.sale', setOnSale, ({ proxies }, [{ ips, onSale }]) =>
      about(subjectOf(ips), { onSale, proxies, ...addresses(ips) }),
    ),
    importUsage: keep('usage.import', importUsage, (imported) => about('', { ...imported })),
    audit: look(audit),
    auditWallets: look(auditWallets),
    /** Settings that need no file. */
    setup: {
      list: look(listChoices),
      choose: keep('setup.change', choose, (_chosen, [{ name, value }]) => about(name, { value })),
    },
    changeCurrency: keep('currency.change', relabelCurrency, (_done, [currency]) => about(currency)),
    payments: {
      list: look(listUnmatched),
      page: look(pageOfUnmatched),
      find: look(findUnmatched),
      topUp: look(topUpOfNumber),
      assign: keep('payment.assign', assignTransfer, ({ username }, [{ txid, ...input }]) =>
        about(txid, input, username),
      ),
      findIgnored: look(findIgnored),
      reopen: keep('payment.reopen', reopenTransfer, (_done, [{ txid }]) => about(txid)),
      ignore: keep('payment.ignore', ignoreTransfer, (_done, [{ txid, ...input }]) => about(txid, input)),
      refund: keep('payment.refund', refundTransfer, (_done, [{ txid, ...input }]) => about(txid, input)),
    },
    broadcasts: {
      count: look(countTarget),
      agent: look(({ db }, username: string) => agentNamed(db.read, username)),
      list: look(listBroadcasts),
      draft: keep('broadcast.draft', draftBroadcast, ({ id }, [{ audience, agentId, language, text }]) =>
        about(id, { audience, agentId, language, text }),
      ),
      read: look(readBroadcast),
      start: keep('broadcast.start', startBroadcast, (_done, [{ id, at }]) => about(id, { at })),
      cancel: keep('broadcast.cancel', cancelBroadcast, (_done, [id]) => about(id)),
    },
    checkProxy: keep(
      'proxy.check',
      (seen, input: { readonly instanceNo: string }) => checkProxy(seen, null, input),
      (_check, [{ instanceNo }]) => about(instanceNo),
    ),
    test: keep('proxy.test', testByNumber, (_tested, [number]) => about(number)),
    replacements: {
      list: look(listAllReplacements),
      find: look(findReplacement),
      decide: keep(
        'replacement.decide',
        decideReplacement,
        ({ status }, [{ replacementNo, ...input }]) => about(replacementNo, { ...input, status }),
        ([{ refund = false }]) => (refund ? 'money' : undefined),
      ),
    },
    /** Payouts that agents have requested. */
    payouts: {
      list: look(listAllPayouts),
      find: look(findPayout),
      paid: keep('payout.pay', payPayout, ({ username, amount }, [{ payoutNo, ...input }]) =>
        about(payoutNo, { ...input, amount: toNumber(amount) }, username),
      ),
      refuse: keep('payout.refuse', refusePayout, ({ username, amount }, [{ payoutNo, ...input }]) =>
        about(payoutNo, { ...input, amount: toNumber(amount) }, username),
      ),
    },
    find: look(find),
    customers: customersPart(guards),
    orders: ordersPart(guards),
    listTopUps: look(listAllTopUps),
    /** Tickets that the shop answers; it may read and answer those of agents, too. */
    support: {
      write: keep(
        'ticket.answer',
        (seen, input: Parameters<typeof writeTicket>[2]) => writeTicket(seen, undefined, input),
        (ticketNo) => about(ticketNo),
      ),
      read: look((seen, ticketNo: string) => readTicket(seen, undefined, ticketNo)),
      list: look((seen, page?: number) => listTickets(seen, undefined, page)),
      close: keep(
        'ticket.close',
        (seen, ticketNo: string) => closeTicket(seen, undefined, ticketNo),
        (_done, [ticketNo]) => about(ticketNo),
      ),
    },
    backups: {
      request: keep('backup.request', requestBackup, () => about('')),
      overview: look(backupOverview),
      record: keep('backup.make', recordBackup, (_done, [{ name, problem }]) =>
        about(name, { problem: problem?.code }),
      ),
    },
    dayFigures: look(dayFigures),
    health: look(health),
    chatsTold: look(operatorChats),
    profit: lookWith('profit')(profit),
    suppliers: {
      add: keep('supplier.add', withId(addConnection), (_done, [{ name, ...input }]) => about(name, input)),
      edit: keep('supplier.edit', withId(editConnection), (_done, [name, edit]) => about(name, edit)),
      remove: keep('supplier.remove', removeConnection, (_done, [name]) => about(name)),
      list: look(listConnections),
      test: look(testConnection),
      sync: keep('supplier.sync', syncConnection, (_done, [name]) => about(name)),
      pause: keep(
        'supplier.pause',
        (seen, name: string) => setConnectionStatus(seen, name, 'paused'),
        (_done, [name]) => about(name),
      ),
      resume: keep(
        'supplier.resume',
        (seen, name: string) => setConnectionStatus(seen, name, 'active'),
        (_done, [name]) => about(name),
      ),
      offers: look(listOffers),
      offer: look(getOffer),
      pauseOffer: keep(
        'offer.pause',
        (seen, which: WhichOffer) => setOfferPaused(seen, which, true),
        ({ supplier, offerNo }) => about(offerNo, { supplier }),
      ),
      resumeOffer: keep(
        'offer.resume',
        (seen, which: WhichOffer) => setOfferPaused(seen, which, false),
        ({ supplier, offerNo }) => about(offerNo, { supplier }),
      ),
      calls: look(listCalls),
      call: look(getCall),
      resolve: keep('call.resolve', decideCall, (_call, [callNo, resolution]) =>
        about(callNo, { ...resolution }),
      ),
      reconcile: keep('supplier.reconcile', reconcileSupplier, (_done, [name]) => about(name)),
      callbackPath: look(callbackPath),
    },
    gateway: look(gatewayStatus),
    addresses: {
      held: look(heldAddresses),
      free: keep('address.free', freeAddress, ({ cidr, username, productNo }) =>
        about(cidr, { productNo }, username),
      ),
    },
    exits: {
      add: keep('exit.add', addExit, ({ id }, [{ url: _secret, ...input }]) => about(id, input)),
      edit: keep('exit.edit', editExit, (_done, [id, input]) => about(id, input)),
      list: look(listExits),
      test: look((seen, id: number) => testExit(seen, id)),
      /** Another target than our echo tells what this server reaches. */
      testTarget: lookWith('exits')(testExit),
      pause: keep(
        'exit.pause',
        (seen, id: number) => setExitStatus(seen, id, 'paused'),
        (_done, [id]) => about(id),
      ),
      resume: keep(
        'exit.resume',
        (seen, id: number) => setExitStatus(seen, id, 'active'),
        (_done, [id]) => about(id),
      ),
      remove: keep('exit.remove', removeExit, (_done, [id]) => about(id)),
    },
    jobs: {
      list: look(listJobs),
      failing: look(failingJobs),
      find: look(namedJob),
      retry: keep('job.retry', retryJob, ({ kind, key }, [id]) => about(key, { id, kind })),
      drop: keep('job.drop', dropJob, ({ kind, key, lastError }, [id]) =>
        about(key, { id, kind, lastError }),
      ),
    },
    people: {
      list: look(listPeople),
      add: keep('person.add', addPerson, ({ name }, [input]) => about(name, input)),
      edit: keep('person.edit', editPerson, (_person, [name, edit]) => about(name, edit)),
      remove: keep('person.remove', removePerson, (_person, [name]) => about(name)),
      invites: look(listPersonInvites),
      invite: keep('person.invite', invitePerson, ({ name, role, id }) => about(name, { role, invite: id })),
      uninvite: keep('person.uninvite', revokePersonInvite, ({ name }, [id]) => about(name, { invite: id })),
    },
    /** Log-ins outside of Telegram, of the chat in which it is asked. */
    webLogIns: {
      offer: keep('person.log_in', offerWebLogIn, () => undefined),
      list: look(listWebLogIns),
      end: keep('person.log_out', endWebLogIns, (sessions) =>
        sessions === 0 ? undefined : about('', { sessions }),
      ),
    },
    trail: { list: look(listTrail), whole: look(wholeTrail) },
  } satisfies OperatorPart
}

function botCommand(state: Parameters<typeof commandBot>[3]) {
  return (seen: OperatorDeps, which: number | string) => commandBot(seen, undefined, which, state)
}

function keptOfBot({ changed, username, agent }: CommandedBot): Facts | undefined {
  return changed ? about(`@${username}`, {}, agent) : undefined
}

/** Returns the subject under which the trail keeps an action on addresses: the address when it is one, else empty. */
function subjectOf(ips: readonly string[]): string {
  const [ip = ''] = ips
  return ips.length === 1 ? ip : ''
}

/** Maximum number of addresses that the trail names. */
const NAMED = 100

function addresses(ips: readonly string[]): object {
  return ips.length === 1 ? {} : { ips: ips.slice(0, NAMED) }
}
