import { adjusted } from '../../../core/accounts/plan-adjustment.ts'
import type { Customer } from '../../../core/customers/show-customer.ts'
import { toNumber } from '../../../core/money.ts'
import { AGENTS } from '../../actions/agents.ts'
import { type ChangeName, CUSTOMERS } from '../../actions/customers.ts'
import { amount, balanceText, signed } from '../../kit/format.ts'
import { amountIn } from '../../kit/typed-number.ts'
import type { BotContext } from '../../session/context.ts'
import { by } from '../../session/operator-chat.ts'
import { type Html, lines } from '../../texts/html.ts'
import type { Texts } from '../../texts/index.ts'
import type { Change } from './change.ts'
import { linkNote } from './forms.ts'
import { customerScreenFor } from './pages.ts'

/** Agents that are offered by buttons. */
const AGENTS_SHOWN = 6
/** Deleted sub-users whose names are shown. */
const DELETED_SHOWN = 10
/** Answer and value for no agent: the shop itself. */
const SHOP = '-'

type Words = Texts['customers']['changes']

/** Makes a change of an account that needs only a reason. */
function plain(
  preview: (words: Words, customer: Customer, ctx: BotContext) => Html,
  work: (ctx: BotContext, change: { username: string; reason: string }) => Promise<Html>,
): Change {
  return {
    back,
    preview: async (ctx, { subject }) => preview(ctx.texts.customers.changes, await find(ctx, subject), ctx),
    carryOut: async (ctx, { subject, reason }) => {
      const { username } = await find(ctx, subject)
      return customerScreenFor(ctx, Number(subject), await work(ctx, { username, reason }))
    },
  }
}

function back(subject: string): string {
  return CUSTOMERS.customer.data({ id: Number(subject) || 0 })
}

/** @throws user_not_found */
function find({ core }: BotContext, subject: string): Promise<Customer> {
  return core.operator.customers.show(Number(subject) || 0)
}

const adjust: Change = {
  back,
  told: true,
  ask: async (ctx, { subject }) => {
    const { username, balance } = await find(ctx, subject)
    return {
      text: ctx.texts.customers.askAmount(username, balanceText(balance, ctx.core.currency)),
      buttons: [],
    }
  },
  take: async (ctx, { subject }, typed) => {
    const change = amountIn(typed, ctx.core.currency)
    if (change === undefined || change === 0) return { problem: ctx.texts.customers.notAnAmount }
    adjusted((await find(ctx, subject)).balance, change)
    return { value: String(change) }
  },
  preview: async (ctx, { subject, value }) => {
    const { username, balance } = await find(ctx, subject)
    const { currency } = ctx.core
    const change = Number(value)
    const before = balanceText(balance, currency)
    const after = balanceText(adjusted(balance, change), currency)
    const { preview, aboutPaid } = ctx.texts.customers.changes.adjust
    return lines(preview(username, signed(change, currency), before, after), '', aboutPaid)
  },
  otherWay: (ctx, { value }) =>
    Promise.resolve(ctx.texts.customers.changes.adjust.paid(Number(value) > 0 ? 'in' : 'out')),
  carryOut: async (ctx, { subject, value, reason, key }, paid) => {
    const { operator, currency } = ctx.core
    const { username } = await find(ctx, subject)
    const adjustment = { username, amount: toNumber(Number(value)), remark: reason, paid, requestKey: key }
    const { newBalance } = await operator.adjustBalance(by(ctx), adjustment)
    const { done } = ctx.texts.customers.changes.adjust
    return customerScreenFor(ctx, Number(subject), done(balanceText(newBalance, currency)))
  },
}

