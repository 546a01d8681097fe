import { InputFile } from 'grammy'
import { writePlainCsv } from '../../../core/csv.ts'
import { InvalidInput, ServiceError } from '../../../core/errors.ts'
import type { CallOverview } from '../../../core/supply/list-calls.ts'
import type { ConnectionOverview } from '../../../core/supply/list-connections.ts'
import type { Reconciliation } from '../../../core/supply/reconcile.ts'
import { OPERATOR } from '../../actions/operator.ts'
import { ask, type OperatorQuestion } from '../../dialogue/ask.ts'
import type { Action } from '../../kit/action.ts'
import { errorText } from '../../kit/errors.ts'
import { existingPage } from '../../kit/existing-page.ts'
import { balanceText } from '../../kit/format.ts'
import type { Screen } from '../../kit/screen.ts'
import { LISTED, listed } from '../../kit/some-of.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { askedIn, by, isOperatorChat } from '../../session/operator-chat.ts'
import { viewOf } from '../../session/view-of.ts'
import { type Html, lines } from '../../texts/html.ts'
import {
  askNewSupplier,
  askRemoveSupplierScreen,
  askSupplierChange,
  supplierFormQuestions,
  supplierRefusal,
} from './supplier-form.ts'
import {
  absentScreen,
  askingScreen,
  callScreen,
  differenceText,
  doubtfulScreen,
  foundPrompt,
  ITEMS_PER_PAGE,
  offerScreen,
  offersScreen,
  supplierScreen,
  suppliersScreen,
} from './supplier-screens.ts'

/** Time that a chat waits for a supplier, in ms: less than an update may take. */
const PATIENCE_MS = 20_000

