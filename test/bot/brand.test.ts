import { describe, expect, test, vi } from 'vitest'
import type * as Charts from '../../src/bot/kit/charts/png.ts'
import type { NewsKind, NoticeFacts } from '../../src/core/notices/kinds.ts'
import { LANGUAGES } from '../../src/core/languages.ts'
import type { EmulatedBot } from '../../src/emulators/telegram/types.ts'
import type { Product } from '../support/product.ts'
import { brandedWords } from '../../src/bot/texts/index.ts'
import { startBrand, walkOfBrand } from './button-walks.ts'

/** All pictures that were drawn: what is written in them. */
const drawn = vi.hoisted((): string[] => [])
vi.mock('../../src/bot/kit/charts/png.ts', async (original) => {
  const actual = await original<typeof Charts>()
  const toPng: typeof actual.toPng = (svg, ...more) => {
    drawn.push(svg)
    return actual.toPng(svg, ...more)
  }
  return { ...actual, toPng }
})

/** What is a trace of the shop: its bot, contact and host, and words that speak of another party than the agent. */
const TRACES = /shop_bot|harbour|\bshop\b|\bagents?\b|\boperator\b|本店|店主|代理商|магазин|агент|оператор/i
/** Not of the shop, but what a customer may have, and where the addresses of a home come from. */
const INNOCENT = /For accounts, shops|店铺运营|Для аккаунтов, магазинов|运营商|домашн\S+ оператор\S*/g

/** Returns the lines in which the bot has told of the shop, in calls to Telegram and in files. */
async function tracesIn({ telegram }: Product, bot: EmulatedBot): Promise<string[]> {
  const said = bot.calls().map(({ method, parameters }) => `${method} ${JSON.stringify(parameters)}`)
  const files = bot.users().flatMap(({ id }) => bot.messages(id).flatMap(({ file }) => file ?? []))
  for (const { fileId, fileName } of files) {
    const { content, mimeType } = (await bot.file(fileId)) ?? { content: '', mimeType: '' }
    said.push(fileName, mimeType.startsWith('image/') ? '' : String(content))
  }
  expect(telegram.calls().length).toBeGreaterThan(0)
  return [...said, ...drawn.splice(0)].flatMap((text) => {
    const [found] = TRACES.exec(text.replaceAll(INNOCENT, '')) ?? []
    return found === undefined ? [] : [`${found}: ${text}`]
  })
}

type Brand = Awaited<ReturnType<typeof startBrand>>

/** What customers are told of, kind by kind. */
type Told = { [Kind in NewsKind]: readonly [kind: Kind, facts: NoticeFacts[Kind]] }[NewsKind]

const AT = '2026-03-01T12:00:00.000Z'

type Numbers = Record<'orderNo' | 'instanceNo' | 'expireTime' | 'topUpNo', string>

/** Every notice that a customer can get, in all its forms. */
function noticesOf({ orderNo, instanceNo, expireTime, topUpNo }: Numbers): readonly Told[] {
  const names = { en: 'Traffic' }
  const order = { ordered: 2, delivered: 1, refund: 4_500_000, dead: 1 }
  const replaced = { instanceNo, instanceId: 1, oldIp: '192.0.2.1', oldPort: 8000, refund: 0, note: 'No' }
  const moved = { amount: 1_000_000, balance: 2_000_000, remark: 'Thanks' }
  const paid = {
    orderNo: topUpNo,
    payUnits: 5_000_000,
    credited: 5_000_000,
    balance: 9_000_000,
    manual: true,
  }
  const about = { ticketNo: 'T1', topic: null }
  const renewal = { orderNo, count: 1, expireTime }
  return [
    ['order_ready', { ...order, delivered: 2 }],
    ['order_partial', order],
    ['order_failed', { ...order, delivered: 0 }],
    ['renewal_done', { ...renewal, amount: 1, balance: 2 }],
    ['renewal_failed', { ...renewal, reason: 'insufficient_balance', shortfall: 5_000_000 }],
    ['renewal_failed', { ...renewal, reason: 'unavailable', refund: 5_000_000, automatic: true }],
    ['credentials_changed', { orderNo, instanceNo, changed: true }],
    ['credentials_changed', { orderNo, instanceNo, changed: false }],
    ['proxies_ended', { orderNo, count: 2, reason: 'Abuse' }],
    ['expiring_72h', { ...renewal, shortfall: 1_000_000 }],
    ['expiring_24h', renewal],
    ['proxy_dead', { orderNo, instanceNo, instanceId: 1, ip: '192.0.2.1', port: 8000, since: AT }],
    ['replacement_ended', { orderNo, ...replaced, status: 'done', newIp: '192.0.2.9', newPort: 8000 }],
    ['replacement_ended', { orderNo, ...replaced, status: 'refunded', newIp: null, newPort: null }],
    ['replacement_ended', { orderNo, ...replaced, status: 'declined', newIp: null, newPort: null }],
    ['traffic_80', { productNo: 'FLOW', names, used: 4, total: 5 }],
    ['traffic_100', { productNo: 'FLOW', names, used: 5, total: 5 }],
    ['low_balance', { balance: 1, needed: 2, until: AT }],
    ['balance_adjusted', { ...moved, by: 'operator' }],
    ['balance_adjusted', { ...moved, by: 'agent', agent: 'boss' }],
    ['balance_adjusted', { ...moved, by: 'agent', cause: { kind: 'renewal', orderNo } }],
    ['new_log_in', { personName: 'Carl', telegramName: 'carl', at: AT }],
    ['address_freed', { cidr: '203.0.113.0/32', productNo: 'FLOW', names }],
    ['money_declined', { agent: null, missing: 1_000_000 }],
    ['money_declined', { agent: 'boss', missing: 1_000_000 }],
    ['support_answer', { ...about, username: 'carl', text: 'Done', file: null }],
    ['support_closed', about],
    ['top_up_paid', paid],
    ['top_up_late', paid],
    ['top_up_expired', {}],
    ['webhook_off', { webhookId: 1, host: 'hooks.example.com', reason: 'failing' }],
  ]
}