const move: Change = {
  back,
  ask: async (ctx, { subject }) => {
    const { customers } = ctx.texts
    const { username, agent } = await find(ctx, subject)
    const agents = (await ctx.core.operator.listAgents()).filter(
      (one) => one.status === 'active' && one.username !== agent,
    )
    return {
      text: customers.askAgent(username, agent ?? customers.shop),
      buttons: [
        ...agents
          .slice(0, AGENTS_SHOWN)
          .map(({ id, username: name }) => [{ text: `🤝 ${name}`, name, answer: `#${id}` }]),
        agent === null ? [] : [{ text: customers.shop, answer: SHOP }],
      ],
    }
  },
  take: async (ctx, _asked, typed) => {
    const agents = await ctx.core.operator.listAgents()
    const named = agents.find(({ id, username }) => `#${id}` === typed || username === typed)
    if (typed === SHOP) return { value: SHOP }
    if (named) return { value: named.username }
    const customer = await ctx.core.operator.customers.show(typed)
    return customer.role === 'agent'
      ? { value: customer.username }
      : { problem: ctx.texts.customers.notAnAgent }
  },
  preview: async (ctx, { subject, value = SHOP }) => {
    const { customers } = ctx.texts
    const { username, agent } = await find(ctx, subject)
    const to = value === SHOP ? customers.shop : value
    return customers.changes.move.preview(username, agent ?? customers.shop, to)
  },
  carryOut: async (ctx, { subject, value = SHOP, reason }) => {
    const { customers } = ctx.texts
    const { username } = await find(ctx, subject)
    const agent = value === SHOP ? null : value
    const { ended } = await ctx.core.operator.customers.move(by(ctx), { username, agent, reason })
    const { done, noPassword } = customers.changes.move
    const text = lines(done(agent ?? customers.shop), ended.password === undefined ? undefined : noPassword)
    return customerScreenFor(ctx, Number(subject), text)
  },
}

const clear: Change = {
  back: (subject) => AGENTS.agent.data({ id: Number(subject) || 0 }),
  preview: async (ctx, { subject }) => {
    const { currency, operator } = ctx.core
    const { clear: words } = ctx.texts.customers.changes
    const { username } = await find(ctx, subject)
    const left = await operator.leftWithDeleted(username)
    return lines(
      words.preview(username, left.length, amount(totalOf(left), currency)),
      ...left
        .slice(0, DELETED_SHOWN)
        .map((user) => words.user(user.username, amount(user.balance, currency))),
      left.length > DELETED_SHOWN ? words.more(left.length - DELETED_SHOWN) : undefined,
    )
  },
  carryOut: async (ctx, { subject, reason }) => {
    const { username } = await find(ctx, subject)
    const cleared = await ctx.core.operator.clearDeleted(by(ctx), { username, reason })
    const total = amount(totalOf(cleared), ctx.core.currency)
    return customerScreenFor(ctx, Number(subject), ctx.texts.customers.changes.clear.done(total))
  },
}

function totalOf(left: readonly { readonly balance: number }[]): number {
  return left.reduce((sum, { balance }) => sum + balance, 0)
}

/** What can be changed of an account. */
export const CUSTOMER_CHANGES = {
  adjust,
  move,
  clear,
  link: plain(({ link }, { username }) => link.preview(username), linkNote),
  logOut: plain(
    ({ logOut }, { username }) => logOut.preview(username),
    async (ctx, change) => {
      await ctx.core.operator.customers.logOut(by(ctx), change)
      return ctx.texts.customers.changes.logOut.done
    },
  ),
  disable: plain(
    ({ disable }, { username, activeProxies }) => disable.preview(username, activeProxies),
    async (ctx, change) => {
      await ctx.core.operator.customers.disable(by(ctx), change)
      return ctx.texts.customers.changes.disable.done
    },
  ),
  enable: plain(
    ({ enable }, { username }) => enable.preview(username),
    async (ctx, change) => {
      await ctx.core.operator.customers.enable(by(ctx), change)
      return ctx.texts.customers.changes.enable.done
    },
  ),
  delete: plain(
    (words, { username, balance }, { core }) =>
      words.delete.preview(username, amount(balance, core.currency)),
    async (ctx, change) => {
      await ctx.core.operator.customers.delete(by(ctx), change)
      return ctx.texts.customers.changes.delete.done
    },
  ),
} as const satisfies Partial<Readonly<Record<ChangeName, Change>>>
