import { InputFile } from 'grammy'
import { isCountryCode } from '../../../core/catalog/country-code.ts'
import { linesWithoutAddress } from '../../../core/catalog/proxy-list.ts'
import { OWN_STOCK } from '../../../core/catalog/product.ts'
import { writePlainCsv } from '../../../core/csv.ts'
import { toNumber } from '../../../core/money.ts'
import { STOCK } from '../../actions/stock.ts'
import { ask, nextQuestion, type OperatorQuestion, type Outcome } from '../../dialogue/ask.ts'
import { amountIn } from '../../kit/typed-number.ts'
import type { Screen } from '../../kit/screen.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { allows, askedIn, isOperatorChat } from '../../session/operator-chat.ts'
import { remove } from '../../session/show.ts'
import { viewOf } from '../../session/view-of.ts'
import { html } from '../../texts/html.ts'
import {
  forget,
  keep,
  keepFile,
  keepText,
  missing,
  obviousUse,
  readSent,
  type Sent,
  sentList,
} from './list.ts'
import { carryOut, ownProducts, plan, refusable } from './plan.ts'
import {
  COST,
  endScreen,
  PASTED,
  placePrompt,
  productsScreen,
  refusedScreen,
  stockScreen,
  useScreen,
} from './screens.ts'

const COLUMNS = ['ip', 'port', 'username', 'password']

/** The stock: a list that is sent is tried out, shown and, when that is confirmed, carried out (rules 10.7, 10.8). */
export function stockFeature(): Feature {
  const feature = new Feature(isOperatorChat)
  const home = async (ctx: BotContext) => ctx.show(await stockScreenFor(ctx))
  feature.command('stock', home)
  feature.on(STOCK.home, home)
  feature.on(STOCK.resting, sendResting)
  feature.commands.on('message:document', async (ctx, next) => {
    const { document, message_id: messageId } = ctx.message
    if (!allows(ctx, 'stock')) return next()
    // In a group, people also send each other files.
    if (ctx.chat.type !== 'private' && !/\.(csv|txt)$/i.test(document.file_name ?? '')) return next()
    await remove(ctx.api, ctx.chat.id, messageId)
    return goOn(ctx, await keepFile(ctx, document.file_id))
  })
  feature.on(STOCK.use, (ctx, { list, use }) => change(ctx, list, { use }))
  feature.on(STOCK.product, (ctx, { list, productNo }) => change(ctx, list, { productNo, place: undefined }))
  feature.on(STOCK.products, async (ctx, { list, page }) => {
    const sent = await sentList(ctx, list)
    const read = sent && (await readSent(ctx, sent))
    if (!sent || !read || 'problem' in read) return gone(ctx)
    return ctx.show(productsScreen(viewOf(ctx), sent, read, await ownProducts(ctx), page))
  })
  feature.on(STOCK.carryOut, async (ctx, { list }) => {
    const sent = await sentList(ctx, list)
    if (!sent?.use) return gone(ctx)
    const read = await readSent(ctx, sent)
    if ('problem' in read) return ctx.show(endScreen(ctx.texts, html`⚠️ ${read.problem}`))
    const screen = await refusable(ctx, read, () => carryOut(ctx, sent, read))
    await forget(ctx)
    return ctx.show(screen)
  })
  return feature
}

async function gone(ctx: BotContext): Promise<unknown> {
  await ctx.notify(ctx.texts.stock.gone, true)
  return ctx.show(await stockScreenFor(ctx))
}

async function stockScreenFor(ctx: BotContext): Promise<Screen> {
  const { core, texts, chat } = ctx
  const change = chat?.type === 'private' ? 'by files and pasting' : 'by files'
  return stockScreen(texts, await core.operator.listStock(), allows(ctx, 'stock') ? change : 'may not')
}

/** Sends the resting proxies as a file, to be completed with new credentials. */
async function sendResting(ctx: BotContext): Promise<unknown> {
  const resting = await ctx.core.operator.listResting()
  if (resting.length === 0) return ctx.notify(ctx.texts.stock.noneResting, true)
  const rows = resting.map(({ ip, port, username }) => [ip, String(port), username, ''])
  return ctx.replyWithDocument(new InputFile(Buffer.from(writePlainCsv([COLUMNS, ...rows])), 'resting.csv'), {
    caption: ctx.texts.stock.restingFile(resting.length),
    parse_mode: 'HTML',
  })
}

/** Stores a choice for a list, then asks or shows what comes next. */
async function change(ctx: BotContext, list: string | undefined, chosen: Partial<Sent>): Promise<unknown> {
  const sent = await sentList(ctx, list)
  return sent ? goOn(ctx, await keep(ctx, { ...sent, ...chosen })) : gone(ctx)
}

