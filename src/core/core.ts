import { adjustBalanceByOperator } from './accounts/adjust-balance.ts'
import { authentication } from './accounts/authenticate.ts'
import { currentBalance } from './accounts/balance.ts'
import { createAgent, createSubUser } from './accounts/create-account.ts'
import { logIn, type LogIn } from './accounts/log-in.ts'
import { LoginThrottle } from './accounts/login-throttle.ts'
import { PasswordHasher } from './accounts/passwords.ts'
import { Tokens } from './accounts/tokens.ts'
import { importStock } from './catalog/import-stock.ts'
import { listIpRanges } from './catalog/ip-ranges.ts'
import { addProduct, listProducts } from './catalog/manage-products.ts'
import { setPrice } from './catalog/prices.ts'
import { queryProducts } from './catalog/query-products.ts'
import {
  chatSession,
  logInChat,
  logOutChat,
  setChatBlocked,
  setChatLanguage,
  setChatScreen,
} from './chats/chat-sessions.ts'
import { deleteDialogue, readDialogue, writeDialogue } from './chats/dialogues.ts'
import type { Clock } from './clock.ts'
import type { Database } from './database/database.ts'
import type { CoreDeps } from './deps.ts'
import { JobQueue } from './jobs/job-queue.ts'
import { audit } from './ledger/audit.ts'
import { deliverNotice } from './notices/deliver-notice.ts'
import { activeInstances } from './orders/active-instances.ts'
import { staticOrderCompletion } from './orders/complete-static-order.ts'
import { createStaticOrder } from './orders/create-static-order.ts'
import { getStaticOrder, listStaticOrders } from './orders/list-static-orders.ts'
import { quoteStaticOrder } from './orders/quote-static-order.ts'
import type { Supplier } from './orders/supplier.ts'
import { claimForSandbox, databaseOrigin } from './settings.ts'

export interface CoreOptions {
  readonly db: Database
  readonly clock: Clock
  /** Suppliers by the name that products carry. */
  readonly suppliers: Readonly<Record<string, Supplier>>
  /** ISO 4217 code of the account currency. */
  readonly currency: string
  /** Key that signs access tokens. */
  readonly jwtSecret: string
  /** Lifetime of access tokens in seconds. */
  readonly jwtTtl: number
}

export type Core = ReturnType<typeof createCore>

/**
 * The service: every rule of the spec behind one interface, which bot, api, jobs and cli call. Each function is described
 * where it is written.
 */
export function createCore({ db, clock, suppliers, currency, jwtSecret, jwtTtl }: CoreOptions) {
  const deps: CoreDeps = {
    db,
    clock,
    suppliers,
    currency,
    jobs: new JobQueue(db, clock),
    passwords: new PasswordHasher(),
    tokens: new Tokens(jwtSecret, jwtTtl, clock),
    throttle: new LoginThrottle(clock),
  }
  const bind =
    <Args extends unknown[], Result>(useCase: (deps: CoreDeps, ...args: Args) => Result) =>
    (...args: Args): Result =>
      useCase(deps, ...args)

  return {
    currency,
    accounts: {
      /** Like {@link logIn}, with the token that proves it from now on. */
      logIn: async (credentials: LogIn) => {
        const { tokenVersion, ...account } = await logIn(deps, credentials)
        return {
          account,
          token: deps.tokens.issue(account.id, tokenVersion),
          expiresIn: deps.tokens.lifetime,
        }
      },
      authenticate: authentication(deps),
      balance: bind(currentBalance),
      createSubUser: bind(createSubUser),
    },
    catalog: {
      query: bind(queryProducts),
      ipRanges: bind(listIpRanges),
    },
    orders: {
      quoteStatic: bind(quoteStaticOrder),
      createStatic: bind(createStaticOrder),
      listStatic: bind(listStaticOrders),
      getStatic: bind(getStaticOrder),
      activeInstances: bind(activeInstances),
    },
    chats: {
      session: bind(chatSession),
      logIn: bind(logInChat),
      logOut: bind(logOutChat),
      setLanguage: bind(setChatLanguage),
      setScreen: bind(setChatScreen),
      setBlocked: bind(setChatBlocked),
      readDialogue: bind(readDialogue),
      writeDialogue: bind(writeDialogue),
      deleteDialogue: bind(deleteDialogue),
    },
    /** What the operator may do, who is not an account. */
    operator: {
      createAgent: bind(createAgent),
      adjustBalance: bind(adjustBalanceByOperator),
      addProduct: bind(addProduct),
      listProducts: bind(listProducts),
      setPrice: bind(setPrice),
      importStock: bind(importStock),
      audit: bind(audit),
    },
    /** What the background loop does. */
    jobs: {
      queue: deps.jobs,
      completeStaticOrder: staticOrderCompletion(deps),
      deliverNotice: bind(deliverNotice),
    },
    database: {
      origin: bind(databaseOrigin),
      claimForSandbox: bind(claimForSandbox),
      /** Answers when the database can be read. */
      ping: async () => void (await db.read.$queryRaw`SELECT 1`),
    },
  }
}
