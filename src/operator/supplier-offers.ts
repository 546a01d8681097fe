import { z } from 'zod'
import { toText } from '../core/money.ts'
import { type OfferOverview, OfferRecord } from '../core/supply/list-offers.ts'
import { UNIT } from '../core/term.ts'
import { action, typed } from './action.ts'
import { InvalidText } from './arguments.ts'
import { table } from './table.ts'

/** What a supplier sells, as it was read last. */
export const supplierOffersAction = action({
  name: 'supplier offers',
  summary: 'list what a supplier sells, as it was read last; what products sell comes first',
  input: {
    name: typed(z.string(), '<name>', 'name of the supplier'),
    country: typed(z.string().optional(), '--country <code>', 'only offers of this country, such as US', {
      parse: country,
    }),
  },
  answer: z.object({ name: z.string(), currency: z.string(), items: OfferRecord.array().schema }),
  reads: true,
  async run({ core, currency }, { name, country }) {
    const { items } = await core.operator.suppliers.offers({ supplier: name, country })
    return {
      data: { name, currency, items: items.map(OfferRecord.show) },
      text: items.length === 0 ? 'There is no such offer' : table([HEADING, ...items.map(rowOfOffer)]),
    }
  },
})

function country(text: string): string {
  if (!/^[a-z]{2}$/i.test(text)) throw new InvalidText('It must be a two-letter code such as US.')
  return text.toUpperCase()
}

const HEADING = ['OFFER', 'NAME', 'TYPE', 'PLACE', 'PERIOD', 'COST', 'STOCK', 'STATE', 'SEEN AT', 'SOLD AS']

function placeOfOffer({ countryCode, state, cityCode }: OfferOverview): string {
  return [countryCode, state, cityCode].filter((part) => part !== '').join('/')
}

function periodOf({ periodUnit, periodLength }: OfferOverview): string {
  return `${periodLength}${periodUnit === UNIT.day ? 'day' : 'month'}`
}

function rowOfOffer(offer: OfferOverview): string[] {
  const { offerNo, name, proxyType, cost, stock, paused, pauseReason, seenAt, products } = offer
  return [
    offerNo,
    name,
    String(proxyType),
    placeOfOffer(offer),
    periodOf(offer),
    toText(cost),
    String(stock),
    paused ? `paused ${pauseReason ?? ''}`.trim() : 'active',
    seenAt,
    products.join(', ') || '-',
  ]
}
