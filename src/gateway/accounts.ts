import { hash, timingSafeEqual } from 'node:crypto'
import type { AccountsPage, Allowed, GatewayAccount, GatewayProduct } from '../core/gateway/wire.ts'
import type { z } from 'zod'
import type { Allowance } from './allowance.ts'
import { NetworkTable } from './client-address.ts'
import { type Listed, Roster } from './roster.ts'

/** The quotas that the accounts of a directory take their traffic from. */
export interface Quotas {
  /**
   * Takes over what the shop knows of an account.
   *
   * @param sequence the last batch of this gateway that the shop had counted
   * @param fresh whether the whole list is read anew: what was known before is void
   * @returns the allowance of its connections; always the same object for an account
   */
  know(account: GatewayAccount, sequence: number, fresh: boolean): Allowance
  /** Drops the quota of an account that is gone. */
  forget(username: string): void
}

/** Something that is open for an account. */
export interface Closable extends Listed {
  close(): void
}

/** The access that a client address has without a password. */
export interface AllowedClient extends z.output<typeof Allowed> {
  readonly account: Account
}

/** A credential of the gateway: the shop's record of it, its allowance and its open connections. */
export class Account {
  readonly username: string
  readonly allowance: Allowance
  /** Its tunnels and requests, those that are being opened included. */
  readonly connections = new Roster<Closable>()
  readonly #products: ReadonlyMap<string, GatewayProduct>
  #record: GatewayAccount
  #password: Buffer

  constructor(record: GatewayAccount, allowance: Allowance, products: ReadonlyMap<string, GatewayProduct>) {
    this.username = record.username
    this.allowance = allowance
    this.#products = products
    this.#record = record
    this.#password = digest(record.password)
  }

  get active(): boolean {
    return this.#record.status === 'active'
  }

  get pool(): string {
    return this.#record.pool
  }

  get revision(): number {
    return this.#record.revision
  }

  /** The shop's record of it: another object after each change. */
  get record(): GatewayAccount {
    return this.#record
  }

  get allow(): GatewayAccount['allow'] {
    return this.#record.allow
  }

  /** The places of its product; undefined: not told, as for a product without restrictions. */
  get product(): GatewayProduct | undefined {
    return this.#products.get(this.#record.product_no)
  }

  update(record: GatewayAccount): void {
    this.#record = record
    this.#password = digest(record.password)
    if (!this.active) this.close()
  }

  /** Ends all of its connections. */
  close(): void {
    this.connections.forEach((connection) => connection.close())
  }

  /** Compares in constant time. */
  hasPassword(password: string): boolean {
    return timingSafeEqual(digest(password), this.#password)
  }
}

/** The accounts and products that this process knows from the shop's feed. */
export class Accounts {
  readonly #quotas: Quotas
  readonly #accounts = new Map<string, Account>()
  readonly #products = new Map<string, GatewayProduct>()
  readonly #allowed = new NetworkTable<AllowedClient>()
  readonly #entries = new Map<Account, readonly AllowedClient[]>()
  /** While the whole list is read anew: the known usernames that it has not held so far. */
  #unseen: Set<string> | undefined

  constructor(quotas: Quotas) {
    this.#quotas = quotas
  }

  /** Takes over a page of the feed; accounts that a whole list does not hold any more are gone at its end. */
  apply(page: AccountsPage): void {
    if (page.products) {
      this.#products.clear()
      for (const product of page.products) this.#products.set(product.product_no, product)
    }
    if (page.reset) this.#unseen = new Set(this.#accounts.keys())
    for (const record of page.accounts) this.#set(record, page.sequence)
    if (page.more) return
    for (const username of this.#unseen ?? []) this.#remove(username)
    this.#unseen = undefined
  }

  find(username: string): Account | undefined {
    return this.#accounts.get(username)
  }

  /** Returns the access of a client address without a password; the smallest network counts. */
  allowing(address: string): AllowedClient | undefined {
    return this.#allowed.find(address)
  }

  /** Ends all connections of all accounts. */
  closeAll(): void {
    for (const account of this.#accounts.values()) account.close()
  }

  #set(record: GatewayAccount, sequence: number): void {
    const { username } = record
    const fresh = this.#unseen !== undefined
    this.#unseen?.delete(username)
    const allowance = this.#quotas.know(record, sequence, fresh)
    let account = this.#accounts.get(username)
    if (record.status === 'deleted') return this.#remove(username)
    if (!account) this.#accounts.set(username, (account = new Account(record, allowance, this.#products)))
    else if (fresh || record.revision > account.revision) account.update(record)
    else return
    this.#allow(account)
  }

  #remove(username: string): void {
    this.#quotas.forget(username)
    const account = this.#accounts.get(username)
    if (!account) return
    this.#accounts.delete(username)
    this.#disallow(account)
    account.close()
  }

  #allow(account: Account): void {
    this.#disallow(account)
    const entries = account.allow.map((allowed) => ({ ...allowed, account }))
    if (entries.length > 0) this.#entries.set(account, entries)
    for (const entry of entries) this.#allowed.set(entry.cidr, entry)
  }

  #disallow(account: Account): void {
    for (const entry of this.#entries.get(account) ?? []) this.#allowed.delete(entry.cidr, entry)
    this.#entries.delete(account)
  }
}

/** Returns a hash, which has the same length for all passwords. */
function digest(password: string): Buffer {
  return hash('sha256', password, 'buffer')
}
