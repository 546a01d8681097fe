import { isDynamic, OWN_STOCK } from '../../../core/catalog/product.ts'
import { namesOf } from '../../../core/catalog/proxy-list.ts'
import { InvalidInput, ServiceError } from '../../../core/errors.ts'
import { translationIn } from '../../../core/translations.ts'
import { issueText, refusalText } from '../../kit/errors.ts'
import { amount, placeName } from '../../kit/format.ts'
import type { Screen } from '../../kit/screen.ts'
import { someOf } from '../../kit/some-of.ts'
import type { BotContext } from '../../session/context.ts'
import { by } from '../../session/operator-chat.ts'
import { html, type Html } from '../../texts/html.ts'
import type { Texts } from '../../texts/index.ts'
import { badLinesOf, filledBy, type ReadList, type Sent } from './list.ts'
import { endScreen, planScreen, refusedScreen } from './screens.ts'

/** Returns the products into which lists can be imported. */
export async function ownProducts({ core }: BotContext) {
  const products = await core.operator.listProducts()
  return products.filter(({ supplier, proxyType }) => supplier === OWN_STOCK && !isDynamic(proxyType))
}

/** Shows what the chosen use would change, without changing it. */
export async function plan(ctx: BotContext, sent: Sent, read: ReadList): Promise<Screen> {
  const { core, texts, session } = ctx
  const { stock } = texts
  const { use = 'import' } = sent
  const heading = [stock.sent(read.proxies), ''] as const
  if (use === 'update') {
    const { updated } = await core.operator.updateStock(by(ctx), read.text, true, {})
    return planScreen(texts, sent, use, updated, [...heading, stock.plan.update(updated)])
  }
  if (use !== 'import') {
    const count = namesOf(read.list).length
    return planScreen(texts, sent, use, count, [...heading, stock.plan[use](count)])
  }
  const options = { dryRun: true, skipExisting: true, filled: filledBy(sent), cost: sent.cost }
  const { imported, skipped, namelessCities, severalPorts, monthlyCost, withoutCost } =
    await core.operator.importStock(by(ctx), read.text, options)
  const product = (await ownProducts(ctx)).find(({ productNo }) => productNo === sent.productNo)
  const place = sent.place && { countryCode: sent.place.country_code, cityCode: sent.place.city_code }
  return planScreen(texts, sent, use, imported, [
    ...heading,
    stock.plan.import(imported, skipped),
    product && stock.product(translationIn(product.names, session.language)),
    place && stock.place(placeName(place, session.language)),
    namelessCities.length > 0 ? stock.namelessCities(someOf(namelessCities, texts)) : undefined,
    severalPorts.length > 0 ? stock.severalPorts(severalPorts.length) : undefined,
    imported > 0
      ? stock.cost(withoutCost < imported ? amount(monthlyCost, core.currency) : undefined, withoutCost)
      : undefined,
    imported > 0 && withoutCost > 0 && ctx.chat?.type === 'private' ? stock.askCost : undefined,
  ])
}

/** Carries out what {@link plan} showed. */
export async function carryOut(ctx: BotContext, sent: Sent, read: ReadList): Promise<Screen> {
  const {
    core: { operator },
    texts,
  } = ctx
  const { done, held, resting } = texts.stock
  const ips = namesOf(read.list)
  switch (sent.use) {
    case 'update': {
      const { updated } = await operator.updateStock(by(ctx), read.text, false, {})
      return endScreen(texts, done.update(updated))
    }
    case 'off':
    case 'on': {
      const { proxies, ...rest } = await operator.setOnSale(by(ctx), { ips, onSale: sent.use === 'on' })
      return endScreen(
        texts,
        done[sent.use](proxies),
        rest.held > 0 ? held(rest.held) : undefined,
        sent.use === 'on' && rest.resting > 0 ? resting(rest.resting) : undefined,
      )
    }
    case 'release':
      return endScreen(texts, done.release(await operator.releaseResting(by(ctx), { ips })))
    default: {
      const options = { skipExisting: true, filled: filledBy(sent), cost: sent.cost }
      return endScreen(texts, done.import((await operator.importStock(by(ctx), read.text, options)).imported))
    }
  }
}

/** Runs the work; shows a refusal of the core line by line. */
export async function refusable(
  { texts, core }: BotContext,
  { list }: ReadList,
  work: () => Promise<Screen>,
): Promise<Screen> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const faults = faultsOf(texts, error, namesOf(list))
    return faults.length > 0
      ? refusedScreen(texts, faults)
      : endScreen(texts, html`⚠️ ${refusalText(texts, error, core.currency)}`)
  }
}

function faultsOf(texts: Texts, error: ServiceError, names: readonly string[]): Html[] {
  const { stock } = texts
  const words = (reason: string) =>
    reason in stock.reasons ? stock.reasons[reason as keyof typeof stock.reasons] : undefined
  const lines = badLinesOf(error)
  if (lines) return lines.map(({ line, reason = '', message }) => stock.line(line, words(reason) ?? message))
  if (!(error instanceof InvalidInput)) return []
  return error.issues.map((issue) => {
    const where = issue.path.at(-1)
    const name = typeof where === 'number' ? (names[where] ?? '') : String(where)
    return stock.named(name, words(issue.message) ?? issueText(texts, issue))
  })
}
