import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { SqliteDatabase } from '../src/core/database/driver.ts'
import { table } from '../src/operator/table.ts'
import { createTelegramEmulator, type TelegramServer } from '../src/emulators/telegram/telegram-emulator.ts'
import { startBareBot, startProductBot } from './contender.ts'
import { median } from './load.ts'
import { processorTime, type ServerProcess } from './server-process.ts'

const TOKEN = '42:token-of-the-benchmark-0123456789abcdef'
const CHATS = 1_000
const FIRST_CHAT = 100_001
/** Chats that wait for an answer at the same time. */
const PRESSING = 64
/** An odd number, for the median. */
const ROUNDS = 5
const ROUND_MS = 2_000
const WARM_UP_MS = 5_000
/** What was reached: the ratio of the rates, and milliseconds of processor time an update. */
const TARGETS = { share: 1, cpuMs: 1.1 }
/** Proxies that are for sale: every screen of a purchase counts them. */
const STOCK = 5_000

/**
 * What people press one after the other: the menu, the proxies, one of them and its order, and the steps of a purchase. Nobody pays: 40
 * chats share a customer, and the notice to all of them would be measured in place of the presses.
 */
const WALK = [
  /^home/,
  /^px/,
  /^oproxy:/,
  /^order:/,
  /^home/,
  /^buy/,
  /^b:.*:count:5/,
  /^b:.*:auto/,
  /^b:.*:count:10/,
]

interface Round {
  /** Updates a second. */
  readonly rate: number
  /** Milliseconds of processor time that an update took. */
  readonly cpu: number
  /** Milliseconds from each press to its answer. */
  readonly waits: readonly number[]
}

interface BotFigures {
  readonly rate: number
  readonly cpu: number
  readonly p50: number
  readonly p99: number
  /** Calls of the Bot API for an update. */
  readonly calls: number
}

/** A bot, and the emulator of Telegram that it talks to. */
export interface Subject {
  readonly bot: ServerProcess
  readonly telegram: TelegramServer
  readonly rounds: Round[]
  close(): Promise<void>
}

/**
 * What the product's bot makes of updates, beside a bare grammY bot that sends as many screens and answers: a thousand chats press
 * buttons, 64 at a time, those of the one bot and then those of the other, round by round.
 *
 * @param template database with customers and orders; every chat is logged in as one of the customers
 * @returns whether the target was met
 */
export async function benchBot(template: string, directory: string, jwtSecret: string): Promise<boolean> {
  const product = await prepare((environment) =>
    startProductBot(template, directory, jwtSecret, environment, logIntoChats),
  )
  const floor = await prepare((environment) => startBareBot(template, directory, environment))
  await pressInTurn([product, floor])
  const share = shareOf(product, floor)
  const met = share >= TARGETS.share && figuresOf(product).cpu <= TARGETS.cpuMs
  const heading = ['what', 'who', ...CELLS, 'ratio', 'target', 'met']
  const verdict = [share.toFixed(2), `${TARGETS.share.toFixed(2)}, ${TARGETS.cpuMs} ms`, met ? 'yes' : 'no']
  console.log(
    table([
      heading,
      ['bot', 'floor, bare grammY', ...cells(floor), '1.00', '', ''],
      ['bot', 'product', ...cells(product), ...verdict],
    ]),
  )
  console.log(
    `\n${CHATS} chats, ${PRESSING} presses at a time; processor time and calls of the Bot API for each.`,
  )
  for (const subject of [product, floor]) await subject.close()
  return met
}

/** A Telegram, and what tells a bot where it is. */
export async function startTelegram() {
  const telegram = createTelegramEmulator({ token: TOKEN, botUsername: 'bench_bot' })
  const server = Fastify({ forceCloseConnections: true })
  await server.register(telegram.botApi, { prefix: '/telegram' })
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as AddressInfo
  return {
    telegram,
    environment: { BOT_TOKEN: TOKEN, TELEGRAM_API_ROOT: `http://127.0.0.1:${port}/telegram` },
    close: () => server.close(),
  }
}

/** Everybody has sent the bot a message and has its screen. */
export async function prepare(
  start: (environment: Record<string, string>) => Promise<ServerProcess>,
): Promise<Subject> {
  const { telegram, environment, close } = await startTelegram()
  const bot = await start(environment)
  await Promise.all(Array.from({ length: CHATS }, (_, chat) => greeted(telegram, FIRST_CHAT + chat)))
  return {
    bot,
    telegram,
    rounds: [],
    close: async () => {
      await bot.stop()
      await close()
    },
  }
}

function greeted(telegram: TelegramServer, chatId: number): Promise<void> {
  telegram.addUser({ id: chatId, firstName: 'Somebody', languageCode: 'en' })
  return new Promise((resolve) => {
    const unsubscribe = telegram.subscribe((event) => {
      if (event.chatId !== chatId || event.type !== 'message' || event.message.from !== 'bot') return
      unsubscribe()
      resolve()
    })
    telegram.send(chatId, '/menu')
  })
}