async function goOn(ctx: BotContext, sent: Sent): Promise<unknown> {
  const outcome = await nextStep(ctx, sent)
  return 'screen' in outcome ? ctx.show(outcome.screen) : ask(ctx, placeOfAll, { list: sent.id })
}

/** Asks what is not known yet of a list, or shows what would be done with it. */
async function nextStep(ctx: BotContext, given: Sent): Promise<Outcome> {
  const { texts } = ctx
  const read = await readSent(ctx, given)
  if ('problem' in read) return { screen: endScreen(texts, html`⚠️ ${read.problem}`) }
  const unread = linesWithoutAddress(read.list)
  if (unread.length > 0) {
    const { line, reasons } = texts.stock
    return {
      screen: refusedScreen(
        texts,
        unread.map((at) => line(at, reasons.bad_ip)),
      ),
    }
  }
  const use = given.use ?? (ctx.callbackQuery ? undefined : obviousUse(read))
  let sent = use === given.use ? given : await keep(ctx, { ...given, use })
  if (missing(sent, read) === 'product') {
    const products = await ownProducts(ctx)
    const [only] = products
    if (products.length !== 1 || !only)
      return { screen: productsScreen(viewOf(ctx), sent, read, products, 1) }
    sent = await keep(ctx, { ...sent, productNo: only.productNo })
  }
  switch (missing(sent, read)) {
    case 'use':
      return { screen: useScreen(texts, sent, read) }
    case 'place':
      return nextQuestion(placeOfAll, { list: sent.id })
    default:
      return { screen: await refusable(ctx, read, () => plan(ctx, sent, read)) }
  }
}

/** The question that takes a pasted list. Only screens take it, never a dialogue: a dialogue would store the credentials. */
const pasted: OperatorQuestion<null> = {
  name: PASTED,
  presses: [],
  forOperator: true,
  prompt: stockScreenFor,
  answer: async (ctx, _actor, _state, text) => nextStep(ctx, await keepText(ctx, text)),
}

/** The question for the monthly cost of each proxy, typed at the preview of an import. */
const costOfEach: OperatorQuestion<{ list: string }> = {
  name: COST,
  presses: [],
  forOperator: true,
  prompt: async (ctx, _actor, { list }) => {
    const sent = await sentList(ctx, list)
    const outcome = sent && (await nextStep(ctx, sent))
    return outcome && 'screen' in outcome
      ? outcome.screen
      : endScreen(ctx.texts, html`⚠️ ${ctx.texts.stock.gone}`)
  },
  answer: async (ctx, _actor, { list }, text) => {
    const { texts, core } = ctx
    const cost = amountIn(text, core.currency)
    if (cost === undefined || cost < 0) return { problem: texts.stock.notACost }
    const sent = await sentList(ctx, list)
    if (!sent) return { screen: endScreen(texts, html`⚠️ ${texts.stock.gone}`) }
    return nextStep(ctx, await keep(ctx, { ...sent, cost: toNumber(cost) }))
  },
}

/** The question for the place of all proxies of a list. */
const placeOfAll: OperatorQuestion<{ list: string }> = {
  name: 'stock.place',
  forOperator: true,
  prompt: async (ctx, _actor, { list }) => {
    const sent = await sentList(ctx, list)
    const read = sent && (await readSent(ctx, sent))
    if (!read || 'problem' in read) return endScreen(ctx.texts, html`⚠️ ${ctx.texts.stock.gone}`)
    const places = (await ctx.core.operator.listStock()).filter(
      ({ productNo, supplier }) => productNo === sent.productNo && supplier === OWN_STOCK,
    )
    return askedIn(ctx, placePrompt(viewOf(ctx), read, places))
  },
  answer: takePlace,
  choose: takePlace,
}

async function takePlace(
  ctx: BotContext,
  _actor: undefined,
  { list }: { list: string },
  text: string,
): Promise<Outcome> {
  const [country = '', state = '-', city = '-', ...more] = text.toUpperCase().split(/[\s,，]+/)
  if (!isCountryCode(country) || more.length > 0) return { problem: ctx.texts.stock.notAPlace }
  const sent = await sentList(ctx, list)
  if (!sent) return { screen: endScreen(ctx.texts, html`⚠️ ${ctx.texts.stock.gone}`) }
  const code = (given: string) => (given === '-' ? '' : given)
  const place = { country_code: country, state: code(state), city_code: code(city) }
  return nextStep(ctx, await keep(ctx, { ...sent, place }))
}

export const stockQuestions = [pasted, placeOfAll, costOfEach]
