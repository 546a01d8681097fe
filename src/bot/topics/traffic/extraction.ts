import { InputFile } from 'grammy'
import type { Actor } from '../../../core/access/actor.ts'
import { countriesLike } from '../../../core/catalog/countries-like.ts'
import { randomText } from '../../../core/ids.ts'
import type { Extraction } from '../../../core/traffic/extract-proxies.ts'
import { EXTRACT_LIMITS } from '../../../core/traffic/extraction-input.ts'
import { translationIn } from '../../../core/translations.ts'
import { type ExtractionForm, type FORM, formOf, isUnfilled } from '../../actions/extraction-form.ts'
import { EXTRACT } from '../../actions/traffic.ts'
import type { Outcome, Question } from '../../dialogue/ask.ts'
import type { Action, Read } from '../../kit/action.ts'
import type { Screen } from '../../kit/screen.ts'
import { countIn } from '../../kit/typed-number.ts'
import { typedWords } from '../../kit/typed-words.ts'
import type { BotContext } from '../../session/context.ts'
import { type ButtonContext, Feature } from '../../session/feature.ts'
import { viewOf } from '../../session/view-of.ts'
import { EXTRACTING, type Extracting, extractionInput, rememberedForm } from './extraction-form.ts'
import {
  countryScreen,
  extractedScreen,
  extractionFormScreen,
  formatsScreen,
  linesOf,
  linkScreen,
  linksScreen,
  MAX_SHOWN_CHARACTERS,
  minutesScreen,
  oneLinkScreen,
  quantityScreen,
} from './extraction-screens.ts'
import { productScreen, trafficOverview, trafficProductOf } from './handlers.ts'
import type { TrafficProduct } from './products.ts'

/** Characters of base 32: the link that a secret stands for cannot be guessed. */
const SECRET_LENGTH = 20
/** Most countries that a typed name may leave to choose from. */
const MAX_FOUND = 16

