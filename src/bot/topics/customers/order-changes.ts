import type { ShownProxy } from '../../../core/customers/show-order.ts'
import { ServiceError } from '../../../core/errors.ts'
import { toNumber } from '../../../core/money.ts'
import { addressOf } from '../../../core/proxy-formats.ts'
import type { Refundable } from '../../../core/orders/refund-order.ts'
import { type ChangeName, CUSTOMERS } from '../../actions/customers.ts'
import { amount, balanceText } from '../../kit/format.ts'
import type { Screen } from '../../kit/screen.ts'
import type { BotContext } from '../../session/context.ts'
import { allows, by } from '../../session/operator-chat.ts'
import type { Html } from '../../texts/html.ts'
import type { Asked, Change } from './change.ts'
import { orderScreenFor, proxyScreenFor } from './pages.ts'

interface RefundScope {
  readonly orderNo: string
  readonly instances?: string[]
}

/** A refund by judgement (rules 4.10), of an order or of one of its proxies. */
function refundOf(
  scopeOf: (ctx: BotContext, subject: string) => Promise<RefundScope>,
  back: (subject: string) => string,
  preview: (ctx: BotContext, asked: Asked, name: string, part: string, most: string) => Promise<Html>,
  page: (ctx: BotContext, subject: string, note: Html) => Promise<Screen>,
): Change {
  const quote = async (ctx: BotContext, { subject }: Asked): Promise<Refundable> =>
    ctx.core.operator.orders.quoteRefund(await scopeOf(ctx, subject))
  return {
    told: true,
    back,
    part: async (ctx, asked, part) => {
      const { most } = await quote(ctx, asked)
      if (part <= 0) return { problem: ctx.texts.customers.notAnAmount }
      if (part > most) return { problem: ctx.texts.customers.tooMuch(amount(most, ctx.core.currency)) }
      return { value: String(part) }
    },
    preview: async (ctx, asked) => {
      const { most, username } = await quote(ctx, asked)
      if (most === 0) throw new ServiceError('invalid_state')
      const money = (micros: number) => amount(micros, ctx.core.currency)
      const part = asked.value === undefined ? most : Number(asked.value)
      return preview(ctx, asked, username, money(part), money(most))
    },
    otherWay: async (ctx, asked) =>
      (await quote(ctx, asked)).active > 0 ? ctx.texts.customers.buttons.refundAndEnd : undefined,
    carryOut: async (ctx, { subject, value, reason, key }, release) => {
      const { core, texts } = ctx
      const booked = await core.operator.orders.refund(by(ctx), {
        ...(await scopeOf(ctx, subject)),
        ...(value !== undefined && { amount: toNumber(Number(value)) }),
        reason,
        release,
        requestKey: key,
      })
      const { done } = texts.customers.changes.refund
      return page(
        ctx,
        subject,
        done(amount(booked.amount, core.currency), balanceText(booked.balance, core.currency)),
      )
    },
  }
}

/** @throws instance_not_found */
function find({ core }: BotContext, instanceNo: string): Promise<ShownProxy> {
  return core.operator.orders.proxy(instanceNo)
}

const toProxy = (instanceNo: string): string => CUSTOMERS.proxy.data({ instanceNo })
const toOrder = (orderNo: string): string => CUSTOMERS.order.data({ orderNo })

const replace: Change = {
  told: true,
  back: toProxy,
  preview: async (ctx, { subject }) => {
    const { instance, order } = await find(ctx, subject)
    return ctx.texts.customers.changes.replace.preview(order.username, addressOf(instance))
  },
  otherWay: (ctx) =>
    Promise.resolve(allows(ctx, 'money') ? ctx.texts.customers.buttons.replaceOrRefund : undefined),
  carryOut: async (ctx, { subject, reason }, refund) => {
    const { core, texts } = ctx
    const { done } = texts.customers.changes.replace
    const replaced = await core.operator.orders.replace(by(ctx), { instanceNo: subject, reason, refund })
    const { status, newIp, newPort, refundAmount } = replaced
    const note =
      status === 'refunded'
        ? done.refunded(amount(refundAmount, core.currency))
        : status === 'done'
          ? done.done(addressOf({ ip: newIp ?? '', port: newPort ?? 0 }))
          : done.processing
    return proxyScreenFor(ctx, subject, note)
  },
}

const credentials: Change = {
  back: toProxy,
  ask: async (ctx, { subject }) => {
    const { instance, credentials: from } = await find(ctx, subject)
    if (from === undefined) throw new ServiceError('invalid_state')
    return from === 'stock'
      ? { text: ctx.texts.customers.askCredentials(addressOf(instance)), buttons: [] }
      : undefined
  },
  take: async ({ texts }, _asked, typed) =>
    /^[^\s:]+(:[^\s:]+)?$/.test(typed) ? { value: typed } : { problem: texts.customers.notACredential },
  preview: async (ctx, { subject }) => {
    const { instance, order } = await find(ctx, subject)
    return ctx.texts.customers.changes.credentials.preview(order.username, addressOf(instance))
  },
  carryOut: async (ctx, { subject, value, reason }) => {
    const { done } = ctx.texts.customers.changes.credentials
    const [password, username] = value?.split(':').toReversed() ?? []
    const given = { instanceNo: subject, reason, username, password }
    const { changed } = await ctx.core.operator.orders.giveCredentials(by(ctx), given)
    return proxyScreenFor(ctx, subject, changed ? done.now : done.asked)
  },
}

/** Ends proxies before their time, and gives nothing back (rules 16.6). */
function endOf(
  scopeOf: (ctx: BotContext, subject: string) => Promise<RefundScope>,
  back: (subject: string) => string,
  page: (ctx: BotContext, subject: string, note: Html) => Promise<Screen>,
): Change {
  return {
    told: true,
    back,
    preview: async (ctx, { subject }) => {
      const { active, username } = await ctx.core.operator.orders.quoteRefund(await scopeOf(ctx, subject))
      if (active === 0) throw new ServiceError('invalid_state')
      return ctx.texts.customers.changes.end.preview(username, active)
    },
    carryOut: async (ctx, { subject, reason }) => {
      const scope = await scopeOf(ctx, subject)
      const { ended } = await ctx.core.operator.orders.end(by(ctx), { ...scope, reason })
      return page(ctx, subject, ctx.texts.customers.changes.end.done(ended.length))
    },
  }
}

const scopeOfOrder = (_ctx: BotContext, orderNo: string) => Promise.resolve({ orderNo })
const scopeOfProxy = async (ctx: BotContext, instanceNo: string) => ({
  orderNo: (await find(ctx, instanceNo)).order.orderNo,
  instances: [instanceNo],
})
const orderPage = (ctx: BotContext, orderNo: string, note: Html) => orderScreenFor(ctx, orderNo, { note })

/** What can be changed of an order and its proxies. */
export const ORDER_CHANGES = {
  refundOrder: refundOf(
    scopeOfOrder,
    toOrder,
    async ({ texts }, _asked, ...words) => texts.customers.changes.refundOrder.preview(...words),
    orderPage,
  ),
  refund: refundOf(
    scopeOfProxy,
    toProxy,
    async (ctx, { subject }, ...words) =>
      ctx.texts.customers.changes.refund.preview(...words, addressOf((await find(ctx, subject)).instance)),
    proxyScreenFor,
  ),
  endOrder: endOf(scopeOfOrder, toOrder, orderPage),
  end: endOf(scopeOfProxy, toProxy, proxyScreenFor),
  replace,
  credentials,
} as const satisfies Partial<Readonly<Record<ChangeName, Change>>>
