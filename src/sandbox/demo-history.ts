import { SYSTEM } from '../core/people/operator.ts'
import type { Actor } from '../core/access/actor.ts'
import type { Core } from '../core/core.ts'
import { fromNumber, toNumber } from '../core/money.ts'
import { UNIT } from '../core/term.ts'
import { usdtFor, usdtText } from '../core/usdt.ts'
import { bytesOf } from '../core/bytes.ts'
import { DEMO_ACCOUNTS } from './demo-accounts.ts'
import { plantCatalogue } from './demo-catalogue.ts'
import type { PayerWallet } from './payer-wallet.ts'

type Person = 'agent' | 'customer' | 'lena' | 'mike' | 'wang'

/** What somebody did `day` days ago. */
type Event = { readonly day: number; readonly who: Person } & (
  | {
      readonly buys: string
      readonly ips: number
      readonly days: number
      readonly country: string
      readonly city?: string
      readonly project?: string
      /** The application's number of the order, where the API documents or other events name it. */
      readonly no?: string
      readonly remark?: string
    }
  | { readonly buysTraffic: string; readonly gb: number; readonly no?: string; readonly remark?: string }
  | { readonly uses: string; readonly gb: number }
  /** A sub-account with a part of the traffic, and a public link: the API documents name both. */
  | { readonly splits: string; readonly gb: number; readonly username: string }
  | { readonly links: string; readonly secret: string }
  /** A public link to the proxies: the API documents name it. */
  | { readonly linksProxies: true; readonly secret: string }
  | { readonly cancels: string; readonly reason: string }
  | { readonly renews: string; readonly days: number; readonly no: string }
  /** The amount that the agent gives to a sub-user. */
  | { readonly gets: number; readonly remark: string }
  /** A top-up, with its amount in the account currency; without a payment it expires. */
  | { readonly topsUp: number; readonly pays: boolean; readonly no?: string }
)

const FIRST_DAY = 30
/** The agent's balance at its creation. */
const OPENING_BALANCE = 900
const SUB_USERS: readonly { username: Person; remark: string; balance: number }[] = [
  { username: 'lena', remark: 'Lena, social media', balance: 60 },
  { username: 'mike', remark: 'Mike, price comparison', balance: 50 },
  { username: 'wang', remark: '王伟，电商', balance: 40 },
]