/** Puts notices into the outbox for the chat, and waits until they were sent. */
async function tell(
  { product, customer, sessionId }: Brand,
  numbers: Numbers,
  told: readonly Told[],
): Promise<void> {
  const now = '(SELECT max(created_at) FROM accounts)'
  for (const [at, [kind, facts]] of told.entries()) {
    const subject = { order: numbers.orderNo, top: numbers.topUpNo }[kind.split('_')[0] ?? ''] ?? String(at)
    const data = JSON.stringify(facts)
    await product.edit(
      `INSERT INTO notices (chat_id, account_id, kind, subject, data, created_at) VALUES (?, ?, ?, ?, ?, ${now})`,
      sessionId,
      customer.id,
      kind,
      subject,
      data,
    )
  }
  await product.edit(
    `INSERT INTO jobs (kind, key, run_at, created_at) SELECT 'deliver_notice', CAST(id AS TEXT), created_at, created_at FROM notices WHERE chat_id = ? AND status = 'pending' ON CONFLICT DO NOTHING`,
    sessionId,
  )
  product.core.jobs.queue.wake()
  await product.until(
    `SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM notices WHERE chat_id = ${sessionId} AND status = 'pending')`,
  )
}

/** What those read who run the shop, and agents, who do so in the shop's bot. */
const OF_OTHERS = new Set(
  'operator people machine catalog stock agents customers trail suppliers users earnings programs promo ownBots'.split(
    ' ',
  ),
)
const OF_OTHERS_WITHIN =
  /^(commands\.(operator|agents)|buttons\.operator|accounts\.agentChanged|notices\.digest|errors\.(not_permitted|agent_required|bot_taken)|input\.(abovePriceLimit|rules)|trouble\.groups|buy\.(ask|shortAsk)\.operator|support\.buttons\.(passOn|takes)|window\.invites)/

/** Returns all texts by their places, functions as they are written. */
function textsIn(words: object, place = ''): (readonly [place: string, text: string])[] {
  return Object.entries(words).flatMap(([key, word]: [string, unknown]) => {
    if (place === '' && OF_OTHERS.has(key)) return []
    const at = place === '' ? key : `${place}.${key}`
    if (OF_OTHERS_WITHIN.test(at)) return []
    return typeof word === 'object' && word !== null ? textsIn(word, at) : [[at, String(word)]]
  })
}

describe.each(LANGUAGES)('in the bot of an agent, in the language %s,', (language) => {
  test('no text tells of the shop', () => {
    const texts = textsIn(brandedWords(language)).map(([at, text]) => [
      at,
      text.replaceAll(INNOCENT, '').replaceAll(/\b(_?agent|operator)(?=[:,)\s?]|\b.*=>)/g, ''),
    ])
    expect(texts.filter(([, text = '']) => TRACES.test(text))).toEqual([])
  })

  test('no screen tells of the shop', async () => {
    const brand = await startBrand(language)
    await walkOfBrand(brand)
    const { product, bot, sessionId } = brand
    expect(await product.core.chats.session(sessionId, 'en')).toMatchObject({ language })
    expect(await tracesIn(product, bot)).toEqual([])
  })

  test('no notice tells of the shop', async () => {
    const brand = await startBrand(language)
    const { product, customer, bot } = brand
    const { core } = product
    const [order] = (await core.orders.listStatic(customer, {})).items
    const { instanceNo = '', expireTime } = order?.instances[0] ?? {}
    const { topUp } = await core.topUps.create(customer, { amount: '20' })
    const numbers = {
      orderNo: order?.orderNo ?? '',
      topUpNo: topUp.orderNo,
      instanceNo,
      expireTime: String(expireTime),
    }
    const notices = noticesOf(numbers)
    bot.clearCalls()
    await tell(brand, numbers, notices)
    expect(bot.calls().filter(({ method }) => /^send(Message|Document)$/.test(method))).toHaveLength(
      notices.length,
    )
    expect(await tracesIn(product, bot)).toEqual([])
  })
})
