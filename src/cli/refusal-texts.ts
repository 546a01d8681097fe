import { type ErrorCode, InvalidInput, type InputIssue, type ServiceError } from '../core/errors.ts'
import { ofEachLanguage } from '../core/languages.ts'
import { fieldsByLanguage } from '../core/translations.ts'
import { Refusal } from '../operator/refusal.ts'

/** Most bad lines of a file that are shown. */
const LINES_SHOWN = 20

/** Messages for refusals of the core in commands of the operator. */
const TEXTS: RefusalTexts = {
  not_permitted: 'The role of this person does not include it',
  user_not_found: 'There is no account of this name',
  agent_required: 'This is not an agent: `customer` has the commands for its sub-users',
  account_disabled: 'This account is disabled',
  account_not_activated: 'This account has not opened the link in its activation mail',
  out_of_stock: 'No equal proxy is free',
  idempotency_conflict: 'This number was used for something else',
  username_taken: 'This username is taken (deleted accounts and upper or lower case count too)',
  balance_below_zero: 'The balance would fall below 0',
  insufficient_balance: 'The balance does not suffice',
  payout_not_found: 'There is no payout of this number: `payout list` shows those that wait',
  order_not_found: 'There is no order of this number',
  instance_not_found: 'There is no such proxy',
  bot_not_found: 'There is no such bot: `bot list` shows them',
  promo_code_not_found: 'There is no such promotion code',
  promo_code_taken: 'There is such a promotion code already',
  order_processing: 'The order, or one of its proxies, waits for the supplier: try again when that is done',
  invalid_state: 'This cannot be done any more: it was decided already, or the user is deleted',
  payment_in_progress: 'A payment of this top-up is being confirmed: wait a minute',
  product_not_found: 'There is no product of this number',
  rate_limited: 'This was done within the last minute: wait a moment',
  unavailable: 'The database cannot be written just now; nothing was changed, try again',
}

const IN_DOUBT =
  'The books of this account do not balance, and it spends nothing until they do: `audit` shows the difference'