/** Suppliers: how they stand, what they offer, and calls whose outcome the operator has to find out. */
export function suppliersFeature(): Feature {
  const feature = new Feature(isOperatorChat)

  feature.command('suppliers', (ctx) => showSuppliers(ctx))
  feature.on(OPERATOR.suppliers, (ctx, { page }) => showSuppliers(ctx, page))
  const onSupplier = (
    action: Action<typeof OPERATOR.supplier.shape>,
    handle: (ctx: BotContext, name: string) => Promise<Html | undefined>,
  ) =>
    feature.on(action, async (ctx, { name = '' }) => {
      if (await findSupplier(ctx, name)) return showSupplier(ctx, name, await handle(ctx, name))
      await ctx.notify(ctx.texts.operator.suppliers.gone, true)
      return showSuppliers(ctx)
    })
  onSupplier(OPERATOR.supplier, () => Promise.resolve(undefined))
  onSupplier(OPERATOR.pauseSupplier, async (ctx, name) => {
    await ctx.core.operator.suppliers.pause(by(ctx), name)
    return undefined
  })
  onSupplier(OPERATOR.resumeSupplier, async (ctx, name) => {
    await ctx.core.operator.suppliers.resume(by(ctx), name)
    return undefined
  })
  feature.on(OPERATOR.addSupplier, askNewSupplier)
  feature.on(OPERATOR.editSupplier, async (ctx, { name = '' }) =>
    (await findSupplier(ctx, name)) ? askSupplierChange(ctx, name) : showSuppliers(ctx),
  )
  feature.on(OPERATOR.askRemoveSupplier, async (ctx, { name = '' }) =>
    (await findSupplier(ctx, name)) ? ctx.show(askRemoveSupplierScreen(ctx.texts, name)) : showSuppliers(ctx),
  )
  onSupplier(OPERATOR.removeSupplier, async (ctx, name) => {
    try {
      await ctx.core.operator.suppliers.remove(by(ctx), name)
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error
      await ctx.notify(supplierRefusal(ctx.texts, error), true)
    }
    return undefined
  })
  onSupplier(OPERATOR.syncSupplier, (ctx, name) =>
    asked(ctx, async () => {
      const { offers, gone } = await ctx.core.operator.suppliers.sync(by(ctx), name, PATIENCE_MS)
      return ctx.texts.operator.suppliers.synced(offers, gone)
    }),
  )
  onSupplier(OPERATOR.testSupplier, (ctx, name) =>
    asked(ctx, async () => {
      const { balance, offers } = await ctx.core.operator.suppliers.test(name, PATIENCE_MS)
      return ctx.texts.operator.suppliers.tested(balanceText(balance, ctx.core.currency), offers)
    }),
  )
  onSupplier(OPERATOR.reconcileSupplier, (ctx, name) =>
    asked(ctx, async () => {
      const patience = AbortSignal.timeout(PATIENCE_MS)
      return compared(ctx, await ctx.core.operator.suppliers.reconcile(by(ctx), name, patience))
    }),
  )
  onSupplier(OPERATOR.supplierCallback, async ({ core, texts, publicUrl, localUrl }, name) => {
    const path = await core.operator.suppliers.callbackPath(name)
    const { callback, callbackPath } = texts.operator.suppliers
    return publicUrl === undefined ? callbackPath(path, localUrl) : callback(publicUrl + path)
  })

  feature.on(OPERATOR.offers, async (ctx, { name = '', page }) => {
    if (!(await findSupplier(ctx, name))) return showSuppliers(ctx)
    const list = (number: number) =>
      ctx.core.operator.suppliers.offers({ supplier: name, page: number, pageSize: ITEMS_PER_PAGE })
    return ctx.show(offersScreen(viewOf(ctx), name, await existingPage(page, list)))
  })
  feature.on(OPERATOR.offer, (ctx, { id = 0, page }) => showOffer(ctx, id, page))
  feature.on(OPERATOR.pauseOffer, async (ctx, { id = 0, page }) => {
    await refusable(ctx, () => ctx.core.operator.suppliers.pauseOffer(by(ctx), { id }))
    return showOffer(ctx, id, page)
  })
  feature.on(OPERATOR.resumeOffer, async (ctx, { id = 0, page }) => {
    await refusable(ctx, () => ctx.core.operator.suppliers.resumeOffer(by(ctx), { id }))
    return showOffer(ctx, id, page)
  })

  feature.on(OPERATOR.doubtful, (ctx, { name, page }) => showDoubtful(ctx, name || undefined, page))
  const onCall = (
    action: Action<typeof OPERATOR.call.shape>,
    handle: (ctx: BotContext, call: CallOverview) => Promise<unknown>,
  ) =>
    feature.on(action, async (ctx, { callNo = '' }) => {
      const call = await ctx.core.operator.suppliers.call(callNo)
      if (call) return handle(ctx, call)
      await ctx.notify(ctx.texts.operator.suppliers.gone, true)
      return showDoubtful(ctx)
    })
  const showCall = (ctx: BotContext, call: CallOverview) => ctx.show(callScreen(viewOf(ctx), call))
  /** Handles a call only while it is in doubt: somebody else may have decided meanwhile. */
  const ifOpen =
    (handle: (ctx: BotContext, call: CallOverview) => Promise<unknown>) =>
    (ctx: BotContext, call: CallOverview) =>
      call.state === 'in_doubt' ? handle(ctx, call) : showCall(ctx, call)
  onCall(OPERATOR.call, showCall)
  onCall(
    OPERATOR.callFound,
    ifOpen((ctx, { callNo }) => ask(ctx, numberThere, { callNo })),
  )
  onCall(
    OPERATOR.callAbsent,
    ifOpen((ctx, call) => ctx.show(absentScreen(viewOf(ctx), call))),
  )
  onCall(OPERATOR.callAbsentNow, async (ctx, { callNo }) => {
    const { suppliers } = ctx.core.operator
    const done = await refusable(ctx, () => suppliers.resolve(by(ctx), callNo, { absent: true }))
    return ctx.show(await decidedScreen(ctx, callNo, done))
  })
  return feature
}

async function showSuppliers(ctx: BotContext, page = 1): Promise<unknown> {
  return ctx.show(suppliersScreen(viewOf(ctx), await ctx.core.operator.suppliers.list(), page))
}

