import { Command, InvalidArgumentError } from 'commander'
import { toText } from '../../core/money.ts'
import { type OfferOverview, OfferRecord } from '../../core/supply/list-offers.ts'
import { UNIT } from '../../core/term.ts'
import type { Run } from '../run.ts'
import { table } from '../../operator/table.ts'

/** `supplier offers`: what a supplier sells, as it was read last. */
export function supplierOfferCommands(run: Run): Command[] {
  return [
    new Command('offers')
      .description('list what a supplier sells, as it was read last; what products sell comes first')
      .argument('<name>', 'name of the supplier')
      .option('--country <code>', 'only offers of this country, such as US', country)
      .action(
        run(async (session, name: string, { country }: { country?: string }) => {
          const { operator } = await session.core()
          const { items } = await operator.suppliers.offers({ supplier: name, country })
          return {
            data: { name, currency: session.currency, items: items.map(OfferRecord.show) },
            text: items.length === 0 ? 'There is no such offer' : table([HEADING, ...items.map(rowOfOffer)]),
          }
        }),
      ),
  ]
}

function country(text: string): string {
  if (!/^[a-z]{2}$/i.test(text)) throw new InvalidArgumentError('It must be a two-letter code such as US.')
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