/** Presses the buttons of each in turn, round by round. */
export async function pressInTurn(subjects: readonly Subject[]): Promise<void> {
  for (const subject of subjects) await press(subject, WARM_UP_MS)
  for (const { telegram } of subjects) telegram.clearCalls()
  for (let round = 0; round < ROUNDS; round += 1)
    for (const subject of subjects) subject.rounds.push(await press(subject, ROUND_MS))
}

/** How the rates of two bots compare: each round with its neighbour. */
export function shareOf(one: Subject, other: Subject): number {
  return median(one.rounds.map(({ rate }, round) => rate / (other.rounds[round]?.rate ?? 0)))
}

/** Each finger has chats of its own and makes the whole walk in one after the other. */
async function press({ bot, telegram }: Subject, forMs: number): Promise<Round> {
  const waits: number[] = []
  const cpuBefore = processorTime(bot)
  const begun = performance.now()
  const isOver = () => performance.now() - begun >= forMs
  async function finger(first: number): Promise<void> {
    for (let chat = first; !isOver(); chat = (chat + PRESSING) % CHATS)
      for (const wanted of WALK)
        if (!isOver()) waits.push(await pressNext(telegram, FIRST_CHAT + chat, wanted))
  }
  await Promise.all(Array.from({ length: PRESSING }, (_, first) => finger(first)))
  const seconds = (performance.now() - begun) / 1000
  return { rate: waits.length / seconds, cpu: (processorTime(bot) - cpuBefore) / waits.length, waits }
}

async function pressNext(telegram: TelegramServer, chatId: number, wanted: RegExp): Promise<number> {
  const screen = telegram.messages(chatId).findLast(({ from }) => from === 'bot')
  const buttons = screen?.keyboard.flat().filter(({ kind }) => kind === 'callback') ?? []
  const button = buttons.find(({ value }) => wanted.test(value))
  // A walk that was cut off may have ended anywhere; from everywhere there is a way home.
  if (!button && wanted !== WALK[0]) throw new Error(`no button ${wanted} below: ${screen?.text}`)
  const begun = performance.now()
  await telegram.pressStale(chatId, screen?.messageId ?? 0, button?.value ?? 'home')
  return performance.now() - begun
}

/** Heading of {@link cells}. */
export const CELLS = ['updates/s', 'p50 ms', 'p99 ms', 'cpu ms', 'calls']

export function cells(subject: Subject): string[] {
  const { rate, p50, p99, cpu, calls } = figuresOf(subject)
  return [rate.toFixed(0), p50.toFixed(0), p99.toFixed(0), cpu.toFixed(2), calls.toFixed(2)]
}

function figuresOf({ rounds, telegram }: Subject): BotFigures {
  const waits = rounds.flatMap((round) => round.waits).toSorted((a, b) => a - b)
  const at = (share: number) => waits[Math.floor(waits.length * share)] ?? 0
  const calls = telegram.calls().filter(({ method }) => method !== 'getUpdates')
  const answers = calls.filter(({ method }) => method === 'answerCallbackQuery')
  return {
    rate: median(rounds.map(({ rate }) => rate)),
    cpu: median(rounds.map(({ cpu }) => cpu)),
    p50: at(0.5),
    p99: at(0.99),
    calls: calls.length / answers.length,
  }
}

/** A database counts no longer as the sandbox's, and keeps so many of the proxies that are for sale. */
export function ofShop(database: string, stock: number): void {
  const connection = new SqliteDatabase(database)
  connection.exec("DELETE FROM settings WHERE key = 'origin'")
  connection
    .prepare(
      `DELETE FROM stock_ips WHERE order_id IS NULL AND id NOT IN (
         SELECT id FROM stock_ips WHERE order_id IS NULL ORDER BY id LIMIT ?)`,
    )
    .run(stock)
  connection.close()
}

/**
 * The chats as they are after a log-in. The stock is that of a shop: the half million proxies of the template are there to be ordered,
 * and would be counted for each screen of a purchase.
 */
export function logIntoChats(database: string): void {
  ofShop(database, STOCK)
  const connection = new SqliteDatabase(database)
  connection
    .prepare(
      `WITH RECURSIVE numbers(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < :chats),
            customers AS (SELECT id, row_number() OVER () - 1 AS place, count(*) OVER () AS customers
                          FROM accounts WHERE role = 'user' AND username <> 'bench-buyer')
       INSERT INTO chats (id, account_id, language, created_at, updated_at)
       SELECT :first + n, c.id, 'en', :now, :now FROM numbers JOIN customers c ON c.place = n % c.customers`,
    )
    .run({ chats: CHATS, first: FIRST_CHAT, now: new Date().toISOString() })
  connection.exec(
    `INSERT INTO log_ins (chat_id, account_id, account_version, created_at, used_at)
     SELECT c.id, a.id, a.token_version, c.created_at, c.created_at FROM chats c JOIN accounts a ON a.id = c.account_id`,
  )
  connection.close()
}
