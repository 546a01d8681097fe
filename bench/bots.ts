import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { systemClock } from '../src/core/clock.ts'
import { createCore } from '../src/core/core.ts'
import { openDatabase } from '../src/core/database/database.ts'
import { SqliteDatabase } from '../src/core/database/driver.ts'
import { FIRST_OWN_CHAT } from '../src/core/identifiers.ts'
import type { EmulatedBot } from '../src/emulators/telegram/types.ts'
import { table } from '../src/operator/table.ts'
import { createInventory } from '../src/suppliers/inventory/inventory.ts'
import { ofShop, startTelegram } from './bot.ts'
import { startProductBot } from './contender.ts'
import { median } from './load.ts'
import { seed } from './seed.ts'
import { processorTime, residentMb, type ServerProcess, SETTLE_MS } from './server-process.ts'

const BOTS = 200
const CHATS = 1_000
const FIRST_CHAT = 100_001
const FIRST_OWNER = 900_001
/**
 * Presses a second, each by itself, as of people who know nothing of each other: nothing is saturated. Presses that wait for the answer to
 * the one before would come in step where answers are given side by side, and apart where one waits for another.
 */
const PRESSES_A_SECOND = 40
/** Chats that begin at the same time. */
const BEGINNING = 8
/** An odd number, for the median. */
const ROUNDS = 5
const ROUND_MS = 6_000
const TARGETS = { moreMb: 60, wait: 1.2 }
/** What people press one after the other; see `bot.ts`. */
const WALK = [/^home/, /^px/, /^oproxy:/, /^order:/, /^home/, /^buy/, /^b:.*:count:5/]

interface Chat {
  readonly id: number
  readonly bot: EmulatedBot
  /** What was pressed in it. */
  step: number
}

interface Subject {
  readonly product: ServerProcess
  readonly chats: readonly Chat[]
  readonly rounds: { readonly p50: number; readonly p95: number; readonly cpu: number; readonly mb: number }[]
  next: number
  close(): Promise<void>
}

/**
 * `npm run bench -- bots`: what it costs that agents have bots of their own. A thousand chats press buttons, some at a time, spread over 200
 * bots, and with one bot; each product runs for itself, and they are pressed in turn, round by round.
 *
 * @returns whether memory and waits were within the targets
 */
export async function bots(directory: string, jwtSecret: string): Promise<boolean> {
  const template = join(directory, 'template.db')
  await seed(template, jwtSecret, { customers: 25, ordersEach: 40, stock: 5_000 })
  ofShop(template, 1_000)
  const one = await start(template, directory, jwtSecret, 1)
  const many = await start(template, directory, jwtSecret, BOTS)
  const subjects = [one, many]
  for (let round = 0; round < ROUNDS; round += 1)
    for (const subject of subjects) subject.rounds.push(await press(subject, ROUND_MS))
  const moreMb = figureOf(many, 'mb') - figureOf(one, 'mb')
  const wait = median(many.rounds.map(({ p95 }, round) => p95 / (one.rounds[round]?.p95 ?? 0)))
  const met = moreMb <= TARGETS.moreMb && wait <= TARGETS.wait
  const cells = (subject: Subject) => [
    figureOf(subject, 'mb').toFixed(0),
    figureOf(subject, 'p50').toFixed(1),
    figureOf(subject, 'p95').toFixed(1),
    figureOf(subject, 'cpu').toFixed(2),
  ]
  console.log(
    table([
      ['bots', 'RSS MB', 'p50 ms', 'p95 ms', 'cpu ms', 'more MB', 'p95 ratio', 'target', 'met'],
      ['1', ...cells(one), '', '1.00', '', ''],
      [
        String(BOTS),
        ...cells(many),
        moreMb.toFixed(0),
        wait.toFixed(2),
        `${TARGETS.moreMb} MB, ${TARGETS.wait}`,
        met ? 'yes' : 'no',
      ],
    ]),
  )
  console.log(
    `\n${CHATS} chats, ${PRESSES_A_SECOND} presses a second, each by itself; processor time for each, polling included.`,
  )
  for (const subject of subjects) await subject.close()
  return met
}

/** A product with so many bots, in which every chat has its screen. */
async function start(
  template: string,
  directory: string,
  jwtSecret: string,
  count: number,
): Promise<Subject> {
  const { telegram, environment, close } = await startTelegram()
  const made = Array.from({ length: count }, (_, place) =>
    telegram.addBot({ username: `agent_${place}_bot`, ownerId: FIRST_OWNER + place }),
  )
  const database = join(directory, `bots-${count}.db`)
  copyFileSync(template, database)
  await addBots(database, jwtSecret, made)
  const settings = { ...environment, SECRETS_KEY: jwtSecret, AGENT_BOTS: 'on' }
  const folder = join(directory, `with-${count}`)
  const product = await startProductBot(database, folder, jwtSecret, settings, logIntoBots)
  await delay(SETTLE_MS)
  const chats = Array.from({ length: CHATS }, (_, place) => ({
    id: FIRST_CHAT + place,
    bot: made[place % count] as EmulatedBot,
    step: 0,
  }))
  await inTurns(async (chat) => greeted(chat.bot, chat.id), chats)
  // Each has come to another place of the walk.
  for (let step = 1; step < WALK.length; step += 1)
    await inTurns(
      pressNext,
      chats.filter((_, place) => place % WALK.length >= step),
    )
  return {
    product,
    chats,
    rounds: [],
    next: 0,
    close: async () => {
      await product.stop()
      await close()
    },
  }
}

