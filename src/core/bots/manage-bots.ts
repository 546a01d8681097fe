import { expressionBuilder } from 'kysely'
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { type Actor, requireAgent } from '../access/actor.ts'
import type { DB } from '../../generated/kysely/tables.ts'
import { createJoinLink } from '../accounts/join-links.ts'
import type { Tx } from '../database/database.ts'
import { InvalidInput, parseInput, ServiceError } from '../errors.ts'
import { happened } from '../facts/happened.ts'
import { botIdIn } from '../identifiers.ts'
import { LANGUAGES, type Language } from '../languages.ts'
import { addsWork } from '../jobs/added-work.ts'
import { queueDeliveries } from '../notices/queue-deliveries.ts'
import { hashOf } from '../token-hash.ts'
import { type AgentBot, type AgentBotState, asBot, type BotDeps, findBot, selectBots } from './agent-bot.ts'

/** Bytes of the code that opens a bot: 22 characters in base64; a deep link may have 64. */
const CODE_BYTES = 16
/** Prefix that tells the code from other parameters of a deep link. */
const MARK = 'own_'
/** States in which the token of a bot can be sent again: nobody has opened the bot, or Telegram refuses its token. */
const TAKES_TOKEN: readonly AgentBotState[] = ['pending', 'unauthorized']

/** What Telegram says of a bot. */
export interface NewBot {
  readonly botId: number
  readonly username: string
  readonly name: string
  readonly token: string
  /** The Telegram user who makes it. */
  readonly ownerId: number
  /** Whether the shop's bot has made it, for that Telegram user. */
  readonly managed: boolean
}

/** Returns the most bots that an agent may have; 0 where agents have none. */
export function mostBotsOf({ agentBots }: BotDeps, { level }: Pick<Actor, 'level'>): number {
  const { most } = agentBots ?? { most: [] }
  return most[Math.min(Math.max(level ?? 1, 1), most.length) - 1] ?? 0
}

/** Returns the code in the parameter of `/start`; undefined for anything else. */
export function codeIn(parameter: string): string | undefined {
  return parameter.startsWith(MARK) ? parameter.slice(MARK.length) : undefined
}

/**
 * Whether an agent may have one more bot.
 *
 * @throws agent_required, too_many_bots
 */
export async function requireRoom(deps: BotDeps, actor: Actor, db = deps.db.read): Promise<void> {
  requireAgent(actor)
  const { length } = await selectBots(db).where('b.agentId', '=', actor.id).execute()
  const most = mostBotsOf(deps, actor)
  if (length >= most) throw new ServiceError('too_many_bots', { data: { most } })
}

/**
 * Adds a bot of an agent. One that the shop's bot has made works at once; one whose token was pasted waits until its owner has opened it
 * by a one-time link: who knows a token need not own the bot (rules 20.3).
 *
 * @returns the parameter of `/start` with which the owner opens it; undefined for one that works already
 * @throws agent_required, too_many_bots, bot_taken (it belongs to another agent), validation_error (token)
 */
export async function addBot(deps: BotDeps, actor: Actor, bot: NewBot): Promise<string | undefined> {
  const { botId, username, name, token, ownerId, managed } = bot
  if (botIdIn(token) !== botId) throw InvalidInput.of('token', 'not_a_token')
  const known = await deps.db.read.$kysely
    .selectFrom('agentBots')
    .select('joinLinkId')
    .where('id', '=', botId)
    .where('agentId', '=', actor.id)
    .executeTakeFirst()
  // A link that nobody has is harmless, when the rest does not happen.
  const joinLinkId = known?.joinLinkId ?? (await createJoinLink(deps, actor, {})).id
  const code = managed ? undefined : randomBytes(CODE_BYTES).toString('base64url')
  await deps.db.write(async (tx) => {
    const [before] = await tx.$kysely.selectFrom('agentBots').selectAll().where('id', '=', botId).execute()
    const isHere = before !== undefined && before.state !== 'removed'
    if (isHere && (before.agentId !== actor.id || !TAKES_TOKEN.includes(before.state)))
      throw new ServiceError('bot_taken')
    if (!isHere) await requireRoom(deps, actor, tx)
    const now = deps.clock.now()
    const row = {
      agentId: actor.id,
      ownerId,
      username,
      token: deps.botTokens.seal(token, String(botId)),
      managed,
      state: managed ? ('active' as const) : ('pending' as const),
      reason: '',
      stateAt: now,
      claimHash: code === undefined ? null : hashOf(code),
      joinLinkId,
      name,
    }
    await tx.$kysely
      .insertInto('agentBots')
      .values({ id: botId, createdAt: now, ...row })
      .onConflict((same) => same.column('id').doUpdateSet(row))
      .execute()
    addsWork(tx, 'agent_bots')
    happened(tx, { kind: 'agent_bot.added', actor, botId, username })
    if (managed) tellAgent(tx, await findBot(tx, botId), 'itself')
  })
  return code === undefined ? undefined : MARK + code
}

