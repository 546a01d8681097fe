import { z } from 'zod'
import { toText } from '../core/money.ts'
import { publicUrlProblem } from '../core/public-url.ts'
import { Money, record } from '../core/record.ts'
import { ConnectionSettings, NewConnection } from '../core/supply/manage-connections.ts'
import { action, typed } from './action.ts'
import { Refusal } from './refusal.ts'
import { resolveCallAction, supplierCallsAction } from './supplier-calls.ts'
import { listSuppliersAction } from './supplier-list.ts'
import { supplierOffersAction } from './supplier-offers.ts'
import { reconcileSupplierAction } from './supplier-reconcile.ts'
import { counted } from './table.ts'

const { shape } = ConnectionSettings

const SECRET_HELP = 'secret of the API, or password'

const KEY_HELP = 'key of the API, or username'

const settings = {
  rate: typed(
    shape.rate.optional(),
    '--rate <amount>',
    'account currency for one unit of the supplier’s currency',
  ),
  refundHours: typed(
    shape.refundHours.optional(),
    '--refund-hours <hours>',
    'how long it takes proxies back for their price',
  ),
  concurrency: typed(shape.concurrency.optional(), '--concurrency <requests>', 'requests at the same time'),
  alarmBalance: typed(
    shape.alarmBalance.optional(),
    '--alarm-balance <amount>',
    'tell the operator chats when the balance is lower',
  ),
  alarmDays: typed(
    shape.alarmDays.optional(),
    '--alarm-days <days>',
    'or when it lasts for fewer days, or expires within them',
  ),
  balanceExpiresOn: typed(
    shape.balanceExpiresOn.optional(),
    '--balance-until <day>',
    'last day in UTC of the balance, such as 2026-12-31; none: it has none',
    { parse: (text) => (text === 'none' ? null : text) },
  ),
}

const named = { name: typed(z.string(), '<name>', 'name of the supplier') }

const offer = {
  offer: typed(z.string().optional(), '--offer <number>', 'only this offer, as `supplier offers` shows it'),
}

const Status = z.object({
  name: z.string(),
  offer_no: z.string().nullable(),
  status: z.enum(['active', 'paused']),
})

const TestRecord = record({
  name: z.string(),
  balance: Money,
  currency: z.string(),
  supplierBalance: z.string(),
  supplierCurrency: z.string().nullable(),
  offers: z.int(),
  capabilities: record({
    findsByNumber: z.boolean(),
    renews: z.boolean(),
    releases: z.boolean(),
    resets: z.boolean(),
    takesCeiling: z.boolean(),
  }),
})

