/**
 * The side of the gateway that serves clients, without what counts: no meters, no journal, no reports. What the gateway does more
 * slowly than this is the cost of metering.
 *
 * Argument: the page of accounts that a shop would send.
 */
import { AccountsPage } from '../src/core/gateway/wire.ts'
import { loadGatewayConfig } from '../src/gateway/config.ts'
import { ExitChoice } from '../src/gateway/exits/choose-exit.ts'
import { startFront } from '../src/gateway/front.ts'
import { createLogger } from '../src/logger.ts'

const page = AccountsPage.parse(JSON.parse(process.argv[2] ?? ''))
const config = loadGatewayConfig(process.env)
const unlimited = { take: (wanted: number) => wanted, more: () => Promise.resolve(true) }
const choice = new ExitChoice(() => true)
choice.set(page.exits ?? [])

const front = await startFront({
  config,
  maxConnections: config.maxConnections,
  quotas: { know: () => unlimited, forget: () => {} },
  choose: (wish, failed) => choice.choose(wish, failed),
  observer: { opened: () => {}, failed: () => {}, carried: () => {} },
  logger: createLogger(config.log, [config.token]),
})
front.page(page)
front.refuse(undefined)
console.log(`http://127.0.0.1:${front.port}`)