/**
 * The owner opens a bot whose token was pasted: it works from now on.
 *
 * @param ownerId the Telegram user who has opened it
 * @returns whether the code was right
 */
export function openBot(
  { db, clock }: BotDeps,
  botId: number,
  ownerId: number,
  code: string,
): Promise<boolean> {
  return db.write(async (tx) => {
    const opened = await tx.$kysely
      .updateTable('agentBots')
      .set({ state: 'active', stateAt: clock.now(), claimHash: null })
      .where('id', '=', botId)
      .where('ownerId', '=', ownerId)
      .where('state', '=', 'pending')
      .where('claimHash', '=', hashOf(code))
      .returning('id')
      .execute()
    addsWork(tx, 'agent_bots')
    return opened.length > 0
  })
}

/**
 * Stores the token that Telegram has given a bot in the place of the one before.
 *
 * @returns whether it is another one
 */
export function changeToken({ db, botTokens }: BotDeps, botId: number, token: string): Promise<boolean> {
  return db.write(async (tx) => {
    const bot = tx.$kysely.selectFrom('agentBots').select('token').where('id', '=', botId)
    const before = await bot.executeTakeFirst()
    if (!before || botTokens.open(before.token, String(botId)) === token) return false
    addsWork(tx, 'agent_bots')
    await tx.$kysely
      .updateTable('agentBots')
      .set({ token: botTokens.seal(token, String(botId)) })
      .where('id', '=', botId)
      .execute()
    return true
  })
}

/** From which states a bot comes into another one. */
const BEFORE: Readonly<Record<Exclude<AgentBotState, 'pending'>, readonly AgentBotState[]>> = {
  active: ['paused', 'suspended', 'unauthorized', 'conflict'],
  paused: ['pending', 'active', 'suspended', 'unauthorized', 'conflict'],
  halted: ['pending', 'active', 'paused', 'suspended', 'unauthorized', 'conflict'],
  suspended: ['pending', 'active', 'unauthorized', 'conflict'],
  unauthorized: ['pending', 'active', 'conflict'],
  conflict: ['pending', 'active', 'unauthorized'],
  removed: ['pending', 'active', 'paused', 'suspended', 'unauthorized', 'conflict'],
}

/**
 * A bot has stopped by itself, or works again (rules 20.6). Agent and operator are told, once for each change; what the chats of the bot
 * were to be told waits, and goes out when it works again.
 *
 * @param reason in Telegram's words
 */
export async function setBotState(
  deps: BotDeps,
  botId: number,
  state: 'active' | 'suspended' | 'unauthorized' | 'conflict',
  reason = '',
): Promise<void> {
  await deps.db.write((tx) => change(deps, tx, botId, state, reason, 'itself'))
}

/** A bot after a command. */
export interface CommandedBot extends AgentBot {
  /** Whether the command has changed it. */
  readonly changed: boolean
}

/**
 * The agent, or the operator, stops a bot, lets it go on, or removes it. What the operator has stopped, only the operator lets go on or
 * removes (rules 20.6).
 *
 * @param actor the agent; undefined for the operator, of whose command the agent is told
 * @throws bot_not_found, invalid_state (the bot cannot come from its state into this one)
 */
export function commandBot(
  deps: BotDeps,
  actor: Actor | undefined,
  which: number | string,
  command: 'active' | 'paused' | 'removed',
): Promise<CommandedBot> {
  const state = command === 'paused' && !actor ? 'halted' : command
  return deps.db.write(async (tx) => {
    const bot = await findBot(tx, which, actor)
    const { botId, username } = bot
    const changed = await change(deps, tx, botId, state, '', actor ? 'agent' : 'operator')
    if (!changed && bot.state !== state) throw new ServiceError('invalid_state')
    if (changed && actor) happened(tx, { kind: 'agent_bot.commanded', actor, botId, username })
    return { ...(changed ?? bot), changed: changed !== undefined }
  })
}

