import { FALLBACK_LANGUAGE, ofEachLanguage } from '../core/languages.ts'
import { fieldsByLanguage } from '../core/translations.ts'

const LANGUAGE_NAMES = new Intl.DisplayNames(FALLBACK_LANGUAGE, { type: 'language' })

/** Descriptions of the fields with the name of a place in each language. */
function namesOf(place: 'country' | 'city') {
  return fieldsByLanguage(
    `${place}Name`,
    ofEachLanguage((language) => `Name of the ${place} in ${LANGUAGE_NAMES.of(language)}`),
  )
}

/**
 * Meaning of a field wherever it occurs, for the API documents. A schema's own description takes precedence, and a second spelling
 * (`orderNo` beside `order_no`) needs no entry.
 */
export const GLOSSARY: Readonly<Record<string, string>> = {
  data: 'The answer itself; of an error, facts about it',
  id: 'Number by which it is found; unique within its kind',
  status: 'State',
  count: 'How many',

  // Accounts
  user_id: 'Id of the account',
  username: 'Username of the account',
  agent_id: 'Id of the agent of the account; null: none',
  email: 'E-mail address; empty: none',
  phone: 'Mobile number of 11 digits; empty: none',
  remark: 'Free text',
  role: '`agent`, or `user` for an ordinary user',
  password: 'Password',
  currency: 'Currency of the amount',
  balance: 'Balance of the account',
  old_balance: 'Balance before',
  new_balance: 'Balance afterwards',
  total_recharge: 'Everything that was ever added to the balance',
  total_consumption: 'Everything that was ever spent and not refunded',

  balance_before: 'Balance before',
  balance_after: 'Balance afterwards',
  month_recharge: 'Added to the balance this month',
  month_consumption: 'Spent and not refunded this month',
  last_month_consumption: 'Spent and not refunded last month',
  user: 'The account',

  // Time
  created_at: 'Time of creation',
  promo_code: 'The promotion code of the order; null without one',
  updated_at: 'Time of the last change',
  opened_at: 'Time of delivery',
  expire_time: 'When the term ends',
  released_at: 'When the proxy was released; null: not yet',
  paid_at: 'When the payment was credited; null: not yet',
  cancelled_at: 'When it was cancelled; null: it was not',
  expires_at: 'When it expires',
  old_expire_time: 'When the term ended before the renewal',
  new_expire_time: 'When the term ends now',
  date: 'Day, UTC',

  // Lists
  items: 'Items of this page',
  page: 'Number of this page',
  page_size: 'Items on a page',

  // Orders
  order_no: 'Number of the order',
  app_order_no: 'Number that the application gave it',
  transaction_no: 'Number of the entry in the books',
  queued: 'Whether the order waits to be completed',
  async: 'Always true: the order is completed in the background',
  renew_order_no: 'Number of the renewal',
  orderType: '`static_proxy` or `dynamic_proxy`',
  order_type: 'Kind of order',
  unit_price: 'Price of one',
  total_amount: 'Price of all',
  amount: 'Amount',
  price: 'Price of one',
  min_quantity: 'From this quantity on: IPs or GB',
  ipCount: 'Number of proxies',
  duration: 'Term of one cycle: so many `unit`s',
  unit: '1 day, 3 month, 4 year',
  cycleTimes: 'Number of cycles; the term is `duration` × `unit` × `cycleTimes`',
  cycle_times: 'Number of cycles; the term is `duration` × `unit` × `cycle_times`',
  auto_renew: 'Whether the proxies renew themselves',
  projectId: 'Code of the project, for shared products',
  project_id: 'Code of the project of a shared product; null: none',
  staticType: 'Kind of static resource; kept with the order, decides nothing',
  static_type: 'Kind of static resource, as ordered',
  regionCode: 'Code of a country, state or city',
  cidrBlocks: 'IP ranges to take the proxies from; the counts sum to `ipCount`',
  assignedIp: 'An address that the order is to include',
  assignedIpList: 'Addresses that the order is to include; at most `ipCount`',
  instances: 'The proxies',
  instance_no: 'Number of the proxy',
  provider_instance_no: 'Number of the proxy at the supplier',
  fail_reason: 'Why the order failed or is incomplete; null: it is neither',
  reason: 'Why, for the records',

  // Catalogue
  product_id: 'Number of the product',
  product_no: 'Number of the product',
  product_name: 'Name of the product, in the language of the answer',
  productNo: 'Number of the product',
  product_type: '1 exclusive, 2 shared',
  proxy_type:
    '101 static cloud, 102 static residential domestic, 103 static residential overseas, 104 dynamic overseas, 105 dynamic domestic',
  proxyType:
    '101 static cloud, 102 static residential domestic, 103 static residential overseas, 104 dynamic overseas, 105 dynamic domestic',
  pool_type: 'Pool of the product: `dynamic_1`, `dynamic_2` or `dynamic_3`',
  name: 'Name, for people',
  names: 'Names of the product by language, where there is one',
  title: 'Name of the product, in the language of the answer',
  min_gb: 'From so many GB on',
  min_count: 'From so many IPs on',
  cidr_supported: 'Whether orders may name IP ranges (`cidrBlocks`)',
  assign_ip_supported: 'Whether orders may name addresses (`assignedIp`, `assignedIpList`)',
  ipRanges: 'Ranges with free proxies',
  ipRange: 'The range in CIDR notation',

  // Places
  countryCode: 'ISO 3166-1 alpha-2',
  ...namesOf('country'),
  countryNames: 'Names of the country by language',
  cityCode: '`cityCode` of the product query; empty: no city in particular',
  ...namesOf('city'),
  cityNames: 'Names of the city by language',
  nameLanguage: 'Language of `countryName` and `cityName`',
  stateCode: 'Code of the state; empty: none',
  stateName: 'The code of the state: states have no names',
  country_code: 'ISO 3166-1 alpha-2; null: any',
  country_name: 'Name of the country, in the language of the answer',
  city_code: 'UN/LOCODE; empty or null: none',
  city_name: 'Name of the city, in the language of the answer',

  // Proxies
  ip: 'Address of the proxy',
  host: 'Host of the gateway',
  port: 'Port',
  protocol: 'Protocol of the proxy',
  protocols: 'Protocols that the proxy speaks',
  proxy_url: 'All of it as a URL',
  cidr: 'IP range in CIDR notation',

  // Traffic
  dynamicResources: 'Traffic per product',
  staticResources: 'Proxies per product',
  method: '`password`: credentials only; `api`: a public link as well',
  quantity: 'Number of credentials',
  used: 'GB used',
  used_traffic: 'GB used',
  remaining_traffic: 'GB left',
  traffic_amount: 'GB bought',
  remaining: 'GB left',

  // Counts
  total: 'Number of all',
  processing: 'Number still being processed',
  active: 'Number that are active',
  partial: 'Number that were delivered in part',
  failed: 'Number that failed',
  expired: 'Number that have expired',
  cancelled: 'Number that were cancelled',
  exhausted: 'Number whose traffic is used up',
  released: 'Number that were released',
  disabled: 'Number that are disabled',

  // Payments
  client_order_no: 'Number that the application gave it; null: none',
  network: 'Network of the token',
  contract_address: 'Contract of the token',
  decimals: 'Decimals of the token',
  exchange_rate: 'Account currency per USDT',
  balance_currency: 'Currency of balances',
  min_amount: 'Smallest top-up in USDT',
  max_amount: 'Largest top-up in USDT',
  expire_minutes: 'Minutes in which a top-up is to be paid',
  confirmations_required: 'Blocks that make a payment irreversible',
  enabled: 'Whether top-ups are taken',
}
