import { SYSTEM } from '../core/people/operator.ts'
import type { Core } from '../core/core.ts'
import { InvalidInput } from '../core/errors.ts'
import type { OtherProxy } from './upstream.ts'

interface DemoPlace {
  readonly country: string
  readonly state: string
  readonly city: string
  /** First three parts of a documentation network (RFC 5737), and the hosts in it that are in stock. */
  readonly network: string
  readonly hosts: readonly [first: number, last: number]
}

interface DemoProduct {
  readonly product: Parameters<Core['operator']['addProduct']>[1]
  readonly tiers?: readonly { minQuantity: number; price: number }[]
  readonly places?: readonly DemoPlace[]
}

/** How many users share an address of a shared product. */
const SEATS = 4

const DEMO_PRODUCTS: readonly DemoProduct[] = [
  {
    product: {
      productNo: 'ISP-RES',
      names: { en: 'Residential ISP', zh: '住宅 ISP 静态代理', ru: 'Резидентские ISP' },
      descriptions: {
        en: 'Addresses of home internet providers, yours alone. For shops, social media and long-lived accounts.',
        zh: '家庭宽带运营商的独享代理 IP，适合电商、社媒和长期账号。',
        ru: 'Адреса домашних провайдеров, только ваши. Для магазинов, соцсетей и долгой работы с аккаунтами.',
      },
      proxyType: 103,
      price: 4.5,
    },
    tiers: [
      { minQuantity: 10, price: 4 },
      { minQuantity: 50, price: 3.5 },
    ],
    places: [
      { country: 'US', state: 'NY', city: 'USNYC', network: '192.0.2', hosts: [1, 120] },
      { country: 'US', state: 'CA', city: 'USLAX', network: '192.0.2', hosts: [121, 200] },
      { country: 'GB', state: '', city: 'GBLON', network: '198.51.100', hosts: [1, 80] },
      { country: 'JP', state: '', city: 'JPTYO', network: '198.51.100', hosts: [81, 120] },
      { country: 'FR', state: '', city: '', network: '198.51.100', hosts: [121, 160] },
    ],
  },
  {
    product: {
      productNo: 'DC-CLOUD',
      names: { en: 'Datacenter', zh: '数据中心静态代理', ru: 'Серверные' },
      descriptions: {
        en: 'Fast addresses of data centres, by the day. For scraping and tests.',
        zh: '机房高速代理 IP，按天计费，适合数据采集和测试。',
        ru: 'Быстрые адреса дата-центров, посуточно. Для парсинга и тестов.',
      },
      proxyType: 101,
      price: 0.1,
      periodUnit: 1,
      periodLength: 1,
      cidrSupported: true,
      assignIpSupported: true,
    },
    tiers: [{ minQuantity: 20, price: 0.08 }],
    places: [
      { country: 'DE', state: '', city: 'DEFRA', network: '203.0.113', hosts: [1, 150] },
      { country: 'SG', state: '', city: 'SGSIN', network: '203.0.113', hosts: [151, 250] },
    ],
  },
  {
    product: {
      productNo: 'ISP-SHARED',
      names: { en: 'Shared ISP', zh: '共享 ISP 静态代理', ru: 'Общие ISP' },
      descriptions: {
        en: 'Addresses of home internet providers, shared by up to four customers, each in a project of its own.',
        zh: '家庭宽带运营商的代理 IP，最多四位客户共用，各用于自己的业务场景。',
        ru: 'Адреса домашних провайдеров, одним пользуются до четырёх клиентов, каждый для своего проекта.',
      },
      proxyType: 103,
      shared: true,
      projects: [
        { code: 'tiktok', name: 'TikTok' },
        { code: 'facebook', name: 'Facebook' },
        { code: 'instagram', name: 'Instagram' },
        { code: 'amazon', name: 'Amazon' },
        { code: 'ebay', name: 'eBay' },
      ],
      price: 1.2,
    },
    tiers: [{ minQuantity: 10, price: 1 }],
    places: [
      { country: 'US', state: 'NY', city: 'USNYC', network: '192.0.2', hosts: [201, 220] },
      { country: 'DE', state: '', city: '', network: '198.51.100', hosts: [161, 180] },
    ],
  },
  // A product of each traffic pool. The gateway's address is set when it listens; these names cannot be registered (RFC 2606).
  {
    product: {
      productNo: 'DYN-1',
      names: { en: 'Dynamic residential', zh: '动态住宅代理', ru: 'Динамические резидентские' },
      descriptions: {
        en: 'Residential addresses that change with each request or stay for a session. Billed by the GB.',
        zh: '每次请求更换或在会话内保持不变的住宅 IP，按 GB 计费。',
        ru: 'Резидентские адреса: новый на каждый запрос или один на всю сессию. Оплата за GB.',
      },
      proxyType: 104,
      pool: 'dynamic_1',
      gateway: 'gw1.proxy.example:8001',
      countries: ['US', 'GB', 'DE', 'JP'],
      price: 3,
    },
    tiers: [
      { minQuantity: 10, price: 2.5 },
      { minQuantity: 100, price: 2 },
    ],
  },
  {
    product: {
      productNo: 'DYN-2',
      names: {
        en: 'Public pool, residential',
        zh: '公共池动态住宅代理',
        ru: 'Общий пул, резидентские',
      },
      descriptions: {
        en: 'The cheaper pool of residential addresses, shared by everybody. Billed by the GB.',
        zh: '价格更低的公共住宅 IP 池，按 GB 计费。',
        ru: 'Пул резидентских адресов дешевле, общий для всех. Оплата за GB.',
      },
      proxyType: 104,
      pool: 'dynamic_2',
      gateway: 'gw2.proxy.example:8002',
      price: 2,
    },
    tiers: [{ minQuantity: 10, price: 1.6 }],
  },
  {
    product: {
      productNo: 'DYN-3',
      names: { en: 'Dynamic domestic', zh: '国内动态代理', ru: 'Динамические, Китай' },
      descriptions: {
        en: 'Addresses in mainland China. Billed by the GB.',
        zh: '中国大陆 IP，按 GB 计费。',
        ru: 'Адреса в материковом Китае. Оплата за GB.',
      },
      proxyType: 105,
      pool: 'dynamic_3',
      gateway: 'gw3.proxy.example:8003',
      countries: ['CN'],
      price: 1.5,
    },
    tiers: [{ minQuantity: 50, price: 1.2 }],
  },
]

