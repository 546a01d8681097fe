import type { Core } from '../core/core.ts'

/** Log-ins that everybody knows (contract 9); they exist in the sandbox only. */
export const DEMO_ACCOUNTS = {
  agent: { username: 'agent', password: 'agent-demo', balance: 1000 },
  customer: { username: 'customer', password: 'customer-demo', balance: 50 },
} as const

interface DemoPlace {
  readonly country: string
  readonly state: string
  readonly city: string
  /** First three parts of a documentation network (RFC 5737), and the hosts in it that are there. */
  readonly network: string
  readonly hosts: readonly [first: number, last: number]
}

const DEMO_PRODUCTS = [
  {
    product: {
      productNo: 'ISP-RES',
      nameEn: 'Residential ISP',
      nameZh: '住宅 ISP 静态代理',
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
    ],
  },
  {
    product: {
      productNo: 'DC-CLOUD',
      nameEn: 'Datacenter',
      nameZh: '数据中心静态代理',
      proxyType: 101,
      price: 0.1,
      periodUnit: 1,
      periodLength: 1,
    },
    tiers: [{ minQuantity: 20, price: 0.08 }],
    places: [
      { country: 'DE', state: '', city: 'DEFRA', network: '203.0.113', hosts: [1, 150] },
      { country: 'SG', state: '', city: 'SGSIN', network: '203.0.113', hosts: [151, 250] },
    ],
  },
] as const satisfies readonly {
  product: Parameters<Core['operator']['addProduct']>[0]
  tiers: readonly { minQuantity: number; price: number }[]
  places: readonly DemoPlace[]
}[]

/** A product of each traffic pool; nothing listens at the gateways, whose names cannot be registered (RFC 2606). */
const DEMO_TRAFFIC = [
  {
    product: {
      productNo: 'DYN-1',
      nameEn: 'Dynamic residential',
      nameZh: '动态住宅代理',
      proxyType: 104,
      pool: 'dynamic_1',
      gateway: 'gw1.proxy.example:8001',
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
      nameEn: 'Dynamic residential, public pool',
      nameZh: '动态住宅代理（公共池）',
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
      nameEn: 'Dynamic domestic',
      nameZh: '国内动态代理',
      proxyType: 105,
      pool: 'dynamic_3',
      gateway: 'gw3.proxy.example:8003',
      price: 1.5,
    },
    tiers: [{ minQuantity: 50, price: 1.2 }],
  },
] as const satisfies readonly {
  product: Parameters<Core['operator']['addProduct']>[0]
  tiers: readonly { minQuantity: number; price: number }[]
}[]

/**
 * Fills an empty database for the sandbox: an agent with a customer, two static products with stock, and a dynamic one of each
 * pool. A database of the sandbox is left as it is.
 *
 * @throws when the database is somebody's real one
 */
export async function plantDemoData(core: Core): Promise<void> {
  const origin = await core.database.origin()
  if (origin === 'production') {
    throw new Error(
      'This database holds real accounts: the sandbox does not touch it. Set BOT_TOKEN, or another DATABASE_URL.',
    )
  }
  await core.database.claimForSandbox()
  const known = new Set((await core.operator.listProducts()).map(({ productNo }) => productNo))
  for (const { product, tiers, ...rest } of [...DEMO_PRODUCTS, ...DEMO_TRAFFIC]) {
    if (known.has(product.productNo)) continue
    await core.operator.addProduct(product)
    for (const tier of tiers) await core.operator.setPrice({ productNo: product.productNo, ...tier })
    if ('places' in rest) await core.operator.importStock(stockFile(product.productNo, rest.places))
  }
  await plantAccounts(core)
}

/** The agent gets what it hands on to its customer on top, so that both begin with the balances that they should have. */
async function plantAccounts(core: Core): Promise<void> {
  const { agent, customer } = DEMO_ACCOUNTS
  const taken = (error: unknown) => {
    if (!(error instanceof Error && error.message === 'username_taken')) throw error
  }
  await core.operator.createAgent({ ...agent, balance: agent.balance + customer.balance }).catch(taken)
  const { token } = await core.accounts.logIn({ ...agent, address: 'sandbox' })
  await core.accounts.createSubUser(await core.accounts.authenticate(token), customer).catch(taken)
}

function stockFile(productNo: string, places: readonly DemoPlace[]): string {
  const lines = places.flatMap(({ country, state, city, network, hosts: [first, last] }) =>
    Array.from({ length: last - first + 1 }, (_, index) => {
      const host = first + index
      return `${productNo},${network}.${host},8000,demo${host},${(host * 7919).toString(36)}pw,${country},${state},${city},${network}.0/24`
    }),
  )
  return ['product_no,ip,port,username,password,country_code,state,city_code,cidr', ...lines].join('\n')
}
