import type { Actor } from '../../../core/access/actor.ts'
import { ServiceError } from '../../../core/errors.ts'
import { randomText } from '../../../core/ids.ts'
import { gigabytesFromText, MAX_GIGABYTES } from '../../../core/bytes.ts'
import { SubAccountName, type SubAccount } from '../../../core/traffic/sub-account.ts'
import { SUB_ACCOUNT } from '../../actions/traffic.ts'
import { ask, nextQuestion, type Question } from '../../dialogue/ask.ts'
import type { Action, Read } from '../../kit/action.ts'
import { wholeNumber } from '../../kit/parameters.ts'
import type { Screen } from '../../kit/screen.ts'
import { gigabytes, megabytesIn } from '../../kit/traffic-text.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { listAsLeft } from '../../session/list-as-left.ts'
import { viewOf } from '../../session/view-of.ts'
import { trafficOverview, trafficProductOf, trafficProductsOf } from './handlers.ts'
import type { TrafficProduct } from './products.ts'
import {
  ANY_NAME,
  askDeleteScreen,
  askPasswordScreen,
  confirmMoveScreen,
  firstTrafficPrompt,
  HOW_MUCH_TO_MOVE,
  type Move,
  moveAmountsScreen,
  namePrompt,
  secretScreen,
  SUB_ACCOUNTS_PER_PAGE,
  subAccountScreen,
  subAccountsScreen,
  typeMoveScreen,
} from './sub-account-screens.ts'

/** Sub-accounts of one's own traffic: list, make, give and take traffic, disable, new password, delete. */
export function subAccountsFeature(): Feature {
  const feature = new Feature()

  /** Handles a button about one sub-account; where that is gone, shows the products. */
  const onAccount = <Of extends typeof SUB_ACCOUNT.view.shape>(
    action: Action<Of>,
    screen: (
      ctx: BotContext,
      actor: Actor,
      found: Found,
      parameters: Read<Of>,
    ) => Promise<Screen | undefined> | Screen,
  ) =>
    feature.onMember(
      action,
      async (ctx, actor, parameters) => screen(ctx, actor, await find(ctx, actor, parameters.id), parameters),
      (ctx, actor) => trafficOverview(ctx, actor),
    )

  feature.onMember(SUB_ACCOUNT.list, (ctx, actor, { product, page }) => list(ctx, actor, product, page))
  onAccount(SUB_ACCOUNT.view, (ctx, _actor, found) => view(ctx, found))
  feature.onMember(SUB_ACCOUNT.create, async (ctx, actor, { product: id }) => {
    const product = await trafficProductOf(ctx, actor, id)
    if (!product?.flow) return trafficOverview(ctx, actor)
    await ask(ctx, howMuchAtFirst, product.productId)
    return undefined
  })

  onAccount(SUB_ACCOUNT.amounts, (ctx, _actor, { account, product }, { direction }) =>
    moveAmountsScreen(viewOf(ctx), account, product, direction),
  )
  onAccount(SUB_ACCOUNT.typeAmount, async (ctx, _actor, { account }, { direction }) => {
    await ask(ctx, howMuchToMove, { id: account.id, direction })
    return undefined
  })
  onAccount(SUB_ACCOUNT.confirmMove, (ctx, _actor, found, { direction, megabytes = 0 }) =>
    confirmMove(ctx, found, { direction, megabytes }),
  )
  feature.onMember(SUB_ACCOUNT.move, move, async (ctx, actor, { id }) =>
    view(ctx, await find(ctx, actor, id)),
  )

  onAccount(SUB_ACCOUNT.setStatus, async (ctx, actor, { account, product }, { status = 'active' }) => {
    const changed = await ctx.core.traffic.setSubAccountStatus(actor, account.id, { status })
    return view(ctx, { account: changed, product })
  })
  onAccount(SUB_ACCOUNT.askPassword, (ctx, _actor, { account }) => askPasswordScreen(viewOf(ctx), account))
  onAccount(SUB_ACCOUNT.setPassword, async (ctx, actor, { account }) =>
    secretScreen(
      viewOf(ctx),
      await ctx.core.traffic.setSubAccountPassword(actor, account.id),
      ctx.session.proxyFormat,
      'changed',
    ),
  )
  onAccount(SUB_ACCOUNT.askDelete, (ctx, _actor, { account }) => askDeleteScreen(viewOf(ctx), account))
  onAccount(SUB_ACCOUNT.remove, async (ctx, actor, { account, product }) => {
    const { returned } = await ctx.core.traffic.deleteSubAccount(actor, account.id)
    const { texts } = ctx
    await ctx.notify(texts.subAccounts.deleted(account.username, gigabytes(returned, texts)))
    return list(ctx, actor, product.productId)
  })
  return feature
}

