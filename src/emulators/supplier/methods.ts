import { amountOf } from './amounts.ts'
import type { Book } from './book.ts'
import type { OrderRecord } from './records.ts'
import { planRelease, planRenewal, planReset } from './later-orders.ts'
import { planOpening } from './opening.ts'
import type { Parameters } from './parameters.ts'
import { processOnce } from './process-order.ts'
import { impossible, noAccess } from './refusal.ts'
import type { Account, Method } from './types.ts'
import { EMPTY_ORDER, instanceView, listedOrderView, orderView, productView } from './wire.ts'

const YEAR_MS = 365 * 86_400_000
/** The platform writes and reads times without a zone in that of China. */
const ZONE = '+08:00'

type Handlers = { readonly [M in Method]: (account: Account, parameters: Parameters<M>) => unknown }

/** Makes the handlers of the methods, which return the data of the answer; undefined: no data. */
export function createMethods(book: Book): Handlers {
  const { behaviour, clock, products } = book

  const accepted = (order: OrderRecord) => ({
    orderNo: order.orderNo,
    appOrderNo: order.appOrderNo,
    amount: amountOf(order.amount),
  })

  /** Returns a test whether a time lies in the asked span, of at most a year. */
  const inSpan = (span: { startTime?: string | undefined; endTime?: string | undefined }) => {
    const yearAgo = clock.now().getTime() - YEAR_MS
    const from = Math.max(yearAgo, span.startTime === undefined ? yearAgo : zoned(span.startTime))
    const to = span.endTime === undefined ? Infinity : zoned(span.endTime)
    return (time: Date) => time.getTime() >= from && time.getTime() <= to
  }

  return {
    info: (account) => ({
      appName: account.key,
      coin: account.coin,
      useBridge: 1,
      callbackUrl: account.callbackUrl ?? '',
      credit: account.credit,
      status: account.enabled ? 1 : -1,
    }),

    'product/query': (_, asked) =>
      [...products.values()]
        .filter(
          (product) =>
            (asked.proxyType?.includes(product.proxyType) ?? true) &&
            (asked.productNo ?? product.productNo) === product.productNo &&
            (asked.countryCode ?? product.countryCode) === product.countryCode &&
            (asked.cityCode ?? product.cityCode) === product.cityCode &&
            (asked.unit ?? product.unit) === product.unit &&
            (asked.duration ?? product.duration) === product.duration,
        )
        .map(productView),

    'city/list': () => {
      const cities = new Map([...products.values()].map((product) => [product.cityCode, product]))
      return [...cities.values()].map((product) => ({
        cityCode: product.cityCode,
        cityName: '',
        cityEnName: product.cityName,
        stateCode: product.stateCode,
        stateName: '',
        stateEnName: '',
        countryCode: product.countryCode,
        countryName: '',
        countryEnName: '',
        areaCode: '',
        areaName: '',
        areaEnName: '',
        status: 1,
      }))
    },

    'project/list': () => {
      const projects = [...products.values()].flatMap((product) => product.projects)
      const names = new Map(projects.map(({ code, name }) => [code, name]))
      return [...names].map(([code, name]) => ({ code, name, status: 1 }))
    },

    order(account, { orderNo, appOrderNo, page = 1, pageSize = 10 }) {
      const asked = book.orders.find(
        (one) =>
          one.account === account &&
          one.kind !== 'reset' &&
          (orderNo ?? one.orderNo) === one.orderNo &&
          (appOrderNo ?? one.appOrderNo) === one.appOrderNo,
      )
      const order = behaviour.showsOtherOrder ? book.orders.at(-1) : asked
      if (order) return orderView(book, order, page, pageSize)
      if (behaviour.unknownOrder === 'refusal') throw impossible('订单不存在')
      return behaviour.unknownOrder === 'no data' ? undefined : EMPTY_ORDER
    },

    'order/list'(account, { page = 1, pageSize = 20, ...span }) {
      const isIn = inSpan(span)
      const orders = book.orders.filter(
        (one) => one.account === account && one.kind !== 'reset' && isIn(one.createdAt),
      )
      return pageOf(orders.toReversed().map(listedOrderView), page, pageSize)
    },

    instance: (account, { instances }) =>
      instances.flatMap((instanceNo) => {
        const instance = book.instanceOf(account, instanceNo)
        return instance ? [instanceView(instance)] : []
      }),

    'instance/list'(account, { page = 1, pageSize = 20, ...span }) {
      const isIn = inSpan(span)
      const instances = [...book.instances.values()].filter(
        (one) => one.account === account && isIn(one.openedAt),
      )
      return pageOf(instances.toReversed().map(instanceView), page, pageSize)
    },

    'instance/open': (account, { appOrderNo, params }) =>
      accepted(
        processOnce(book, account, 'open', appOrderNo, (orderNo) =>
          planOpening(book, enabled(account), orderNo, params),
        ),
      ),

    'instance/renew': (account, { appOrderNo, instances }) =>
      accepted(
        processOnce(book, account, 'renew', appOrderNo, () => planRenewal(book, enabled(account), instances)),
      ),

    'instance/release': (account, { appOrderNo, instances }) =>
      accepted(
        processOnce(book, account, 'release', appOrderNo, () =>
          planRelease(book, enabled(account), instances),
        ),
      ),

    'instance/reset/password'(account, { resetNo, instanceNoList }) {
      const order = processOnce(book, account, 'reset', resetNo, () =>
        planReset(book, enabled(account), instanceNoList),
      )
      return {
        resetNo,
        list: order.instanceNos.map((instanceNo, index) => ({
          instanceNo,
          newPassword: index < order.done ? (book.instances.get(instanceNo)?.password ?? '') : '',
          status: order.status < 3 ? order.status : index < order.done ? 3 : 4,
        })),
      }
    },
  }
}

function enabled(account: Account): Account {
  if (!account.enabled) throw noAccess('the account is disabled')
  return account
}

function zoned(time: string): number {
  return Date.parse(`${time.replace(' ', 'T')}${ZONE}`)
}

function pageOf<Row>(rows: readonly Row[], page: number, pageSize: number) {
  const from = (page - 1) * pageSize
  return { page, pageSize, total: rows.length, curPage: page, list: rows.slice(from, from + pageSize) }
}
