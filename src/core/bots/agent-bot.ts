import { AccountStatus, AgentBotState } from '../../generated/prisma/enums.ts'
import type { Actor } from '../access/actor.ts'
import { parsed } from '../database/dialect.ts'
import type { Readable } from '../database/database.ts'
import { ServiceError } from '../errors.ts'
import type { Essentials } from '../jobs/essentials.ts'
import { LANGUAGES, type Language } from '../languages.ts'
import type { Sealing } from '../sealed.ts'
import { openedToken } from '../token-hash.ts'

export type { AgentBotState }

export const AGENT_BOT_STATES = Object.values(AgentBotState)
export const AGENT_STATUSES = Object.values(AccountStatus)

/** The terms on which agents have bots of their own. */
export interface BotTerms {
  /** Most bots of an agent, by its level from 1 upward; the last one counts for all higher levels, the first one without a level. */
  readonly most: readonly number[]
}

/** Dependencies of what is done with the bots of agents. */
export interface BotDeps extends Essentials {
  /** Encrypts the tokens of bots, each for its id. */
  readonly botTokens: Sealing
  /** Undefined where agents have no bots of their own. */
  readonly agentBots: BotTerms | undefined
}

/** What customers see of an agent instead of the shop (rules 20.4). */
export interface Brand {
  readonly botId: number
  readonly agentId: number
  readonly username: string
  readonly name: string
  /** First lines of the window; empty for those of the product. */
  readonly welcome: string
  /** Where customers find support, as an address or in words; empty: they write tickets. */
  readonly support: string
  /** The languages that can be chosen; none for all. */
  readonly languages: readonly Language[]
}

/** Returns the languages that can be chosen under a brand; undefined: in the shop's bot. */
export function languagesOf(brand: Pick<Brand, 'languages'> | undefined): readonly Language[] {
  return brand === undefined || brand.languages.length === 0 ? LANGUAGES : brand.languages
}

/** Returns a language if it can be chosen under a brand, else the first one that can. */
export function languageIn(brand: Pick<Brand, 'languages'> | undefined, language: Language): Language {
  const languages = languagesOf(brand)
  return languages.includes(language) ? language : (languages[0] ?? language)
}

/** The bot of an agent. */
export interface AgentBot extends Brand {
  readonly agent: string
  /** The bots of an agent that is disabled or deleted do not run, whatever their state. */
  readonly agentStatus: AccountStatus
  readonly ownerId: number
  readonly managed: boolean
  readonly state: AgentBotState
  /** Why it has stopped, in Telegram's words. */
  readonly reason: string
  readonly stateAt: string
  readonly createdAt: string
}

/** A bot that is to receive updates, with what that needs. */
export interface RunnableBot extends AgentBot {
  readonly token: string
  /** The token of the link by which newcomers register; undefined where it cannot be read. */
  readonly joinToken: string | undefined
}

/** States in which a bot has stopped by itself, and is tried again from time to time (rules 20.6). */
export const PARKED = ['unauthorized', 'conflict'] as const satisfies readonly AgentBotState[]

/** Selects bots, newest last. @param withRemoved whether those that were removed are among them */
export function selectBots(db: Readable, withRemoved = false) {
  return db.$kysely
    .selectFrom('agentBots as b')
    .innerJoin('accounts as g', 'g.id', 'b.agentId')
    .select(['b.id as botId', 'b.agentId', 'g.username as agent', 'g.status as agentStatus'])
    .select(['b.ownerId', 'b.username', 'b.managed'])
    .select(['b.state', 'b.reason', 'b.stateAt', 'b.createdAt', 'b.name', 'b.welcome', 'b.support'])
    .select(({ ref }) => parsed<Language[]>(ref('b.languages')).as('languages'))
    .$if(!withRemoved, (there) => there.where('b.state', '<>', 'removed'))
    .orderBy('b.createdAt')
    .orderBy('b.id')
}

/** Lists the bots of an agent. */
export async function ownBots({ db }: BotDeps, { id }: Actor): Promise<AgentBot[]> {
  return (await selectBots(db.read).where('b.agentId', '=', id).execute()).map(asBot)
}

/** Lists the bots of all agents, as for the operator. */
export async function allBots({ db }: BotDeps): Promise<AgentBot[]> {
  return (await selectBots(db.read).execute()).map(asBot)
}

/** Counts the bots of agents by state: not those that were removed, nor those of agents that are disabled. */
export async function countBots({ db }: BotDeps): Promise<{ state: AgentBotState; bots: number }[]> {
  const rows = await db.read.$kysely
    .selectFrom('agentBots as b')
    .innerJoin('accounts as g', 'g.id', 'b.agentId')
    .select(({ fn }) => ['b.state', fn.countAll<number | string>().as('bots')] as const)
    .where('b.state', '<>', 'removed')
    .where('g.status', '=', 'active')
    .groupBy('b.state')
    .execute()
  return rows.map(({ state, bots }) => ({ state, bots: Number(bots) }))
}

/**
 * Returns a bot.
 *
 * @param which its id, or its username with or without @
 * @param agent only a bot of this agent
 * @throws bot_not_found
 */
export async function findBot(db: Readable, which: number | string, agent?: Actor): Promise<AgentBot> {
  const name = String(which).replace(/^@/, '').toLowerCase()
  const row = await selectBots(db)
    .where(({ eb, fn, or }) =>
      or([
        eb(fn<string>('lower', ['b.username']), '=', name),
        ...(/^\d{1,16}$/.test(name) ? [eb('b.id', '=', Number(name))] : []),
      ]),
    )
    .$if(agent !== undefined, (found) => found.where('b.agentId', '=', agent?.id ?? 0))
    .executeTakeFirst()
  if (!row) throw new ServiceError('bot_not_found')
  return asBot(row)
}

/** {@link findBot} among those of the agent. */
export function ownBot({ db }: BotDeps, agent: Actor, botId: number): Promise<AgentBot> {
  return findBot(db.read, botId, agent)
}

/** Returns the bots that receive updates, and those that have stopped by themselves; none of an agent who is disabled or deleted. */
export async function runnableBots({ db, botTokens, linkTokens }: BotDeps): Promise<RunnableBot[]> {
  const rows = await selectBots(db.read)
    .innerJoin('joinLinks as l', 'l.id', 'b.joinLinkId')
    .select(['b.token', 'l.sealed', 'l.tokenHash'])
    .where('b.state', 'in', ['pending', 'active', ...PARKED])
    .where('g.status', '=', 'active')
    .execute()
  return rows.flatMap(({ token: sealed, sealed: link, tokenHash, ...row }) => {
    const token = botTokens.open(sealed, String(row.botId))
    if (typeof token !== 'string') return []
    return [{ ...asBot(row), token, joinToken: openedToken(linkTokens, link, tokenHash) }]
  })
}

/** Returns a row of {@link selectBots} as SQLite and PostgreSQL have it in common. */
export function asBot<Row extends { readonly managed: unknown }>(
  row: Row,
): Row & { readonly managed: boolean } {
  return { ...row, managed: Boolean(row.managed) }
}