/** Messages for custom validation rules; the name of the field precedes them. */
const RULES: Readonly<Record<string, string>> = {
  invisible_characters: 'must have no spaces and no invisible characters',
  not_an_amount: 'must be an amount that is allowed here, with at most 6 decimals and at most 1,000,000,000',
  more_than_was_paid: 'must be above 0 and at most what was paid and not given back yet',
  not_a_promo_code: 'must be 3-32 letters, digits, _ or -, and begin with a letter or digit',
  either_percent_or_amount: 'or --amount must be given, not both',
  balance_too_large: 'would make the balance larger than any balance can be',
  nothing_to_change: 'has nothing to change: name at least one option',
  static_products_only: 'is for static products only',
  dynamic_products_only: 'is for dynamic products only',
  letters_digits_underscore_hyphen: 'must be 1-32 letters, digits, _ or -',
  dynamic_products_have_a_pool: 'belongs to the types 104 and 105, and to no other',
  dynamic_products_have_a_gateway:
    'belongs to the types 104 and 105, and to no other: add --gateway host:port',
  not_a_gateway_address: 'must be host:port, such as gw.example.com:8000',
  shared_products_only: 'are for shared products only (product add … --shared)',
  as_long_as_the_shortest_term:
    'must be less than the billing period: who uses a proxy to its end would get the money back',
  not_a_country_code: 'must be ISO 3166 two-letter codes, such as US,GB',
  not_a_city_code: 'must be codes of a country and three characters, such as USNYC',
  city_not_in_country: 'must lie in the countries that the product offers',
  is_an_agent: 'is an agent: `agent edit` changes it',
  same_agent: 'is the agent that the customer has',
  comes_from_the_supplier: 'is not for a proxy of a supplier, which gives the credentials itself',
  identifies_the_proxy: 'tells this proxy from the others on its address, and stays',
  used_by_another_proxy: 'is that of another proxy at this address and port',
  set_by_environment: 'is said by the environment or .env: change it there',
  unfit_setting: 'does not fit: the service would not start with it',
  currency_in_use:
    'cannot be changed any more: there are accounts or products, whose amounts would mean something else',
  no_such_person: 'is nobody who runs the shop: `person list` shows who does',
  no_such_invite: 'is no link that can be opened: `person list` shows those that there are',
  person_exists: 'is the name of another person',
  telegram_id_taken: 'is that of another person',
  no_such_role: 'must be owner, manager, support or finance',
  no_owner_left:
    'must leave an owner: name the first person as owner, and another owner before the last one goes',
  no_such_action: 'is no action of the trail, such as price.set or price',
  ends_before_it_starts: 'must not be before --from',
  not_in_the_next_ten_years: 'must be a time of the next ten years',
  not_a_txid: 'must be a transaction id of 64 hexadecimal digits, or TXID:INDEX',
  not_a_transaction_id: 'must be a transaction id of 64 hexadecimal digits',
  txid_of_another_payout: 'has paid another payout already: `payout list --status paid` shows which',
  no_such_transfer: 'is no transfer to the wallet that has been seen',
  several_transfers: 'has several transfers that wait: name one as TXID:INDEX',
  absurd_amount: 'has an amount that is larger than any balance can be',
  not_in_the_stock: 'is not in the stock',
  not_resting: 'is no address that waits for other credentials',
  no_such_price: 'is none: `product list` shows those that there are',
  follows_the_cost: 'for everybody follows the cost: change the margin, or fix it with product edit --price',
  price_or_margin: 'is one or the other: a fixed price, or a margin (--margin, --margin-percent)',
  no_such_supplier: 'is no connection: `supplier list` shows those that there are',
  no_such_offer: 'is no offer of this supplier: `supplier offers` shows those that there are',
  offer_of_another_kind:
    'has another type or billing period than the product, or projects where the product has none, or none where it has some',
  offers_in_one_place: 'lies in a place for which the product has an offer already',
  not_in_the_product: 'is no offer of this product',
  longer_than_the_supplier: 'must be at most those in which the supplier takes proxies back',
  supplied_products_only: 'is for products of a supplier only',
  comes_from_the_offers: 'come from the offers of the supplier',
  own_stock_only: 'is for products of the own stock only',
  not_for_a_place: 'is for the whole product: in a place only margins can be changed',
  margin_of_the_place: 'goes with --margin or --margin-percent, or with --usual-margin',
  no_such_place: 'is no place of this product',
  several_places: 'is not the only place of this country and city: name its state, like US/CA/USLAX',
  at_most_two_decimals: 'must have at most 2 decimals',
  first_price_stays: 'for everybody stays: set another one, or disable the product',
  product_exists: 'is the number of another product',
  not_a_supplier_name: 'must have 2-32 characters of a-z, 0-9 and -',
  name_of_own_stock: 'must not be inventory: that is the own stock',
  supplier_exists: 'is the name of another supplier',
  no_such_driver: 'must be a kind of supplier that there is; --help names them',
  not_a_supplier_url: 'must be an http(s) address without a username, ? and #',
  supplier_url_not_encrypted: 'must be https; http is for this machine and private networks only',
  supplier_is_this_service: 'leads to this very service: it cannot buy from itself',
  not_a_rate: 'must be a number above 0 with at most 6 decimals',
  credentials_cannot_be_read:
    'and --key must be given again: those that are stored were encrypted with another SECRETS_KEY',
  exit_cannot_be_read:
    'has credentials that were encrypted with another SECRETS_KEY: remove it, and add it again',
  supplier_has_products: 'still has products; pause it instead',
  deleted_users_have_money:
    'cannot be the balance of the agent: deleted sub-users still have money that was newly created; `agent clear` takes it back',
  supplier_has_calls: 'has delivered proxies, and its records stay; pause it instead',
  no_such_call: 'is no call: `supplier calls` shows those that there are',
  call_has_ended: 'has ended: `supplier calls` shows how',
  call_is_not_in_doubt: 'is still under way: only calls in doubt are decided',
  call_was_not_sent: 'was not sent yet, so that the supplier cannot have it',
  not_an_address_range: 'must be an address or a range, such as 203.0.113.0/24',
  address_held_by_nobody: 'is on no white list: `gateway allowed` shows those that are',
  no_such_exit: 'is none: `exit list` shows those that there are',
  no_such_pool: 'must be dynamic_1, dynamic_2 or dynamic_3',
  not_an_exit_url:
    'must be like socks5://user:pass@host:port, http:// or https://, with @ : / ? # in user and pass percent-encoded',
  not_a_city: 'must be a city code or an English city name',
  city_without_country: 'needs --country',
  not_a_template:
    'must consist of letters, digits, - _ . @ = + ~ and {user}, {country}, {city}, {session}, {lifetime}, each once',
  template_without_user: 'must contain {user}',
  template_without_credentials: 'needs an address with a username (--url)',
  resolve_of_the_gateway: 'is remote-only for proxies; the gateway itself resolves names where it connects',
  place_of_a_vendor: 'is not for a vendor’s gateway: it reaches every place by its template',
  not_a_number_of_the_supplier: 'must be a number as the supplier writes it, without spaces',
  before_the_first_day: 'must not be before --from',
  not_a_date: 'must be a day such as 2026-03-31',
  replacement_not_found: 'is no replacement: `replacements --open` shows those that wait',
  no_such_order_or_proxy: 'is the number of no order and of no proxy',
  no_active_proxy: 'names no active proxy',
  no_such_job: 'is none of those that wait: `jobs list` shows them',
  job_completes_paid_order:
    'cannot be dropped: it delivers, or refunds, an order that a customer has paid; `jobs retry` tries it again now',
  job_renews_proxies:
    'cannot be dropped: it renews proxies for a customer, and would be made again; `jobs retry` tries it again now',
  job_completes_paid_renewal:
    'cannot be dropped: it prolongs, or refunds, proxies whose renewal a customer has paid; `jobs retry` tries it again now',
  job_stores_credentials:
    'cannot be dropped: the old credentials of a proxy work no more; `jobs retry` tries it again now',
}