/** @returns the bot; undefined when its state has not changed */
async function change(
  deps: BotDeps,
  tx: Tx,
  botId: number,
  state: Exclude<AgentBotState, 'pending'>,
  reason: string,
  by: 'itself' | 'agent' | 'operator',
): Promise<AgentBot | undefined> {
  const now = deps.clock.now()
  const before =
    by === 'operator' && state !== 'halted' ? [...BEFORE[state], 'halted' as const] : BEFORE[state]
  const [changed] = await tx.$kysely
    .updateTable('agentBots')
    .set(({ eb }) => ({
      // One that its owner has never opened still waits for that (rules 20.3).
      state:
        state === 'active'
          ? eb
              .case()
              .when('claimHash', 'is', null)
              .then(state)
              .else('pending' as const)
              .end()
          : state,
      reason,
      stateAt: now,
    }))
    .where('id', '=', botId)
    .where('state', 'in', before)
    .returning('id')
    .execute()
  if (!changed) return undefined
  addsWork(tx, 'agent_bots')
  if (state === 'active') await queueHeld(tx, now, botId)
  const [bot] = await selectBots(tx, state === 'removed')
    .where('b.id', '=', botId)
    .execute()
  if (!bot) return undefined
  if (by !== 'agent') tellAgent(tx, bot, by)
  return asBot(bot)
}

function tellAgent(
  tx: Tx,
  { botId, agentId, agent, username, state, reason, stateAt: at }: Omit<AgentBot, 'managed'>,
  by: 'itself' | 'operator',
): void {
  const byOperator = by === 'operator'
  happened(tx, { kind: 'agent_bot.changed', botId, agentId, agent, username, state, reason, at, byOperator })
}

/** Queues the notices that were held back while a bot did not run although it is active, as when its agent was disabled for a while. */
export async function sendHeld({ db, clock }: BotDeps, botId: number): Promise<void> {
  const [some] = await db.read.$kysely
    .selectFrom('notices')
    .select('id')
    .where(isHeld(botId))
    .limit(1)
    .execute()
  if (some) await db.write((tx) => queueHeld(tx, clock.now(), botId))
}

/** Queues the notices that were held back while the bot did not work. */
async function queueHeld(tx: Tx, now: Date, botId: number): Promise<void> {
  const held = await tx.$kysely
    .updateTable('notices')
    .set({ status: 'pending' })
    .where(isHeld(botId))
    .returning('id')
    .execute()
  await queueDeliveries(tx, now, held)
}

/** Condition: the notice was held back, as its bot did not work. */
function isHeld(botId: number) {
  const { eb, and, selectFrom } = expressionBuilder<DB, 'notices'>()
  return and([
    eb('status', '=', 'blocked'),
    eb('kind', '<>', 'broadcast'),
    eb(
      'chatId',
      'in',
      selectFrom('chats').select('id').where('botId', '=', botId).where('blocked', '=', false),
    ),
  ])
}

const BotEdit = z.object({
  /** Telegram: `setMyName`. */
  name: z.string().trim().min(1).max(64).optional(),
  welcome: z.string().trim().max(500).optional(),
  support: z.string().trim().max(100).optional(),
  languages: z.array(z.enum(LANGUAGES as readonly [Language, ...Language[]])).optional(),
})

/**
 * The agent changes what customers see of it.
 *
 * @throws bot_not_found, validation_error
 */
export async function editBot(
  deps: BotDeps,
  actor: Actor,
  botId: number,
  input: z.input<typeof BotEdit>,
): Promise<AgentBot> {
  const { languages, ...texts } = parseInput(BotEdit, input)
  return deps.db.write(async (tx) => {
    await findBot(tx, botId, actor)
    addsWork(tx, 'agent_bots')
    await tx.$kysely
      .updateTable('agentBots')
      .set({ ...texts, ...(languages && { languages: JSON.stringify(languages) }) })
      .where('id', '=', botId)
      .execute()
    return findBot(tx, botId, actor)
  })
}
