import type { ConversationFlavor, Conversation } from '@grammyjs/conversations'
import type { Context } from 'grammy'
import type { Logger } from 'pino'
import type { ChatSession } from '../../core/chats/chat-sessions.ts'
import type { Core } from '../../core/core.ts'
import type { Operator } from '../../core/people/operator.ts'
import type { RunnableBot } from '../../core/bots/agent-bot.ts'
import type { BotsOfAgents } from '../transport/agent-bots.ts'
import type { Screen } from '../kit/screen.ts'
import type { SupportWay } from '../kit/view.ts'
import type { Texts } from '../texts/index.ts'

/** Addresses below which public links are: of extractions from traffic, and to static proxies. */
export interface LinkBases {
  readonly traffic: string
  readonly proxies: string
}

/** Shell commands for this server. */
export interface Installation {
  /** Prefix of an operator's command such as `backup list`, while the server is stopped. */
  readonly operator: string
  /** Command that stops the server; missing, like `start`, where it is not known what started it. */
  readonly stop?: string
  readonly start?: string
}

interface ChatFlavor {
  readonly core: Core
  readonly logger: Logger
  /** The bots of agents. */
  readonly agentBots: BotsOfAgents
  /** The agent whose bot this is, as customers see it; undefined: the shop's. */
  readonly brand: RunnableBot | undefined
  /** Addresses below which public links are; undefined when people could not open them. */
  readonly linkBases: LinkBases | undefined
  /** Where this server is reached from outside; undefined when it is not. */
  readonly publicUrl: string | undefined
  /** The address that is set as the public one, although only this machine can open it. */
  readonly localUrl: string | undefined
  /** Shell commands for this server; undefined where backups are not restored by one of them. */
  readonly installation: Installation | undefined
  /** The folder with the files of a Bot API server that runs with `--local`; undefined where it runs without. */
  readonly files: string | undefined
  /** The chat as it was when the update came in. */
  session: ChatSession
  /** Who acts for the shop here; undefined for customers. */
  operator: Operator | undefined
  /** Whether who acts here may press a button, given its callback data. */
  readonly mayPress: (data: string) => boolean
  /** Where customers write to support. */
  support: SupportWay
  /** Texts in the chat's language. */
  texts: Texts
  /** The conversation that begins once this update has been handled, and its arguments: JSON. */
  begins: { readonly name: string; readonly start: readonly unknown[] } | undefined
  /** Whether a screen was shown. */
  shown: boolean
  /** Whether the pressed button has led to the screen that was there already. */
  unchanged: boolean
  /** Whether a conversation has taken the update: then nothing else handles it. */
  answered: boolean
  /** Whether the typed message was removed, so that the live screen is the last message and is edited in place. */
  inPlace: boolean
  /** Shows a screen; returns the id of the message that it is now. */
  show(screen: Screen): Promise<number>
  /**
   * The home screen: main menu, welcome or operator's menu.
   *
   * @param note what the person should know first
   */
  homeScreen(note?: string): Promise<Screen>
  /** Answers the pressed button with a line at the top of the chat, or with a box that must be closed. */
  notify(text: string, alert?: boolean): Promise<void>
}

/** What features work with. */
export type BotContext = ConversationFlavor<Context & ChatFlavor>
/** Inside a dialogue there is the plain context only: everything else goes through `conversation.external`. */
export type BotConversation = Conversation<BotContext>