/** Messages of one command, which its own arguments make clearer; they take precedence over those of all commands. */
export type RefusalTexts = Partial<Record<ErrorCode, string>>

/** Converts a refusal of the core to one with the message of the command line. */
export function refusalOf(error: ServiceError, own: RefusalTexts = {}): Refusal {
  if (error instanceof InvalidInput) return invalidInput(error.issues)
  if (error.code === 'validation_error') return badLines(error.data?.['errors'] as BadLines)
  if (error.code === 'supplier_error' && typeof error.data?.['reason'] === 'string')
    return new Refusal(error.code, `The supplier could not be asked: ${error.data['reason']}`, {
      data: error.data,
    })
  const text = own[error.code] ?? ofFacts(error) ?? TEXTS[error.code]
  return new Refusal(error.code, text ?? `Refused: ${error.code}`, { data: error.data ?? null })
}

/** Status of an order, or of one of its proxies. */
type StateFacts = Partial<Record<'order_no' | 'status' | 'instance_no' | 'instance_status', string>>

/** Returns a message made from the facts of a refusal, where it says more than that of the code alone. */
function ofFacts({ code, data }: ServiceError): string | undefined {
  if (data?.['reason'] === 'books_in_doubt') return IN_DOUBT
  if (code !== 'invalid_state') return undefined
  const { instance_no: proxy, instance_status: state, order_no: order, status } = (data ?? {}) as StateFacts
  if (proxy !== undefined)
    return state === 'active' ? undefined : `The proxy ${proxy} is not in use any more: it is ${state}`
  return order === undefined ? undefined : `The order ${order} has no proxy in use: it is ${status}`
}