/** Oldest first. Nothing expires within the next three days: nobody's first message is a warning. */
const EVENTS: readonly Event[] = [
  { day: 29, who: 'lena', buys: 'DC-CLOUD', ips: 10, days: 7, country: 'DE' },
  { day: 29, who: 'agent', buysTraffic: 'DYN-2', gb: 10, no: 'demo-dynamic-2' },
  { day: 28, who: 'mike', buysTraffic: 'DYN-1', gb: 6 },
  { day: 27, who: 'agent', topsUp: 400, pays: true, no: 'demo-top-up-1' },
  { day: 26, who: 'wang', buys: 'ISP-SHARED', ips: 2, days: 30, country: 'US', project: 'amazon' },
  {
    day: 26,
    who: 'customer',
    buys: 'ISP-RES',
    ips: 3,
    days: 30,
    country: 'US',
    city: 'USNYC',
    no: 'demo-static-1',
  },
  {
    day: 25,
    who: 'agent',
    buys: 'ISP-RES',
    ips: 10,
    days: 30,
    country: 'US',
    city: 'USLAX',
    no: 'demo-static-2',
  },
  { day: 25, who: 'mike', uses: 'DYN-1', gb: 2.4 },
  { day: 24, who: 'customer', buysTraffic: 'DYN-1', gb: 5, no: 'demo-dynamic-1' },
  { day: 23, who: 'lena', buys: 'ISP-RES', ips: 2, days: 30, country: 'GB', city: 'GBLON' },
  { day: 22, who: 'customer', uses: 'DYN-1', gb: 1.3 },
  { day: 22, who: 'agent', uses: 'DYN-2', gb: 1.1 },
  { day: 21, who: 'customer', buys: 'DC-CLOUD', ips: 10, days: 7, country: 'SG' },
  { day: 20, who: 'wang', buys: 'DC-CLOUD', ips: 5, days: 14, country: 'SG' },
  { day: 20, who: 'agent', buys: 'DC-CLOUD', ips: 5, days: 7, country: 'DE' },
  { day: 19, who: 'customer', topsUp: 30, pays: false },
  { day: 18, who: 'customer', topsUp: 50, pays: true },
  { day: 18, who: 'mike', uses: 'DYN-1', gb: 2.9 },
  { day: 17, who: 'lena', gets: 50, remark: 'Bank transfer' },
  { day: 16, who: 'customer', buysTraffic: 'DYN-2', gb: 3, no: 'demo-dynamic-3' },
  { day: 16, who: 'agent', buysTraffic: 'DYN-1', gb: 10, no: 'demo-dynamic-4' },
  { day: 15, who: 'lena', buys: 'ISP-SHARED', ips: 4, days: 30, country: 'DE', project: 'tiktok' },
  { day: 15, who: 'customer', uses: 'DYN-1', gb: 1.6 },
  { day: 14, who: 'customer', buysTraffic: 'DYN-3', gb: 4 },
  { day: 13, who: 'mike', gets: 40, remark: 'Bank transfer' },
  { day: 13, who: 'mike', buysTraffic: 'DYN-1', gb: 10 },
  {
    day: 12,
    who: 'customer',
    buys: 'ISP-SHARED',
    ips: 4,
    days: 30,
    country: 'US',
    project: 'tiktok',
    no: 'demo-shared-1',
  },
  { day: 11, who: 'customer', uses: 'DYN-2', gb: 0.8 },
  { day: 11, who: 'agent', uses: 'DYN-1', gb: 3.4 },
  { day: 10, who: 'wang', buys: 'ISP-RES', ips: 1, days: 30, country: 'JP', city: 'JPTYO' },
  {
    day: 9,
    who: 'customer',
    buys: 'ISP-RES',
    ips: 2,
    days: 30,
    country: 'GB',
    city: 'GBLON',
    no: 'demo-static-3',
  },
  { day: 9, who: 'customer', cancels: 'demo-static-3', reason: 'Wrong country' },
  { day: 8, who: 'lena', buys: 'DC-CLOUD', ips: 20, days: 14, country: 'DE' },
  { day: 7, who: 'customer', uses: 'DYN-3', gb: 1.7 },
  { day: 7, who: 'agent', buys: 'ISP-SHARED', ips: 6, days: 30, country: 'DE', project: 'facebook' },
  { day: 6, who: 'mike', uses: 'DYN-1', gb: 4.2 },
  { day: 5, who: 'customer', buys: 'DC-CLOUD', ips: 20, days: 10, country: 'DE', no: 'demo-static-4' },
  { day: 4, who: 'agent', buys: 'DC-CLOUD', ips: 10, days: 14, country: 'SG', no: 'demo-static-5' },
  { day: 3, who: 'agent', renews: 'demo-static-2', days: 30, no: 'demo-renewal-1' },
  { day: 3, who: 'customer', uses: 'DYN-1', gb: 0.9 },
  { day: 2, who: 'lena', buysTraffic: 'DYN-3', gb: 6 },
  { day: 2, who: 'agent', splits: 'DYN-1', gb: 2, username: 'crawler_1' },
  { day: 1, who: 'mike', buys: 'ISP-RES', ips: 2, days: 30, country: 'FR' },
  { day: 1, who: 'agent', links: 'DYN-2', secret: 'everybody may know the link of the sandbox' },
  { day: 1, who: 'agent', linksProxies: true, secret: 'everybody may know this link, too' },
]

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

interface DemoWorld {
  readonly core: Core
  /** Sets the time of the core and of the chain. */
  readonly setTime: (time: Date) => void
  readonly wallet: Pick<PayerWallet, 'pay' | 'state'>
}

