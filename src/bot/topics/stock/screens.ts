import type { StockInPlace } from '../../../core/catalog/list-stock.ts'
import { OWN_STOCK } from '../../../core/catalog/product.ts'
import { type Translations, translationIn } from '../../../core/translations.ts'
import { operatorButton } from '../../actions/operator.ts'
import { STOCK, type Use, USES } from '../../actions/stock.ts'
import type { Prompt } from '../../dialogue/prompt.ts'
import { placeName } from '../../kit/format.ts'
import { pageOf, pager } from '../../kit/pager.ts'
import { type Button, grid, type Screen } from '../../kit/screen.ts'
import { listed } from '../../kit/some-of.ts'
import type { View } from '../../kit/view.ts'
import { type Html, lines } from '../../texts/html.ts'
import type { Texts } from '../../texts/index.ts'
import type { ReadList, Sent } from './list.ts'

const PRODUCTS_PER_PAGE = 8
const PLACES_SHOWN = 12
/** Name of the question that takes a pasted list. */
export const PASTED = 'stock.paste'
/** Name of the question for the cost of a list's proxies. */
export const COST = 'stock.cost'

const stockButton = ({ stock }: Texts): Button => ({ text: stock.buttons.stock, data: STOCK.home.data() })

/** Text typed at these screens is taken as a list. */
const takes = { question: PASTED, state: null }

/**
 * @param change how the reader may change the stock: pasting works in private chats only
 */
export function stockScreen(
  texts: Texts,
  places: readonly StockInPlace[],
  change: 'may not' | 'by files' | 'by files and pasting',
): Screen {
  const { stock } = texts
  const own = places.filter(({ supplier }) => supplier === OWN_STOCK)
  const sum = (what: 'free' | 'held' | 'resting' | 'disabled') =>
    own.reduce((total, place) => total + (place[what] ?? 0), 0)
  const resting = sum('resting')
  return {
    text: lines(
      stock.title,
      '',
      stock.totals(sum('free'), sum('held'), resting, sum('disabled')),
      ...(change === 'may not' ? [] : ['' as const, stock.howTo]),
      ...(change === 'by files' ? ['' as const, stock.inGroups] : []),
    ),
    buttons: [
      resting > 0 ? [{ text: stock.buttons.resting(resting), data: STOCK.resting.data() }] : [],
      [operatorButton(texts)],
    ],
    ...(change !== 'may not' && { takes }),
  }
}

/** Shows why a list cannot be read, or what was done with it. */
export function endScreen(texts: Texts, ...text: (Html | '' | undefined)[]): Screen {
  return { text: lines(...text), buttons: [[stockButton(texts)], [operatorButton(texts)]], takes }
}

export function useScreen({ stock, buttons }: Texts, { id }: Sent, list: ReadList): Screen {
  const possible: readonly Use[] = list.credentials
    ? ['import', 'update', 'off', 'on', 'release']
    : ['off', 'on', 'release']
  return {
    text: lines(stock.sent(list.proxies), '', stock.whatFor),
    buttons: [
      ...USES.filter((use) => possible.includes(use)).map((use) => [
        { text: stock.buttons.uses[use], data: STOCK.use.data({ list: id, use }) },
      ]),
      [{ text: buttons.cancel, data: STOCK.home.data() }],
    ],
  }
}

interface OwnProduct {
  readonly productNo: string
  readonly names: Translations
}

export function productsScreen(
  { texts, language }: View,
  { id }: Sent,
  { proxies }: ReadList,
  products: readonly OwnProduct[],
  wanted: number,
): Screen {
  const { stock, buttons } = texts
  const { items, page, pages } = pageOf(products, wanted, PRODUCTS_PER_PAGE)
  return {
    text: lines(stock.sent(proxies), '', products.length > 0 ? stock.whichProduct : stock.noProducts),
    buttons: [
      ...items.map((product) => [
        {
          text: `${product.productNo} · ${translationIn(product.names, language)}`,
          data: STOCK.product.data({ list: id, productNo: product.productNo }),
        },
      ]),
      ...pager(texts, page, pages, (to) => STOCK.products.data({ list: id, page: to })),
      [{ text: buttons.cancel, data: STOCK.home.data() }],
    ],
  }
}

/** @param places in which the product has proxies already */
export function placePrompt(
  { texts, language }: View,
  { proxies }: ReadList,
  places: readonly StockInPlace[],
): Prompt {
  const { stock, buttons } = texts
  return {
    text: lines(stock.sent(proxies), '', stock.whichPlace),
    buttons: [
      ...grid(
        places.slice(0, PLACES_SHOWN).map((place) => ({
          text: placeName(place, language),
          answer: [place.countryCode, place.state || '-', place.cityCode || '-'].join(' '),
        })),
        2,
      ),
      [{ text: buttons.cancel, data: STOCK.home.data() }],
    ],
  }
}

/** @param count proxies that would change; at 0 there is nothing to confirm */
export function planScreen(
  texts: Texts,
  { id }: Sent,
  use: Use,
  count: number,
  text: readonly (Html | '' | undefined)[],
): Screen {
  const { stock, buttons } = texts
  return {
    text: lines(...text),
    buttons: [
      count > 0
        ? [
            {
              text: stock.buttons.carryOut[use](count),
              data: STOCK.carryOut.data({ list: id }),
              style: 'success',
            },
          ]
        : [],
      [
        { text: stock.buttons.otherUse, data: STOCK.use.data({ list: id }) },
        { text: buttons.cancel, data: STOCK.home.data() },
      ],
    ],
    ...(use === 'import' && count > 0 && { takes: { question: COST, state: { list: id } } }),
  }
}

/** What is wrong, line by line. */
export function refusedScreen(texts: Texts, faults: readonly Html[]): Screen {
  return endScreen(texts, texts.stock.refused(faults.length), '', ...listed(texts, faults))
}
