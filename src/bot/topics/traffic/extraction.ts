import { InputFile } from 'grammy'
import type { Actor } from '../../../core/access.ts'
import { countriesLike } from '../../../core/catalog/countries-like.ts'
import { halfWidth } from '../../../core/half-width.ts'
import { randomText } from '../../../core/ids.ts'
import type { Extraction } from '../../../core/traffic/extract-proxies.ts'
import { EXTRACT_LIMITS } from '../../../core/traffic/extraction-input.ts'
import { ask, type Question } from '../../dialogue/ask.ts'
import type { Action, Read } from '../../kit/action.ts'
import { productName } from '../../kit/format.ts'
import { wholeNumber } from '../../kit/parameters.ts'
import type { Screen } from '../../kit/screen.ts'
import type { BotContext } from '../../session/context.ts'
import type { ButtonContext } from '../../session/feature.ts'
import { Feature } from '../../session/feature.ts'
import { viewOf } from '../../session/view-of.ts'
import { EXTRACT } from './actions.ts'
import {
  EXTRACT_QUESTION,
  type ExtractionForm,
  extractionInput,
  type FORM,
  formOf,
} from './extraction-form.ts'
import {
  countryScreen,
  extractedScreen,
  extractionFormScreen,
  formatsScreen,
  linesOf,
  linkScreen,
  linksScreen,
  MAX_SHOWN,
  minutesScreen,
  quantityScreen,
  revokeScreen,
  typeScreen,
} from './extraction-screens.ts'
import { productScreen, trafficOverview, trafficProductOf } from './handlers.ts'
import type { TrafficProduct } from './products.ts'

/** Characters of base 32: the link that a secret stands for cannot be guessed. */
const SECRET_LENGTH = 20
/** Countries that a typed name leaves to choose from. */
const MAX_FOUND = 16

/** Getting proxies out of traffic: one form, and what comes of it in the chat, as a file or as a public link. */
export function extractionFeature(): Feature {
  const feature = new Feature()

  /** A button that carries a form of a product which the person has, and perhaps a secret; else the products are shown. */
  const onForm = <Of extends typeof FORM>(
    action: Action<Of>,
    screen: (
      ctx: ButtonContext,
      actor: Actor,
      form: ExtractionForm,
      product: TrafficProduct,
      parameters: Read<Of>,
    ) => Promise<Screen | undefined> | Screen,
  ) =>
    feature.onMember(
      action,
      async (ctx, actor, parameters) => {
        const form = formOf(parameters, ctx.session.proxyFormat)
        const product = form && (await trafficProductOf(ctx, actor, form.productId))
        return form && product?.flow
          ? screen(ctx, actor, form, product, parameters)
          : productScreen(ctx, actor, parameters.productId)
      },
      (ctx, actor, { productId }) => productScreen(ctx, actor, productId),
    )

  onForm(EXTRACT.form, (ctx, _actor, form, product) => freshForm(ctx, form, product))
  onForm(EXTRACT.countries, (ctx, _actor, form, product) => countryScreen(viewOf(ctx), form, product))
  onForm(EXTRACT.minutes, (ctx, _actor, form) => minutesScreen(viewOf(ctx), form))
  onForm(EXTRACT.quantities, (ctx, _actor, form) => quantityScreen(viewOf(ctx), form))
  onForm(EXTRACT.formats, (ctx, _actor, form) => formatsScreen(viewOf(ctx), form))
  for (const [action, question] of [
    [EXTRACT.typeCountry, whichCountry],
    [EXTRACT.typeMinutes, howManyMinutes],
    [EXTRACT.typeQuantity, howManyProxies],
  ] as const) {
    onForm(action, async (ctx, _actor, form) => {
      await ask(ctx, question, form)
      return undefined
    })
  }

  onForm(EXTRACT.show, async (ctx, actor, form, product) => {
    const extraction = await extract(ctx, actor, form, product)
    if (form.quantity <= MAX_SHOWN) return extractedScreen(viewOf(ctx), form, product, extraction)
    return sendAsFile(ctx, extraction, product)
  })
  onForm(EXTRACT.file, async (ctx, actor, form, product) =>
    sendAsFile(ctx, await extract(ctx, actor, form, product), product),
  )
  onForm(EXTRACT.link, async (ctx, actor, form, product, { linkSecret }) => {
    if (linkSecret?.length !== SECRET_LENGTH) return freshForm(ctx, form, product)
    if (ctx.linkBase === undefined) {
      await ctx.notify(ctx.texts.extraction.link.unreachable, true)
      return undefined
    }
    const input = extractionInput(form, product.productNo)
    const asLink = { ...input, extractConfig: { ...input.extractConfig, method: 'api' as const } }
    const { linkToken } = await ctx.core.traffic.extract(actor, 'any', asLink, { linkSecret })
    return linkScreen(viewOf(ctx), form, product, ctx.linkBase + linkToken)
  })

  feature.onMember(EXTRACT.links, links)
  feature.onMember(EXTRACT.askRevoke, async (ctx, actor, { id, ...list }) => {
    const link = (await ctx.core.traffic.listLinks(actor)).find((each) => each.id === id)
    if (link) return revokeScreen(viewOf(ctx), link, list)
    await ctx.notify(ctx.texts.extraction.link.gone)
    return links(ctx, actor, list)
  })
  feature.onMember(EXTRACT.revoke, async (ctx, actor, { id = 0, ...list }) => {
    const known = (await ctx.core.traffic.listLinks(actor)).some((each) => each.id === id)
    if (known) await ctx.core.traffic.revokeLink(actor, { id })
    await ctx.notify(known ? ctx.texts.extraction.link.ended : ctx.texts.extraction.link.gone)
    return links(ctx, actor, list)
  })
  return feature
}