/** The question how much traffic a new sub-account begins with. */
const howMuchAtFirst: Question<number> = {
  name: 'sub-account.first-traffic',
  prompt: async (ctx, actor, productId) => {
    const product = await trafficProductOf(ctx, actor, productId)
    return product ? firstTrafficPrompt(viewOf(ctx), product) : trafficOverview(ctx, actor)
  },
  answer: async (ctx, actor, productId, text) => {
    const amount = gigabytesFromText(text)
    const product = await trafficProductOf(ctx, actor, productId)
    const most = megabytesIn(product?.flow?.remaining ?? 0) / 1000
    const { notAnAmount, onlyLeft } = ctx.texts.subAccounts
    if (amount === undefined) return { problem: notAnAmount(text.slice(0, 40), most) }
    return amount > most
      ? { problem: onlyLeft(most) }
      : nextQuestion(whichName, { productId, megabytes: Math.round(amount * 1000) })
  },
  choose: (_ctx, _actor, productId, choice) =>
    nextQuestion(whichName, { productId, megabytes: wholeNumber.schema.parse(choice) ?? 0 }),
}

/** Product and first traffic of a new sub-account. */
interface NewAccount {
  readonly productId: number
  readonly megabytes: number
}

/** The login name; a name that is taken is asked for again. */
const whichName: Question<NewAccount> = {
  name: 'sub-account.name',
  prompt: (ctx, _actor, { productId, megabytes }) => namePrompt(viewOf(ctx), productId, megabytes),
  answer: async (ctx, actor, wanted, text) =>
    SubAccountName.safeParse(text).success
      ? { screen: await create(ctx, actor, wanted, text) }
      : { problem: ctx.texts.subAccounts.badName(text.slice(0, 40)) },
  choose: async (ctx, actor, wanted, choice) =>
    choice === ANY_NAME ? { screen: await create(ctx, actor, wanted) } : { problem: ctx.texts.useButtons },
}

/** How much goes to a sub-account, or back; the buttons offer the usual amounts. */
const howMuchToMove: Question<{ id: number; direction: Move['direction'] }> = {
  name: HOW_MUCH_TO_MOVE,
  presses: [],
  prompt: async (ctx, actor, { id, direction }) =>
    typeMoveScreen(viewOf(ctx), (await find(ctx, actor, id)).account, direction),
  answer: async (ctx, actor, { id, direction }, text) => {
    const amount = gigabytesFromText(text)
    if (!amount) return { problem: ctx.texts.subAccounts.notAnAmount(text.slice(0, 40), MAX_GIGABYTES) }
    const megabytes = Math.round(amount * 1000)
    return { screen: confirmMove(ctx, await find(ctx, actor, id), { direction, megabytes }) }
  },
}

export const subAccountQuestions = [howMuchAtFirst, whichName, howMuchToMove]

interface Found {
  readonly account: SubAccount
  readonly product: TrafficProduct
}

/** @throws sub_account_not_found, also when it is not the person's own */
async function find(ctx: BotContext, actor: Actor, id: number | undefined): Promise<Found> {
  const account = await ctx.core.traffic.getSubAccount(actor, id)
  const product = (await trafficProductsOf(ctx, actor)).find(
    ({ productNo }) => productNo === account.productNo,
  )
  if (account.userId !== actor.id || !product) throw new ServiceError('sub_account_not_found')
  return { account, product }
}

function view(ctx: BotContext, { account, product }: Found): Screen {
  return subAccountScreen(viewOf(ctx), account, product)
}

const accountsAsLeft = listAsLeft('subAccountsPage')

async function list(ctx: BotContext, actor: Actor, id?: number, page?: number): Promise<Screen> {
  const product = await trafficProductOf(ctx, actor, id)
  if (!product?.flow) return trafficOverview(ctx, actor)
  const { productNo } = product
  const listed = (number: number) =>
    ctx.core.traffic.listSubAccounts(actor, {
      userId: actor.id,
      productNo,
      page: number,
      pageSize: SUB_ACCOUNTS_PER_PAGE,
    })
  return subAccountsScreen(viewOf(ctx), product, await accountsAsLeft(ctx, page, listed))
}

async function create(
  ctx: BotContext,
  actor: Actor,
  { productId, megabytes }: NewAccount,
  username?: string,
): Promise<Screen> {
  const product = await trafficProductOf(ctx, actor, productId)
  if (!product) return trafficOverview(ctx, actor)
  const { productNo } = product
  const account = await ctx.core.traffic.createSubAccount(actor, {
    productNo,
    amount: megabytes / 1000,
    ...(username === undefined ? {} : { username }),
  })
  return secretScreen(viewOf(ctx), account, ctx.session.proxyFormat, 'created')
}

function confirmMove(ctx: BotContext, { account, product }: Found, wanted: Move): Screen {
  return wanted.megabytes > 0 && wanted.megabytes <= MAX_GIGABYTES * 1000
    ? confirmMoveScreen(viewOf(ctx), account, product, wanted, randomText(10))
    : moveAmountsScreen(viewOf(ctx), account, product, wanted.direction)
}

async function move(
  ctx: BotContext,
  actor: Actor,
  { id, direction, megabytes = 0, confirmationKey }: Read<typeof SUB_ACCOUNT.move.shape>,
): Promise<Screen> {
  const found = await find(ctx, actor, id)
  const amount = megabytes / 1000
  if (!confirmationKey || amount === 0) return view(ctx, found)
  await ctx.core.traffic.adjustSubAccountTraffic(actor, found.account.id, {
    amount: direction === 'give' ? amount : -amount,
    requestKey: `chat-${confirmationKey}`,
  })
  await ctx.notify(ctx.texts.subAccounts.move.done)
  return view(ctx, await find(ctx, actor, found.account.id))
}