/** Adds the products of the sandbox with prices and stock; existing ones stay as they are. */
export async function plantCatalogue(core: Core): Promise<void> {
  for (const { product, tiers = [], places } of DEMO_PRODUCTS) {
    if (!(await addProduct(core, product))) continue
    for (const tier of tiers) await core.operator.setPrice(SYSTEM, { productNo: product.productNo, ...tier })
    if (places) await core.operator.importStock(SYSTEM, stockFile(product, places))
  }
}

/**
 * Creates a product without asking first whether it is there: a list of the products would count the stock of each.
 *
 * @returns false when there is one with this number
 */
async function addProduct(core: Core, product: DemoProduct['product']): Promise<boolean> {
  try {
    await core.operator.addProduct(SYSTEM, product)
    return true
  } catch (error) {
    if (error instanceof InvalidInput && error.issues.some(({ message }) => message === 'product_exists'))
      return false
    throw error
  }
}

function stockFile({ productNo, shared }: DemoProduct['product'], places: readonly DemoPlace[]): string {
  const lines = places.flatMap(({ country, state, city, network, hosts: [first, last] }) =>
    Array.from({ length: last - first + 1 }, (_, index) => first + index).flatMap((host) =>
      usernames(host, shared).map((username) => {
        const password = passwordOf(host, username)
        const place = `${country},${state},${city}`
        return `${productNo},${network}.${host},8000,${username},${password},${place},${rangeOf(network, host)}`
      }),
    ),
  )
  return ['product_no,ip,port,username,password,country_code,state,city_code,cidr', ...lines].join('\n')
}

/** Returns the proxies of the demo stock. */
export function demoStock(): OtherProxy[] {
  return DEMO_PRODUCTS.flatMap(({ product: { shared }, places = [] }) =>
    places.flatMap(({ network, hosts: [first, last] }) =>
      Array.from({ length: last - first + 1 }, (_, index) => first + index).flatMap((host) =>
        usernames(host, shared).map((username) => ({
          ip: `${network}.${host}`,
          username,
          password: passwordOf(host, username),
        })),
      ),
    ),
  )
}

function passwordOf(host: number, username: string): string {
  return `${(host * 7919).toString(36)}${username.length}pw`
}

function usernames(host: number, shared = false): string[] {
  return shared ? Array.from({ length: SEATS }, (_, seat) => `demo${host}x${seat + 1}`) : [`demo${host}`]
}

/** Returns the range of 64 addresses that a host is in. */
function rangeOf(network: string, host: number): string {
  return `${network}.${host - (host % 64)}/26`
}
