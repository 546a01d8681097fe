import type { FastifyPluginAsync } from 'fastify'

/** A decimal amount, such as `12.5`. */
export type Amount = string

/** The methods of the API, `/api/open/app/<method>/v2`, as faults and the request log name them. */
export const METHODS = [
  'info',
  'product/query',
  'city/list',
  'project/list',
  'order',
  'order/list',
  'instance',
  'instance/list',
  'instance/open',
  'instance/renew',
  'instance/release',
  'instance/reset/password',
] as const
export type Method = (typeof METHODS)[number]

/** What orders do; a reset is none of the platform's orders, but has a number like them. */
export type OrderKind = 'open' | 'renew' | 'release' | 'reset'

/** An account of the platform, an "app". */
export interface Account {
  readonly key: string
  /** 32 bytes. */
  readonly secret: string
  /** Money; may go down to the negative credit. */
  coin: Amount
  credit: Amount
  enabled: boolean
  /** Where callbacks go; undefined: nowhere. */
  callbackUrl: string | undefined
}

/** What is sold: one place for one period. May be changed at any time. */
export interface Product {
  productNo: string
  productName: string
  /** 101 data centre, 102 residential in China, 103 residential elsewhere. */
  proxyType: number
  /** Codes: alpha-3 of the country, six characters of the state, nine of the city. */
  countryCode: string
  stateCode: string
  cityCode: string
  cityName: string
  costPrice: Amount
  inventory: number
  /** 1 days, 2 weeks, 3 calendar months, 4 calendar years, 10 unlimited. */
  unit: number
  duration: number
  enabled: boolean
  /** 1 password, 2 white list, 3 uuid. */
  useType: string
  /** Ranges of addresses that can be chosen. */
  ranges: { cidr: string; count: number }[]
  projects: { code: string; name: string }[]
  /** Seconds after the opening in which a release gives the price back. */
  refundSeconds: number
}

/** 1 waiting, 2 under way, 3 done, 4 failed, 5 partly done. */
export type OrderStatus = 1 | 2 | 3 | 4 | 5
/** 2 being made, 3 running, 6 stopped, 10 closed, 11 released. */
export type InstanceStatus = 2 | 3 | 6 | 10 | 11

export interface Order {
  readonly kind: OrderKind
  /** The platform's number. */
  readonly orderNo: string
  /** The buyer's number. */
  readonly appOrderNo: string
  readonly accountKey: string
  readonly count: number
  readonly createdAt: Date
  readonly status: OrderStatus
  /** How many of its proxies succeeded, when it has ended. */
  readonly done: number
  /** Of an order: what was charged at its acceptance; of a release: what was given back. */
  readonly amount: Amount
  readonly instanceNos: readonly string[]
}

export interface Instance {
  readonly instanceNo: string
  readonly orderNo: string
  readonly accountKey: string
  readonly productNo: string
  readonly ip: string
  readonly port: number
  readonly username: string
  readonly password: string
  readonly openedAt: Date
  readonly expiresAt: Date
  readonly status: InstanceStatus
}

/** One movement of an account's money: negative when the platform charged, positive when it gave back. */
export interface Charge {
  readonly accountKey: string
  readonly orderNo: string
  readonly appOrderNo: string
  readonly why: 'charge' | 'refund'
  readonly amount: Amount
}