/** Names of options and arguments by the field of the core, where they differ. */
const TYPED_AS: Readonly<Record<string, string>> = {
  CURRENCY: '--currency',
  USDT_WALLET: '--wallet',
  USDT_RATE: '--rate',
  PUBLIC_URL: '--public-url',
  SUPPORT_CONTACT: '--support',
  username: 'name',
  password: '--password',
  level: '--level',
  balance: '--balance',
  email: '--email',
  phone: '--phone',
  remark: '--remark',
  code: 'code',
  percent: '--percent',
  until: '--until',
  maxUses: '--uses',
  maxUsesPerUser: '--per-user',
  days: '--days',
  note: '--note',
  telegramId: '--telegram',
  role: '--role',
  action: '--action',
  agent: '--agent',
  startDate: '--from',
  endDate: '--to',
  orderNo: 'order',
  amount: 'amount',
  reason: '--reason',
  instances: '--instances',
  minQuantity: '--min',
  productNo: 'product number',
  ...fieldsByLanguage(
    'name',
    ofEachLanguage((language) => `--name-${language}`),
  ),
  ...fieldsByLanguage(
    'description',
    ofEachLanguage((language) => `--description-${language}`),
  ),
  proxyType: '--type',
  periodUnit: '--period',
  periodLength: '--period',
  projects: '--project',
  pool: '--pool',
  gateway: '--gateway',
  refundHours: '--refund-hours',
  cidrSupported: '--cidr',
  assignIpSupported: '--assign-ip',
  lowStock: '--low-stock',
  exit: 'exit',
  country: '--country',
  city: '--city',
  template: '--template',
  driver: '--driver',
  url: '--url',
  key: '--key',
  secret: '--secret',
  rate: '--rate',
  concurrency: '--concurrency',
  alarmBalance: '--alarm-balance',
  alarmDays: '--alarm-days',
  balanceExpiresOn: '--balance-until',
  found: '--found',
  from: '--from',
  to: '--to',
  lowStockPlace: '--low-stock-place',
  supplier: '--supplier',
  offers: '--offer',
  addOffers: '--add-offer',
  removeOffers: '--remove-offer',
  place: '--place',
  marginAmount: '--margin',
  marginPercent: '--margin-percent',
  minMarginPercent: '--min-margin-percent',
  replacePolicy: '--replace',
  replaceLimit: '--replace-limit',
}

/** Returns the name of a field on the command line; a part of a value, such as a project's code, follows the name of its option. */
function typedAs(path: readonly PropertyKey[]): string {
  const [field = '', ...parts] = path
  const names = parts.filter((part) => typeof part === 'string')
  return [TYPED_AS[String(field)] ?? String(field), ...names].join(' ')
}

function invalidInput(issues: readonly InputIssue[]): Refusal {
  const errors = issues.map((issue) => ({
    field: typedAs(issue.path),
    rule: issue.code,
    message: messageFor(issue),
  }))
  return new Refusal(
    'validation_error',
    errors.map(({ field, message }) => `${field} ${message}`).join('; '),
    { data: { errors } },
  )
}

function messageFor(issue: InputIssue): string {
  if (issue.code === 'too_small') {
    if (issue.origin !== 'string') return `must be at least ${issue.minimum}`
    return issue.minimum === 1 ? 'must not be empty' : `must have at least ${issue.minimum} characters`
  }
  if (issue.code === 'too_big') {
    return issue.origin === 'string'
      ? `must have at most ${issue.maximum} characters`
      : `must be at most ${issue.maximum}`
  }
  return RULES[issue.message] ?? issue.message
}

/** Returns the lines of a refusal of input by another service, worded as here where the rule is known. */
export function wordRemoteIssues(
  issues: readonly { readonly field: string; readonly rule: string; readonly message: string }[],
): string[] {
  return issues.map(({ field, rule, message }) =>
    field === 'body' ? message : `${typedAs(field.split('.'))} ${RULES[rule] ?? message}`,
  )
}

type BadLines = readonly { readonly line: number; readonly message: string }[]

function badLines(errors: BadLines): Refusal {
  const shown = errors.slice(0, LINES_SHOWN).map(({ line, message }) => `line ${line}: ${message}`)
  const more = errors.length > LINES_SHOWN ? [`and ${errors.length - LINES_SHOWN} more`] : []
  const message = 'The file has bad lines; nothing of it was taken'
  return new Refusal('validation_error', message, { data: { errors }, lines: [...shown, ...more, message] })
}
