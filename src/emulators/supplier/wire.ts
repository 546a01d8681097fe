import { amountOf } from './amounts.ts'
import type { Book } from './book.ts'
import type { InstanceRecord, OrderRecord } from './records.ts'
import type { Product } from './types.ts'

/** How Go writes a time that is not set. */
const NO_TIME = '0001-01-01T00:00:00Z'

const seconds = (time: Date) => Math.floor(time.getTime() / 1000)
const timeOf = (time: Date | undefined) => time?.toISOString() ?? NO_TIME

export function productView(product: Product) {
  return {
    productNo: product.productNo,
    productName: product.productName,
    proxyType: product.proxyType,
    useType: product.useType,
    protocol: '1,2',
    useLimit: 3,
    sellLimit: 3,
    areaCode: '',
    countryCode: product.countryCode,
    stateCode: product.stateCode,
    cityCode: product.cityCode,
    detail: '',
    costPrice: product.costPrice,
    inventory: product.inventory,
    ipType: 1,
    ispType: 1,
    netType: 1,
    duration: product.duration,
    unit: product.unit,
    bandWidth: 10,
    bandWidthType: 2,
    bandWidthPrice: '0',
    maxBandWidth: 0,
    flow: 0,
    cpu: 0,
    memory: 0,
    enable: product.enabled ? 1 : -1,
    supplierCode: 'emulator',
    cidrBlocks: product.ranges.map(({ cidr, count }) => ({ cidr, count, asn: '', isp: '' })),
    drawType: 0,
    refundDuration: product.refundSeconds,
    assignIp: -1,
    parentNo: '',
    cidrStatus: product.ranges.length > 0 ? 1 : -1,
    oneDay: -1,
    projectList: product.projects.map(({ code }) => ({ code, inventory: product.inventory })),
    productType: 1,
    resetPassword: 1,
  }
}

export function instanceView(instance: InstanceRecord) {
  const { product } = instance
  return {
    instanceNo: instance.instanceNo,
    proxyType: product.proxyType,
    protocol: '1,2',
    ip: instance.ip,
    port: instance.ip === '' ? 0 : instance.port,
    regionId: product.stateCode,
    countryCode: product.countryCode,
    cityCode: product.cityCode,
    useType: product.useType,
    username: instance.username,
    pwd: instance.password,
    orderNo: instance.orderNo,
    userExpired: seconds(instance.expiresAt),
    flowTotal: 0,
    flowBalance: 0,
    status: instance.status,
    renew: 0,
    bridges: null,
    openAt: timeOf(instance.status === 2 ? undefined : instance.openedAt),
    renewAt: timeOf(instance.renewedAt),
    releaseAt: timeOf(instance.releasedAt),
    productNo: product.productNo,
    extendIp: '',
    projectId: instance.projectId,
  }
}

/** Orders have types; a reset of passwords has none. */
export const ORDER_TYPES = { open: 1, renew: 2, release: 3, reset: 0 } as const

export function orderView(book: Book, order: OrderRecord, page: number, pageSize: number) {
  const from = (page - 1) * pageSize
  const shown = order.instanceNos.slice(from, from + pageSize)
  return {
    orderNo: order.orderNo,
    appOrderNo: order.appOrderNo,
    type: ORDER_TYPES[order.kind],
    status: order.status,
    count: order.count,
    amount: amountOf(order.amount),
    refund: order.hasRefund ? 1 : 0,
    page,
    pageSize,
    total: order.instanceNos.length,
    instances: shown.flatMap((instanceNo) => {
      const instance = book.instances.get(instanceNo)
      return instance ? [instanceView(instance)] : []
    }),
  }
}

/** An order in which nothing was filled in, as Go writes it. */
export const EMPTY_ORDER = {
  orderNo: '',
  appOrderNo: '',
  type: 0,
  status: 0,
  count: 0,
  amount: '',
  refund: 0,
  page: 0,
  pageSize: 0,
  total: 0,
  instances: null,
}

export function listedOrderView(order: OrderRecord) {
  return {
    orderNo: order.orderNo,
    appOrderNo: order.appOrderNo,
    cityCode: '',
    instanceNo: order.kind === 'open' ? '' : (order.instanceNos[0] ?? ''),
    type: ORDER_TYPES[order.kind],
    status: order.status,
    count: order.count,
    successCount: order.done,
    amount: amountOf(order.amount),
    extBandWidth: 0,
    flow: 0,
    createdAt: order.createdAt.toISOString(),
  }
}
