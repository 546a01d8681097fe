import { z } from 'zod'
import { NewProduct, ShownProduct } from '../core/catalog/manage-products.ts'
import { PriceInUnits } from '../core/catalog/prices.ts'
import { EditedNames, NewNames, withTexts } from '../core/catalog/product-texts.ts'
import { FALLBACK_LANGUAGE, type Language, ofEachLanguage } from '../core/languages.ts'
import { ProductEdit } from '../core/supply/edit-product.ts'
import { SupplyTerms } from '../core/supply/supply-terms.ts'
import { fieldsByLanguage } from '../core/translations.ts'
import { type Acting, action, typed } from './action.ts'
import { codes, collected, FREE_HELP, meantPrice, percent, period, place, project } from './arguments.ts'
import { listProductsAction } from './product-list.ts'
import { wrongUse } from './refusal.ts'

const added = NewProduct.shape
const edited = ProductEdit.shape
const supply = SupplyTerms.shape

const languageNames = new Intl.DisplayNames('en', { type: 'language' })

/** The name in each language. */
const namesOf = <Name extends z.ZodType>(schemas: Readonly<Record<Language, Name>>) =>
  fieldsByLanguage(
    'name',
    ofEachLanguage((language) =>
      typed(schemas[language], `--name-${language} <text>`, `${languageNames.of(language)} name`),
    ),
  )

const descriptionHelp = (language: Language) =>
  `${languageNames.of(language)} description${language === FALLBACK_LANGUAGE ? ', shown where the product is chosen' : ''}`

/** What is typed alike for a new product and for one that is changed: its terms, how it is shown, when its stock is low. */
const TERMS = {
  marginAmount: typed(
    PriceInUnits.optional(),
    '--margin <amount>',
    'of a supplied product: the price is its cost plus this amount',
  ),
  marginPercent: typed(
    supply.marginPercent.in.optional(),
    '--margin-percent <percent>',
    'the same as a part of the cost; with both, the larger one counts',
    { parse: percent },
  ),
  minMarginPercent: typed(
    supply.minMarginPercent.in.optional(),
    '--min-margin-percent <percent>',
    'of a supplied product: not sold where less of the price is left above the cost (0 at first)',
    { parse: percent },
  ),
  replacePolicy: typed(
    edited.replacePolicy,
    '--replace <policy>',
    'who may have a dead proxy replaced (ask at first)',
  ),
  replaceLimit: typed(edited.replaceLimit, '--replace-limit <number>', 'how often in a term (1 at first)'),
  ...fieldsByLanguage(
    'description',
    ofEachLanguage((language) =>
      typed(
        ShownProduct.shape.descriptions.shape[language],
        `--description-${language} <text>`,
        descriptionHelp(language),
      ),
    ),
  ),
  shelf: typed(edited.shelf, '--shelf <number>', 'place in lists: small numbers come first (0 at first)'),
  countries: typed(
    edited.countries,
    '--countries <codes>',
    'where a dynamic product has exits, like US,GB; all: everywhere',
    { parse: codes },
  ),
  cities: typed(edited.cities, '--cities <codes>', 'the same for cities, like USNYC,GBLON', { parse: codes }),
  lowStock: typed(
    edited.lowStock,
    '--low-stock <number>',
    'operator chats are told when fewer are left (10 at first); 0: never',
  ),
  lowStockPlace: typed(
    edited.lowStockPlace,
    '--low-stock-place <number>',
    'the same for each country and city of the product (1 at first: when a place is sold out)',
  ),
}

const free = typed(z.boolean().default(false), '--free', FREE_HELP)

const gateway = typed(
  z.string().optional(),
  '--gateway <host:port>',
  'where the gateway of a dynamic product listens',
)

const NEW = {
  productNo: typed(added.productNo, '<number>', 'product number: 1-32 letters, digits, _ or -'),
  ...namesOf(NewNames.shape),
  price: typed(
    PriceInUnits.optional(),
    '--price <amount>',
    'per IP and billing period, or per GB; of a supplied product instead of a margin',
  ),
  free,
  proxyType: typed(
    added.proxyType.unwrap().optional(),
    '--type <number>',
    '101 static cloud, 102 static residential domestic, 103 static residential overseas, 104 dynamic overseas, 105 dynamic domestic (default: 103)',
  ),
  period: typed(
    z.object({ periodUnit: added.periodUnit.unwrap(), periodLength: z.int() }).optional(),
    '--period <length>',
    'billing period of a static product, like 30day (default: 1month)',
    { parse: period },
  ),
  pool: typed(added.pool, '--pool <name>', 'traffic pool of a dynamic product', {
    conflicts: ['period', 'shared', 'cidr', 'assignIp'],
  }),
  gateway,
  shared: typed(added.shared, '--shared', 'sold to several customers at once; without it exclusive'),
  projects: typed(edited.projects, '--project <code=name>', 'project of a shared product; repeatable', {
    parse: project,
  }),
  refundHours: typed(
    added.refundHours,
    '--refund-hours <hours>',
    'how long a cancellation is refunded; less than the billing period (default: 24, billed by days 0)',
  ),
  cidrSupported: typed(added.cidrSupported, '--cidr', 'orders may name CIDR ranges'),
  assignIpSupported: typed(added.assignIpSupported, '--assign-ip', 'orders may name addresses'),
  supplier: typed(
    z.string().optional(),
    '--supplier <name>',
    'connection that delivers it: type, period, projects and places are those of its offers',
    {
      conflicts: [
        'type',
        'period',
        'pool',
        'gateway',
        'shared',
        'project',
        'assignIp',
        'countries',
        'cities',
      ],
    },
  ),
  offers: typed(
    supply.offers.optional(),
    '--offer <number>',
    'offer of the supplier, one for each place; repeatable',
    { parse: collected },
  ),
  ...TERMS,
}
type New = z.output<z.ZodObject<typeof NEW>>

