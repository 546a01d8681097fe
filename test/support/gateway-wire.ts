import { AccountsPage, UsageAnswer, type UsageBatch, type UsageItem } from '../../src/core/gateway/wire.ts'
import type { Answer, Api } from './api.ts'
import { openApi } from './api.ts'
import { GATEWAY_TOKEN } from './service.ts'

export const ACCOUNTS = '/gateway/v1/accounts'
export const USAGE = '/gateway/v1/usage'

/** A batch in which nothing happened, unless said otherwise. */
export function batch(sequence: number, change: Partial<UsageBatch> = {}): UsageBatch {
  return {
    sequence,
    items: [],
    flushed: [],
    exits: [],
    gateway: { started_at: '2026-03-01T00:00:00.000Z', workers: 1, connections: 0, accepted: 0, refused: {} },
    ended: false,
    ...change,
  }
}

/** Use of an account on the day on which the clock of the tests begins, unless said otherwise. */
export function used(account: string, bytes: number, change: Partial<UsageItem> = {}): UsageItem {
  return { account, day: '2026-03-01', bytes, targets: [], ...change }
}

/** What a gateway does, over HTTP. */
export function gatewayOf({ call }: Pick<Api, 'call'>, id = 'gateway-of-the-tests') {
  const headers = { authorization: `Bearer ${GATEWAY_TOKEN}`, 'gateway-id': id }
  const poll = (query: Readonly<Record<string, string | number>> = {}) => {
    const search = new URLSearchParams(
      Object.entries(query).map(([name, value]) => [name, String(value)] as [string, string]),
    )
    return call('GET', `${ACCOUNTS}?${search.toString()}`, { headers })
  }
  const report = (payload: UsageBatch) => call('POST', USAGE, { headers, payload })
  return {
    poll,
    report,
    /** A page of the feed. */
    page: async (query?: Parameters<typeof poll>[0]) => AccountsPage.parse(dataOf(await poll(query))),
    /** The answer to a batch. */
    count: async (payload: UsageBatch) => UsageAnswer.parse(dataOf(await report(payload))),
  }
}

function dataOf({ body }: Answer): unknown {
  if (body.code !== 0) throw new Error(JSON.stringify(body))
  return body.data
}

/** A shop with an agent that has bought 10 GB of `traffic`, and a sub-account `crawler` with 2 of them. */
export async function trafficShop(options: Parameters<typeof openApi>[0] = {}) {
  const api = await openApi(options)
  await api.product('traffic', { proxyType: 104, pool: 'dynamic_1' })
  const seller = await api.agent({ name: 'seller', balance: 1_000_000 })
  await api.buyTraffic(seller, { trafficAmount: 10 })
  const { username: main, id: trafficId } = await api.db.read.$kysely
    .selectFrom('traffic')
    .select(['id', 'username'])
    .executeTakeFirstOrThrow()
  const sub = await api.core.traffic.createSubAccount(seller, {
    productNo: 'traffic',
    username: 'crawler',
    amount: 2,
  })
  /** Bytes used and left of the main account and of the sub-account. */
  const flow = async () => {
    const { used: usedBytes, remaining } = await api.core.traffic.remainingFlow(seller, seller.id, 'traffic')
    const crawler = await api.db.read.$kysely
      .selectFrom('subAccounts')
      .select(['usedBytes', 'limitBytes'])
      .where('id', '=', sub.id)
      .executeTakeFirstOrThrow()
    return {
      used: usedBytes,
      remaining,
      subUsed: crawler.usedBytes,
      subRemaining: crawler.limitBytes - crawler.usedBytes,
    }
  }
  return { ...api, seller, main, trafficId, sub, flow, gateway: gatewayOf(api) }
}