/**
 * Makes the last 30 days of the demo shop by calling the use cases, each at its time, so that records, dashboards and charts have
 * something to show and the books are right. In the end the demo accounts have the balances of rules 9.4. After a kill it is
 * called again with the same time: every step is recognised by its number and done once.
 *
 * @param today the day after the last one
 */
export async function plantHistory(world: DemoWorld, today: Date): Promise<void> {
  const midnight = Math.floor(today.getTime() / DAY_MS) * DAY_MS
  const at = (day: number, hours: number) =>
    world.setTime(new Date(midnight - day * DAY_MS + hours * HOUR_MS))
  // Ends the leases of jobs that a killed process held.
  await world.core.jobs.queue.takeOver()
  at(FIRST_DAY, 8)
  await plantCatalogue(world.core)
  const people = await plantPeople(world.core)
  // What mike buys gives the agent available earnings: the examples of the API documents move them and ask for a payout.
  const ofMike = { userId: people.mike.id, productNo: 'DYN-1', markupPercent: 40 }
  await world.core.earnings.setPrice(people.agent, ofMike)
  for (const [index, event] of EVENTS.entries()) {
    // Different hours of the day, later ones for what comes later on the same day.
    const hours = 9 + ((index * 37) % 60) / 60 + (EVENTS[index - 1]?.day === event.day ? 4 : 0)
    at(event.day, hours)
    await takePlace(world, people, event, `demo-${index}`)
    at(event.day, hours + 0.5)
    await runDueJobs(world.core)
  }
  at(1, 20)
  await runDueJobs(world.core)
  await setFinalBalances(world.core, people)
}

type People = Readonly<Record<Person, Actor>>

async function plantPeople(core: Core): Promise<People> {
  const { agent, customer } = DEMO_ACCOUNTS
  const find = async () =>
    (await core.operator.listAgents()).find(({ username }) => username === agent.username)
  if (!(await find())) await core.operator.createAgent(SYSTEM, { ...agent, balance: OPENING_BALANCE })
  const found = await find()
  if (!found) throw new Error('the agent of the demo is gone')
  const { id, username, level } = found
  const agentActor: Actor = { id, username, role: 'agent', agentId: null, level }

  const known = async () => (await core.accounts.listSubUsers(agentActor, { pageSize: 100 })).items
  if ((await known()).length === 0) {
    await core.accounts.createSubUsers(agentActor, [{ ...customer, balance: 60 }, ...SUB_USERS])
  }
  const subUsers = Object.fromEntries(
    (await known()).map(({ id, username }) => [
      username,
      { id, username, role: 'user', agentId: agentActor.id, level },
    ]),
  ) as Record<Exclude<Person, 'agent'>, Actor>
  return { agent: agentActor, ...subUsers }
}

async function takePlace(world: DemoWorld, people: People, event: Event, key: string): Promise<void> {
  const { core } = world
  const actor = people[event.who]
  if ('buys' in event) {
    await core.orders.createStatic(actor, {
      poolId: event.buys,
      userId: actor.id,
      ipCount: event.ips,
      duration: event.days,
      unit: UNIT.day,
      cycleTimes: 1,
      unitPrice: 0,
      totalAmount: 0,
      countryCode: event.country,
      cityCode: event.city,
      projectId: event.project,
      remark: event.remark,
      appOrderNo: event.no ?? key,
    })
  } else if ('buysTraffic' in event) {
    const { buysTraffic: poolId, gb: trafficAmount, no, remark } = event
    await core.orders.createDynamic(actor, { poolId, trafficAmount, remark, appOrderNo: no ?? key })
  } else if ('uses' in event) {
    const { items } = await core.traffic.extract(actor, 'any', { productNo: event.uses })
    await core.traffic.recordUsage({
      reportId: key,
      account: items[0]?.username ?? '',
      bytes: bytesOf(event.gb),
    })
  } else if ('splits' in event) {
    await split(core, actor, event)
  } else if ('links' in event) {
    const extractConfig = { method: 'api', returnType: 'txt', delimiter: 4 } as const
    await core.traffic.extract(
      actor,
      'any',
      { productNo: event.links, extractConfig },
      { linkSecret: event.secret },
    )
  } else if ('linksProxies' in event) {
    await core.orders.createLink(actor, {}, { secret: event.secret })
  } else if ('cancels' in event) {
    await core.orders.cancelStatic(actor, { orderNo: event.cancels, reason: event.reason, minRefund: 0 })
  } else if ('renews' in event) {
    await core.orders.renewStatic(actor, {
      order: { orderNo: event.renews },
      duration: event.days,
      unit: UNIT.day,
      cycleTimes: 1,
      appOrderNo: event.no,
    })
  } else if ('gets' in event) {
    await give(core, people, actor, event.gets, event.remark, key)
  } else {
    await topUp(world, people, event, key)
  }
}