async function findSupplier({ core }: BotContext, name: string): Promise<ConnectionOverview | undefined> {
  const connections = await core.operator.suppliers.list()
  return connections.find((connection) => connection.name === name)
}

async function showSupplier(ctx: BotContext, name: string, note?: Html): Promise<unknown> {
  const connection = await findSupplier(ctx, name)
  return connection ? ctx.show(supplierScreen(viewOf(ctx), connection, note)) : showSuppliers(ctx)
}

async function showOffer(ctx: BotContext, id: number, page: number): Promise<unknown> {
  const offer = await ctx.core.operator.suppliers.offer(id)
  if (offer) return ctx.show(offerScreen(viewOf(ctx), offer, page))
  await ctx.notify(ctx.texts.operator.suppliers.gone, true)
  return showSuppliers(ctx)
}

async function showDoubtful(ctx: BotContext, supplier?: string, page = 1): Promise<unknown> {
  const list = (number: number) =>
    ctx.core.operator.suppliers.calls({
      supplier,
      which: 'in_doubt',
      page: number,
      pageSize: ITEMS_PER_PAGE,
    })
  return ctx.show(doubtfulScreen(ctx.texts, supplier, await existingPage(page, list)))
}

/** Asks a supplier, and says so while it is asked; a failure becomes the note, too. */
async function asked(ctx: BotContext, work: () => Promise<Html>): Promise<Html> {
  await ctx.show(askingScreen(ctx.texts))
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const reason = error.data?.['reason']
    return ctx.texts.operator.suppliers.failed(
      typeof reason === 'string' ? reason : errorText(ctx.texts, error.code),
    )
  }
}

/** Words what a comparison with the supplier has found; a list that does not fit is also sent as a file. */
async function compared(ctx: BotContext, { orders, running, differences }: Reconciliation): Promise<Html> {
  const { suppliers } = ctx.texts.operator
  if (differences.length === 0) return suppliers.same(orders, running)
  if (differences.length > LISTED) {
    const rows = differences.map(({ kind, subject, orderNo, ours, theirs }) => [
      kind,
      subject,
      orderNo ?? '',
      ours,
      theirs,
    ])
    const file = Buffer.from(writePlainCsv([['difference', 'number', 'order', 'ours', 'theirs'], ...rows]))
    await ctx.replyWithDocument(new InputFile(file, 'differences.csv'))
  }
  return lines(
    suppliers.differ(differences.length),
    ...listed(
      ctx.texts,
      differences.map((difference) => differenceText(ctx.texts, difference)),
    ),
  )
}

/** @returns whether it was done; a refusal is told */
async function refusable(ctx: BotContext, work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    await ctx.notify(errorText(ctx.texts, error.code), true)
    return false
  }
}

/** Shows the call after a decision. */
async function decidedScreen(ctx: BotContext, callNo: string, done: boolean): Promise<Screen> {
  const call = await ctx.core.operator.suppliers.call(callNo)
  if (!call) return suppliersScreen(viewOf(ctx), await ctx.core.operator.suppliers.list(), 1)
  return callScreen(viewOf(ctx), call, done ? ctx.texts.operator.suppliers.decided : undefined)
}

/** The number that a call in doubt has at the supplier. */
const numberThere: OperatorQuestion<{ callNo: string }> = {
  name: 'supplier.found',
  forOperator: true,
  prompt: async (ctx, _actor, { callNo }) => {
    const call = await ctx.core.operator.suppliers.call(callNo)
    if (!call) return suppliersScreen(viewOf(ctx), await ctx.core.operator.suppliers.list(), 1)
    return call.state === 'in_doubt'
      ? askedIn(ctx, foundPrompt(viewOf(ctx), call))
      : callScreen(viewOf(ctx), call)
  },
  answer: async (ctx, _actor, { callNo }, number) => {
    await ctx.core.operator.suppliers.resolve(by(ctx), callNo, { found: number })
    return { screen: await decidedScreen(ctx, callNo, true) }
  },
}

export const supplierQuestions = [numberThere, ...supplierFormQuestions]