/** Accounts at suppliers, at which proxies are bought (rules 11.1). */
export const supplierActions = [
  action({
    name: 'supplier add',
    summary: 'add an account at a supplier; nothing is bought before a product has its offers',
    input: {
      name: typed(
        NewConnection.shape.name,
        '<name>',
        'how products name it: 2-32 characters of a-z, 0-9 and -',
      ),
      driver: typed(NewConnection.shape.driver, '--driver <driver>', 'kind of supplier'),
      url: typed(
        shape.url,
        '--url <url>',
        'address of its API: https, or http on this machine and in private networks',
      ),
      key: typed(shape.key, '--key <key>', KEY_HELP),
      secret: typed(shape.secret, '--secret <secret>', SECRET_HELP, { reads: 'Secret' }),
      ...settings,
    },
    answer: z.object({ name: z.string(), driver: z.string() }),
    needs: ['create', 'suppliers'],
    async run({ core, by }, input) {
      const { name, driver } = input
      await core.operator.suppliers.add(by, input)
      return {
        data: { name, driver },
        text: `Added ${name}; \`supplier test ${name}\` asks it for balance and catalogue`,
      }
    },
  }),
  action({
    name: 'supplier edit',
    summary: 'change an account at a supplier; what is not named stays as it is',
    input: {
      ...named,
      url: typed(shape.url.optional(), '--url <url>', 'address of its API'),
      key: typed(shape.key.optional(), '--key <key>', KEY_HELP),
      secret: typed(shape.secret.optional(), '--secret <secret>', SECRET_HELP, { reads: 'Secret' }),
      ...settings,
    },
    answer: z.object({ name: z.string() }),
    needs: ['suppliers'],
    async run({ core, by }, { name, ...change }) {
      await core.operator.suppliers.edit(by, name, change)
      return { data: { name }, text: `Changed ${name}` }
    },
  }),
  listSuppliersAction,
  action({
    name: 'supplier test',
    summary: 'ask a supplier for balance and catalogue; nothing is bought',
    input: named,
    answer: TestRecord.schema,
    reads: true,
    needs: ['suppliers'],
    async run({ core, currency }, { name }) {
      const tested = await core.operator.suppliers.test(name)
      const { supplierBalance, balance, offers, capabilities } = tested
      const { available, currency: theirs } = supplierBalance
      const stated = `${available} ${theirs ?? ''}`.trim()
      return {
        data: TestRecord.show({
          ...tested,
          currency,
          supplierBalance: available,
          supplierCurrency: theirs ?? null,
        }),
        text: `${name} answers: balance ${stated} (${toText(balance)} ${currency}), ${counted(offers, 'offer', 'offers')}`,
        warnings: [
          theirs !== undefined && theirs !== currency
            ? `the supplier counts in ${theirs}, this shop in ${currency}: check --rate`
            : [],
          capabilities.findsByNumber
            ? []
            : 'the supplier does not recognize repeated requests: one whose answer is lost waits for your decision',
        ].flat(),
      }
    },
  }),
  action({
    name: 'supplier sync',
    summary: 'read offers and balance now, instead of within 10 minutes',
    input: named,
    answer: z.object({ name: z.string(), offers: z.int(), gone: z.int() }),
    needs: ['suppliers'],
    async run({ core, by }, { name }) {
      const { offers, gone } = await core.operator.suppliers.sync(by, name)
      return {
        data: { name, offers, gone },
        text: `Read ${counted(offers, 'offer', 'offers')} of ${name}; ${gone} no longer listed`,
      }
    },
  }),
  supplierOffersAction,
  action({
    name: 'supplier pause',
    summary: 'sell and buy nothing of a supplier; what was ordered is still looked up',
    input: { ...named, ...offer },
    answer: Status,
    question: (paused) => `Sell nothing of ${wordsOf(paused)}?`,
    async run({ core, by }, { name, offer }) {
      const { suppliers } = core.operator
      if (offer === undefined) await suppliers.pause(by, name)
      else await suppliers.pauseOffer(by, { supplier: name, offerNo: offer })
      return {
        data: { name, offer_no: offer ?? null, status: 'paused' },
        text: `Paused ${wordsOf({ name, offer })}`,
      }
    },
  }),
  action({
    name: 'supplier resume',
    summary: 'sell and buy again what was paused',
    input: { ...named, ...offer },
    answer: Status,
    async run({ core, by }, { name, offer }) {
      const { suppliers } = core.operator
      if (offer === undefined) await suppliers.resume(by, name)
      else await suppliers.resumeOffer(by, { supplier: name, offerNo: offer })
      return {
        data: { name, offer_no: offer ?? null, status: 'active' },
        text: `Resumed ${wordsOf({ name, offer })}`,
      }
    },
  }),
  supplierCallsAction,
  resolveCallAction,
  reconcileSupplierAction,
  action({
    name: 'supplier callback',
    summary: 'show the address at which a supplier may call back; enter it in your account there',
    input: named,
    answer: z.object({ name: z.string(), url: z.string() }),
    reads: true,
    needs: ['suppliers'],
    async run({ core, publicUrl }, { name }) {
      const path = await core.operator.suppliers.callbackPath(name)
      const problem = publicUrlProblem(publicUrl)
      if (problem !== undefined)
        throw new Refusal(
          'config_invalid',
          `${problem}: nobody outside knows where this server is. The path below it is ${path}`,
          { data: { path } },
        )
      const url = `${publicUrl}${path}`
      return { data: { name, url }, text: url }
    },
  }),
  action({
    name: 'supplier remove',
    summary: 'remove an account at a supplier that no product uses and that has delivered nothing',
    input: named,
    answer: z.object({ name: z.string(), removed: z.literal(true) }),
    question: ({ name }) => `Remove ${name} with its credentials?`,
    async run({ core, by }, { name }) {
      await core.operator.suppliers.remove(by, name)
      return { data: { name, removed: true }, text: `Removed ${name}` }
    },
  }),
]

/** Names a supplier, or an offer of it. */
function wordsOf({ name, offer }: { readonly name: string; readonly offer?: string | undefined }): string {
  return offer === undefined ? name : `the offer ${offer} of ${name}`
}