/** The bots as their agent has made them. */
async function addBots(file: string, jwtSecret: string, made: readonly EmulatedBot[]): Promise<void> {
  const db = await openDatabase(`file:${file}`)
  const suppliers = { inventory: createInventory(db.read) }
  const core = createCore({
    db,
    clock: systemClock,
    suppliers,
    currency: 'USD',
    jwtTtl: 86_400,
    jwtSecret,
    secretsKey: jwtSecret,
    agentBots: { most: [made.length] },
  })
  const account = { username: 'bench-agent', password: 'bench password', address: 'bench' }
  const agent = await core.accounts.authenticate((await core.accounts.logIn(account)).token)
  for (const bot of made) {
    const { id: botId, token, username, ownerId = 0 } = bot.about()
    await core.bots.add(agent, { botId, username, name: username, token, ownerId, managed: true })
  }
  await db.close()
}

/** The chats as they are after a log-in, spread over the bots. */
function logIntoBots(database: string): void {
  const connection = new SqliteDatabase(database)
  connection
    .prepare(
      `WITH RECURSIVE numbers(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < :chats),
            customers AS (SELECT id, row_number() OVER (ORDER BY id) - 1 AS place, count(*) OVER () AS customers
                          FROM accounts WHERE role = 'user' AND username <> 'bench-buyer'),
            bots AS (SELECT id, row_number() OVER (ORDER BY id) - 1 AS place, count(*) OVER () AS bots FROM agent_bots)
       INSERT INTO chats (id, bot_id, telegram_id, account_id, language, created_at, updated_at)
       SELECT :key + n, b.id, :first + n, c.id, 'en', :now, :now FROM numbers
       JOIN customers c ON c.place = n % c.customers JOIN bots b ON b.place = n % b.bots`,
    )
    .run({ chats: CHATS, key: FIRST_OWN_CHAT + 1, first: FIRST_CHAT, now: new Date().toISOString() })
  connection.exec(
    `INSERT INTO log_ins (chat_id, account_id, account_version, created_at, used_at)
     SELECT c.id, a.id, a.token_version, c.created_at, c.created_at FROM chats c JOIN accounts a ON a.id = c.account_id`,
  )
  connection.close()
}

function greeted(bot: EmulatedBot, chatId: number): Promise<void> {
  bot.addUser({ id: chatId, firstName: 'Somebody', languageCode: 'en' })
  return new Promise((resolve) => {
    const unsubscribe = bot.subscribe((event) => {
      if (event.chatId !== chatId || event.type !== 'message' || event.message.from !== 'bot') return
      unsubscribe()
      resolve()
    })
    bot.send(chatId, '/menu')
  })
}

/** Does something in each chat, in some at a time. */
async function inTurns(act: (chat: Chat) => Promise<unknown>, chats: readonly Chat[]): Promise<void> {
  const finger = async (first: number) => {
    for (let place = first; place < chats.length; place += BEGINNING) await act(chats[place] as Chat)
  }
  await Promise.all(Array.from({ length: BEGINNING }, (_, first) => finger(first)))
}

async function press(subject: Subject, forMs: number) {
  const { product, chats } = subject
  const waits: number[] = []
  const cpuBefore = processorTime(product)
  const pressed: Promise<unknown>[] = []
  const begun = performance.now()
  for (let at = 0; at < forMs; at += gapMs()) {
    await delay(begun + at - performance.now())
    const chat = chats[subject.next++ % chats.length] as Chat
    pressed.push(pressNext(chat).then((wait) => waits.push(wait)))
  }
  await Promise.all(pressed)
  const sorted = waits.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0
  const cpu = (processorTime(product) - cpuBefore) / waits.length
  return { p50: at(0.5), p95: at(0.95), cpu, mb: residentMb(product) }
}

/** Time in ms until the next press: of a Poisson process. */
function gapMs(): number {
  return (-Math.log(1 - Math.random()) * 1_000) / PRESSES_A_SECOND
}

async function pressNext(chat: Chat): Promise<number> {
  const { id, bot } = chat
  const wanted = WALK[chat.step % WALK.length] as RegExp
  chat.step += 1
  const screen = bot.messages(id).findLast(({ from }) => from === 'bot')
  const buttons = screen?.keyboard.flat().filter(({ kind }) => kind === 'callback') ?? []
  const button = buttons.find(({ value }) => wanted.test(value))
  if (!button) chat.step = 1
  const begun = performance.now()
  await bot.pressStale(id, screen?.messageId ?? 0, button?.value ?? 'home')
  return performance.now() - begun
}

function figureOf({ rounds }: Subject, figure: keyof Subject['rounds'][number]): number {
  return median(rounds.map((round) => round[figure]))
}