const Named = z.object({ product_no: z.string() })

/** Products of the catalogue (rules 10.5). */
export const productActions = [
  action({
    name: 'product add',
    summary: 'add a product with its price',
    input: NEW,
    answer: Named,
    needs: ['create'],
    async run(acting, input) {
      const { productNo, supplier } = input
      const uncovered = await (supplier === undefined
        ? addOwn(acting, input)
        : addSupplied(acting, supplier, input))
      return {
        data: { product_no: productNo },
        text: `Added product ${productNo}`,
        warnings: uncoveredWarning(uncovered),
      }
    },
  }),
  action({
    name: 'product edit',
    summary: 'change a product; what is not named stays as it is',
    input: {
      productNo: typed(z.string(), '<number>', 'product number'),
      ...namesOf(EditedNames.shape),
      enable: typed(z.boolean().default(false), '--enable', 'offer it', { conflicts: 'disable' }),
      disable: typed(z.boolean().default(false), '--disable', 'stop selling it; existing orders go on'),
      refundHours: typed(
        edited.refundHours,
        '--refund-hours <hours>',
        'how long a cancellation is refunded, for existing orders too; less than the billing period',
      ),
      projects: typed(
        edited.projects,
        '--project <code=name>',
        'projects of a shared product; repeatable, replaces them all',
        { parse: project },
      ),
      gateway,
      cidrSupported: typed(edited.cidrSupported, '--cidr', 'orders may name CIDR ranges', {
        no: 'they may not',
      }),
      assignIpSupported: typed(edited.assignIpSupported, '--assign-ip', 'orders may name addresses', {
        no: 'they may not',
      }),
      addOffers: typed(
        edited.addOffers,
        '--add-offer <number>',
        'sell another offer of the supplier; repeatable',
        { parse: collected },
      ),
      removeOffers: typed(
        edited.removeOffers,
        '--remove-offer <number>',
        'stop selling an offer; proxies bought there are not renewed; repeatable',
        { parse: collected },
      ),
      price: typed(
        PriceInUnits.optional(),
        '--price <amount>',
        'of a supplied product: a fixed price for everybody, in place of a margin',
      ),
      free,
      place: typed(
        edited.place,
        '--place <place>',
        'change the margins in this place alone: country and city, like US or US/USLAX',
        { parse: place },
      ),
      usualMargin: typed(
        z.boolean().default(false),
        '--usual-margin',
        'with --place: the margins of the product hold there again',
      ),
      ...TERMS,
    },
    answer: Named,
    question: ({ productNo, disable }) => (disable ? `Stop selling the product ${productNo}?` : undefined),
    async run({ core, by }, { productNo, enable, disable, free, usualMargin, ...edit }) {
      if (edit.price !== undefined) meantPrice(edit.price, free)
      const { uncovered } = await core.operator.editProduct(by, productNo, {
        ...withTexts(edit),
        enabled: enable || disable ? enable : undefined,
        usualMargin: usualMargin || undefined,
      })
      return {
        data: { product_no: productNo },
        text: `Changed product ${productNo}`,
        warnings: uncoveredWarning(uncovered),
      }
    },
  }),
  listProductsAction,
]

/** Adds a product of the own stock, or one that is sold by traffic. */
async function addOwn({ core, by }: Acting, input: New): Promise<string[]> {
  for (const [field, option] of Object.entries(SUPPLIED_ONLY))
    if (input[field as keyof New] !== undefined) throw wrongUse(`${option} is for products with --supplier`)
  const { names = {}, price, free, period, ...product } = withTexts(input)
  if (price === undefined) throw wrongUse('Add the price with --price')
  await core.operator.addProduct(by, { ...product, ...period, names, price: meantPrice(price, free) })
  return []
}

/**
 * Adds a product of a supplier.
 *
 * @returns offers whose cost the price does not cover
 */
async function addSupplied({ core, by }: Acting, supplier: string, input: New): Promise<string[]> {
  const { shared: _shared, assignIpSupported: _assignIp, free, ...given } = input
  const { names = {}, offers = [], ...product } = withTexts(given)
  if (product.price !== undefined) meantPrice(product.price, free)
  const { uncovered } = await core.operator.addSuppliedProduct(by, { ...product, names, supplier, offers })
  return uncovered
}

const SUPPLIED_ONLY: { readonly [Field in keyof New]?: string } = {
  offers: '--offer',
  marginAmount: '--margin',
  marginPercent: '--margin-percent',
  minMarginPercent: '--min-margin-percent',
}
/** Warns of offers whose cost the price does not cover. */
function uncoveredWarning(offers: readonly string[]): string[] {
  return offers.length === 0
    ? []
    : [`offers that are not sold, because the price does not cover their cost: ${offers.join(', ')}`]
}