/** Getting proxies out of traffic: one form, and what comes of it in the chat, as a file or as a public link. */
export function extractionFeature(): Feature {
  const feature = new Feature()

  /** Handles a button that carries a form; a person without traffic of its product gets the product's own screen. */
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
        const filled = formOf(parameters, ctx.session.proxyFormat)
        const product = filled && (await trafficProductOf(ctx, actor, filled.productId))
        const form = product && isUnfilled(parameters) ? await lastForm(ctx, actor, filled, product) : filled
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
  // Buttons of earlier versions.
  onForm(EXTRACT.typeCountry, (ctx, _actor, form, product) => countryScreen(viewOf(ctx), form, product))
  onForm(EXTRACT.typeMinutes, (ctx, _actor, form) => minutesScreen(viewOf(ctx), form))
  onForm(EXTRACT.typeQuantity, (ctx, _actor, form) => quantityScreen(viewOf(ctx), form))

  onForm(EXTRACT.show, async (ctx, actor, form, product) => {
    const extraction = await extract(ctx, actor, form, product)
    if ((extraction.text?.length ?? 0) <= MAX_SHOWN_CHARACTERS)
      return extractedScreen(viewOf(ctx), form, product, extraction)
    return sendAsFile(ctx, extraction, product)
  })
  onForm(EXTRACT.file, async (ctx, actor, form, product) =>
    sendAsFile(ctx, await extract(ctx, actor, form, product), product),
  )
  onForm(EXTRACT.link, async (ctx, actor, form, product, { linkSecret }) => {
    if (linkSecret?.length !== SECRET_LENGTH) return freshForm(ctx, form, product)
    if (ctx.linkBases === undefined) {
      await ctx.notify(ctx.texts.extraction.link.unreachable, true)
      return undefined
    }
    const input = extractionInput(form, product.productNo)
    const asLink = { ...input, extractConfig: { ...input.extractConfig, method: 'api' as const } }
    const { linkToken } = await ctx.core.traffic.extract(actor, 'any', asLink, { linkSecret })
    return linkScreen(viewOf(ctx), form, product, ctx.linkBases.traffic + linkToken)
  })

  feature.onMember(EXTRACT.links, links)
  feature.onMember(EXTRACT.askRevoke, async (ctx, actor, { id, ...list }) => {
    const link = (await ctx.core.traffic.listLinks(actor)).find((each) => each.id === id)
    if (link) {
      const url = ctx.linkBases && link.token && ctx.linkBases.traffic + link.token
      return oneLinkScreen(viewOf(ctx), link, url, list)
    }
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

/**
 * The conversation of an extraction: its buttons, and a number, a country or a time that is typed at the form or at one of its lists.
 */
export const extracting: Question<Extracting> = {
  name: EXTRACTING,
  presses: [
    EXTRACT.form,
    EXTRACT.countries,
    EXTRACT.minutes,
    EXTRACT.quantities,
    EXTRACT.formats,
    EXTRACT.show,
    EXTRACT.file,
    EXTRACT.link,
  ],
  prompt: async (ctx, actor, { form, asks }) => {
    const view = viewOf(ctx)
    if (asks === 'minutes') return minutesScreen(view, form)
    if (asks === 'quantity') return quantityScreen(view, form)
    const product = await trafficProductOf(ctx, actor, form.productId)
    if (!product) return trafficOverview(ctx, actor)
    return asks === 'country' ? countryScreen(view, form, product) : freshForm(ctx, form, product)
  },
  answer: async (ctx, actor, { form, asks }, text) => {
    const minutes = asks === 'minutes' ? countIn(text) : minutesIn(text)
    const number = minutes ?? countIn(text)
    if (number === undefined && asks !== 'minutes' && asks !== 'quantity')
      return takeCountry(ctx, actor, form, text)
    const what = asks === 'minutes' || minutes !== undefined ? 'minutes' : 'quantity'
    const most = EXTRACT_LIMITS[what]
    return number !== undefined && number >= 1 && number <= most
      ? { screen: await formScreen(ctx, actor, { ...form, [what]: number }) }
      : { problem: ctx.texts.extraction.notANumber(text.slice(0, 40), most) }
  },
}

export const extractionQuestions = [extracting]

const LASTING = new RegExp(
  String.raw`^([\d０-９]{1,4})\s*(?:(${typedWords('hour')})|${typedWords('minute')})$`,
  'i',
)

/** `30 min`, `30分钟`, `30 мин`, `2h`: for how long a sticky proxy keeps its exit. */
function minutesIn(text: string): number | undefined {
  const [, number, hours] = LASTING.exec(text.trim()) ?? []
  const count = number === undefined ? undefined : countIn(number)
  return count === undefined ? undefined : count * (hours === undefined ? 1 : 60)
}

async function takeCountry(
  ctx: BotContext,
  actor: Actor,
  form: ExtractionForm,
  text: string,
): Promise<Outcome> {
  const typed = text.slice(0, 40)
  const { countries = [] } = (await trafficProductOf(ctx, actor, form.productId)) ?? {}
  const codes = countriesLike(typed).filter((code) => countries.length === 0 || countries.includes(code))
  const [countryCode, ...others] = codes
  if (countryCode === undefined) return { problem: ctx.texts.extraction.unknownCountry(typed) }
  if (codes.length > MAX_FOUND) return { problem: ctx.texts.extraction.tooManyCountries(typed) }
  return others.length > 0
    ? { screen: countryScreen(viewOf(ctx), form, { countries }, { codes, typed }) }
    : { screen: await formScreen(ctx, actor, { ...form, countryCode }) }
}

/** The form of the last extraction of the product; a new one when there was none. */
async function lastForm(
  ctx: BotContext,
  actor: Actor,
  fresh: ExtractionForm,
  { productId, productNo }: TrafficProduct,
): Promise<ExtractionForm> {
  const habits = await ctx.core.accounts.habits(actor, 'extraction')
  return rememberedForm(productId, productNo, habits) ?? fresh
}

async function formScreen(ctx: BotContext, actor: Actor, form: ExtractionForm): Promise<Screen> {
  const product = await trafficProductOf(ctx, actor, form.productId)
  return product ? freshForm(ctx, form, product) : trafficOverview(ctx, actor)
}

function freshForm(ctx: BotContext, form: ExtractionForm, product: TrafficProduct): Screen {
  return extractionFormScreen(viewOf(ctx), form, product, randomText(SECRET_LENGTH))
}

/** Extracts proxies, and remembers the form for the next time. */
async function extract(
  { core }: BotContext,
  actor: Actor,
  form: ExtractionForm,
  { productNo }: TrafficProduct,
): Promise<Extraction> {
  const extraction = await core.traffic.extract(actor, 'any', extractionInput(form, productNo))
  const { productId: _id, ...choice } = form
  await core.accounts.keepHabit(actor, 'extraction', { productNo, choice })
  return extraction
}

async function sendAsFile(
  ctx: BotContext,
  { text, items }: Extraction,
  product: TrafficProduct,
): Promise<undefined> {
  const name = translationIn(product.names, ctx.session.language)
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