async function split(
  core: Core,
  actor: Actor,
  { splits, gb, username }: { readonly splits: string; readonly gb: number; readonly username: string },
): Promise<void> {
  const known = await core.traffic.listSubAccounts(actor, { keyword: username })
  if (known.total > 0) return
  await core.traffic.createSubAccount(actor, { productNo: splits, username, amount: gb })
}

async function give(
  core: Core,
  { agent }: People,
  to: Actor,
  amount: number,
  remark: string,
  requestKey: string,
): Promise<void> {
  if (to === agent) await core.operator.adjustBalance(SYSTEM, { username: to.username, amount, remark })
  else await core.accounts.adjustSubUserBalance(agent, to.id, { amount, remark, requestKey })
}

/** Tops up by USDT on the sandbox's chain; where the configured limits do not allow the amount, gives it as if by bank transfer. */
async function topUp(
  { core, setTime, wallet }: DemoWorld,
  people: People,
  {
    who,
    topsUp,
    pays,
    no,
  }: Event & { readonly topsUp: number; readonly pays: boolean; readonly no?: string },
  key: string,
): Promise<void> {
  const actor = people[who]
  const {
    terms,
    scanners: [scanner],
  } = core.topUps
  const units = terms ? usdtFor(fromNumber(topsUp) ?? 0, terms.rate) : 0
  if (!scanner || !terms || units < terms.min || units > terms.max) {
    if (pays) await give(core, people, actor, topsUp, 'Bank transfer', key)
    return
  }
  const { topUp } = await core.topUps.create(actor, { amount: usdtText(units), clientOrderNo: no ?? key })
  if (!pays || topUp.status === 'paid') return
  const minutesLater = (minutes: number) =>
    setTime(new Date(Date.parse(topUp.createdAt) + minutes * MINUTE_MS))
  const amount = usdtText(topUp.payAmount)
  minutesLater(2)
  if (!wallet.state().payments.some((payment) => payment.amount === amount))
    wallet.pay({ to: topUp.wallet, amount, kind: 'normal' })
  minutesLater(4)
  await scanner.scan()
}

/** Carries out the sweeps and order jobs that are due by now. */
async function runDueJobs({ jobs }: Core): Promise<void> {
  await jobs.expireTopUps()
  await jobs.sweepStaticOrders()
  for (;;) {
    const due = await jobs.queue.claim(100, MINUTE_MS, 'orders')
    if (due.length === 0) return
    for (const job of due) await jobs.handleOrder(job)
  }
}

/** Gives the demo accounts the balances that they begin with, as if by bank transfer. */
async function setFinalBalances(core: Core, people: People): Promise<void> {
  for (const name of ['customer', 'agent'] as const) {
    const actor = people[name]
    const { balance } = await core.accounts.balance(actor)
    const amount = toNumber((fromNumber(DEMO_ACCOUNTS[name].balance) ?? 0) - balance)
    if (amount !== 0) await give(core, people, actor, amount, 'Bank transfer', `demo-${name}`)
  }
}
