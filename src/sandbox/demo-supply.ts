import { SYSTEM } from '../core/people/operator.ts'
import type { Core } from '../core/core.ts'
import { InvalidInput } from '../core/errors.ts'
import type { SupplierEmulator } from '../emulators/supplier/types.ts'

/** The name of the connection to the supplier of the sandbox. */
export const DEMO_SUPPLIER = 'demo-supplier'

/** Offers of the supplier, priced per proxy and month, with the platform's codes of places. */
const SOLD = [
  {
    productNo: 'res_us_lax_m1',
    productName: 'Residential, Los Angeles',
    countryCode: 'USA',
    stateCode: 'USA005',
    cityCode: 'USA005001',
    cityName: 'Los Angeles',
    costPrice: '2.80',
    inventory: 60,
  },
  {
    productNo: 'res_gb_lon_m1',
    productName: 'Residential, London',
    countryCode: 'GBR',
    stateCode: 'GBR000',
    cityCode: 'GBR000001',
    cityName: 'London',
    costPrice: '3.20',
    inventory: 40,
  },
  {
    productNo: 'res_jp_tyo_m1',
    productName: 'Residential, Tokyo',
    countryCode: 'JPN',
    stateCode: 'JPN000',
    cityCode: 'JPN000001',
    cityName: 'Tokyo',
    costPrice: '4.10',
    inventory: 25,
  },
] as const

const SUPPLIED = {
  productNo: 'ISP-SUPPLIED',
  names: { en: 'Supplied residential', zh: '供应商住宅 ISP 代理', ru: 'Резидентские от поставщика' },
  descriptions: {
    en: 'Residential addresses bought from a supplier when you order. Prices follow what they cost there.',
    zh: '下单时向上游供应商采购的住宅 IP，价格随采购成本浮动。',
    ru: 'Резидентские адреса, которые закупаются у поставщика под ваш заказ. Цена зависит от закупочной.',
  },
  marginPercent: 30,
  minMarginPercent: 5,
} as const

/** Adds the offers of the supplier; existing ones stay as they are. */
export function stockUpstream(emulator: SupplierEmulator): void {
  const known = new Set(emulator.products().map(({ productNo }) => productNo))
  for (const product of SOLD)
    if (!known.has(product.productNo)) emulator.setProduct({ ...product, unit: 3, duration: 1 })
}

/**
 * Connects the shop to its supplier, which may listen at another address each time, and adds the product that it delivers; an existing
 * product stays as it is.
 *
 * @param url address of the supplier
 */
export async function plantSupply(core: Core, { account }: SupplierEmulator, url: string): Promise<void> {
  const { suppliers } = core.operator
  const { key, secret } = account
  const isNew = await unlessThere('supplier_exists', () =>
    suppliers.add(SYSTEM, {
      name: DEMO_SUPPLIER,
      driver: 'ipipv',
      url,
      key,
      secret,
      refundHours: 24,
      alarmBalance: 50,
    }),
  )
  if (!isNew) await suppliers.edit(SYSTEM, DEMO_SUPPLIER, { url, key, secret })
  await suppliers.sync(SYSTEM, DEMO_SUPPLIER)
  await unlessThere('product_exists', () =>
    core.operator.addSuppliedProduct(SYSTEM, {
      ...SUPPLIED,
      supplier: DEMO_SUPPLIER,
      offers: SOLD.map(({ productNo }) => productNo),
    }),
  )
}

/**
 * Adds something without asking first whether it is there.
 *
 * @param problem name of the rule by which the core refuses something that exists
 * @returns false when it was there
 */
async function unlessThere(problem: string, add: () => Promise<unknown>): Promise<boolean> {
  try {
    await add()
    return true
  } catch (error) {
    if (error instanceof InvalidInput && error.issues.some(({ message }) => message === problem)) return false
    throw error
  }
}