/** Which country; the buttons offer the usual ones. */
const whichCountry: Question<ExtractionForm> = {
  name: EXTRACT_QUESTION.country,
  presses: [],
  prompt: (ctx, _actor, form) => typeScreen(viewOf(ctx), form, 'country'),
  answer: async (ctx, actor, form, text) => {
    const typed = text.slice(0, 40)
    const product = await trafficProductOf(ctx, actor, form.productId)
    const { countries = [] } = product ?? {}
    const codes = countriesLike(typed).filter((code) => countries.length === 0 || countries.includes(code))
    const [countryCode, ...others] = codes
    if (countryCode === undefined) return { problem: ctx.texts.extraction.unknownCountry(typed) }
    if (codes.length > MAX_FOUND) return { problem: ctx.texts.extraction.tooManyCountries(typed) }
    if (others.length > 0)
      return { screen: countryScreen(viewOf(ctx), form, { countries }, { codes, typed }) }
    return { screen: await formScreen(ctx, actor, { ...form, countryCode }) }
  },
}

/** For how long a sticky proxy keeps its exit. */
const howManyMinutes = wholeNumberQuestion('minutes', EXTRACT_LIMITS.minutes)
/** How many proxies. */
const howManyProxies = wholeNumberQuestion('quantity', EXTRACT_LIMITS.quantity)

export const extractionQuestions = [whichCountry, howManyMinutes, howManyProxies]

function wholeNumberQuestion(what: 'minutes' | 'quantity', most: number): Question<ExtractionForm> {
  return {
    name: EXTRACT_QUESTION[what],
    presses: [],
    prompt: (ctx, _actor, form) => typeScreen(viewOf(ctx), form, what),
    answer: async (ctx, actor, form, text) => {
      const number = wholeNumber.schema.parse(halfWidth(text)) ?? 0
      return number >= 1 && number <= most
        ? { screen: await formScreen(ctx, actor, { ...form, [what]: number }) }
        : { problem: ctx.texts.extraction.notANumber(text.slice(0, 40), most) }
    },
  }
}

async function formScreen(ctx: BotContext, actor: Actor, form: ExtractionForm): Promise<Screen> {
  const product = await trafficProductOf(ctx, actor, form.productId)
  return product ? freshForm(ctx, form, product) : trafficOverview(ctx, actor)
}

function freshForm(ctx: BotContext, form: ExtractionForm, product: TrafficProduct): Screen {
  return extractionFormScreen(viewOf(ctx), form, product, randomText(SECRET_LENGTH))
}

function extract(
  { core }: BotContext,
  actor: Actor,
  form: ExtractionForm,
  { productNo }: TrafficProduct,
): Promise<Extraction> {
  return core.traffic.extract(actor, 'any', extractionInput(form, productNo))
}

async function sendAsFile(
  ctx: BotContext,
  { text, items }: Extraction,
  product: TrafficProduct,
): Promise<undefined> {
  const name = productName(product, ctx.session.language)
  const content = linesOf(text).map((line) => `${line}\n`)
  await ctx.replyWithDocument(new InputFile(Buffer.from(content.join('')), 'proxies.txt'), {
    caption: ctx.texts.extraction.fileCaption(items.length, name),
    parse_mode: 'HTML',
  })
}

async function links(
  ctx: BotContext,
  actor: Actor,
  { page, product }: Read<typeof EXTRACT.links.shape>,
): Promise<Screen> {
  return linksScreen(viewOf(ctx), await ctx.core.traffic.listLinks(actor), page, product)
}