/** How the platform behaves; may be changed at any time. */
export interface Behaviour {
  /** From the acceptance of an order to its end, in milliseconds of the clock. */
  delayMs: number
  /** No order ends any more. */
  neverCompletes: boolean
  /** How many proxies of an order are delivered, renewed or released at most; 0: the order fails. */
  deliversAtMost: number
  /** Price of one proxy for one period at the moment of the order, whatever the catalogue says. */
  priceAtOrder: Amount | undefined
  /** By how much the charge is above the price, in percent. */
  dearerByPercent: number
  /** Renewals are accepted and fail. */
  failsRenewals: boolean
  /** How much earlier than the period says proxies expire, in milliseconds. */
  expiryShortMs: number
  /** What opening does although the catalogue shows stock: refuse with a code, or accept and fail. */
  outOfStock: 'no' | 'refuses' | 'fails'
  /** What a number that was processed already gets: the first answer, or a refusal with a code. */
  repeatedNumber: 'first answer' | 'refusal'
  /** What `order` answers for an unknown number: no data, an order with nothing in it, or a refusal that says so. */
  unknownOrder: 'no data' | 'empty order' | 'refusal'
  /** `order` shows the newest order, whatever is asked for. */
  showsOtherOrder: boolean
  /** Callbacks are sent twice; several are sent newest first. */
  callbacks: { doubled: boolean; reordered: boolean }
  /** Which number of an order callbacks name. */
  callbackNumber: 'ours' | 'theirs'
}

/** What goes wrong with a request; the work of the platform is done all the same where the text says so. */
export type FaultKind =
  /** Carried out; the connection is closed without an answer. */
  | 'lose_answer'
  /** Not carried out; the connection is closed without an answer. */
  | 'lose_request'
  /** Carried out; half of the answer arrives. */
  | 'truncate'
  /** Carried out; an answer with code 200 whose data cannot be decrypted. */
  | 'garbage'
  /** Not carried out; a web page with the status. */
  | 'status_502'
  | 'status_429'
  /** Not carried out; a redirect to another address. */
  | 'redirect'
  /** Not carried out; no answer, and the connection stays open. */
  | 'hang'
  /** Not carried out; a code other than 200. */
  | 'refuse'

export interface Fault {
  /** A method, or the orders of a kind. */
  readonly on: Method | OrderKind
  readonly what: FaultKind
  /** How many requests are hit; default 1. `Infinity`: all, until it is taken back. */
  readonly times?: number
  /** Whether the platform does its work before the answer goes wrong; default: as {@link FaultKind} says. */
  readonly carriedOut?: boolean
}

export interface Faults {
  /** Orders a fault; the returned function takes it back. */
  add(fault: Fault): () => void
  clear(): void
}

/** A request as it arrived. */
export interface RecordedRequest {
  readonly method: Method
  readonly reqId: string
  readonly accountKey: string
  readonly parameters: Readonly<Record<string, unknown>>
  readonly at: Date
}

/** How often a number arrived, and how often it was carried out. */
export interface NumberUse {
  readonly seen: number
  readonly processed: number
}

export interface SupplierEmulator {
  /** Serves `/api/open/app/…/v2` under the prefix that it is registered with. */
  readonly httpApi: FastifyPluginAsync
  /** The first account. */
  readonly account: Account
  readonly behaviour: Behaviour
  readonly faults: Faults

  addAccount(account?: Partial<Account>): Account
  /** Adds a product, or changes it. */
  setProduct(product: Partial<Product> & Pick<Product, 'productNo'>): Product
  removeProduct(productNo: string): void
  product(productNo: string): Product
  /** All that is sold. */
  products(): readonly Product[]

  /** Ends the orders that are due, and sends the callbacks that wait. Each request ends due orders, too. */
  tick(): Promise<void>
  /** Stops, closes or expires a proxy, as the platform does without being asked. */
  setInstance(instanceNo: string, change: Partial<Pick<Instance, 'status' | 'expiresAt'>>): void
  /** Makes an order as another program with the same account does. */
  openElsewhere(productNo: string, count: number): Order

  orders(): readonly Order[]
  /** Finds an order by the platform's number or the buyer's. */
  order(number: string): Order | undefined
  /** Returns how often a buyer's number was used. */
  uses(appOrderNo: string): NumberUse
  readonly instances: () => readonly Instance[]
  charges(): readonly Charge[]
  requests(method?: Method): readonly RecordedRequest[]
  /** Addresses of the callbacks that were sent, oldest first, with what was answered. */
  callbacks(): readonly { readonly url: string; readonly accepted: boolean }[]
}
