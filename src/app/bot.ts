import { LINKS } from '../api/routes/extraction.ts'
import { PROXY_LINKS } from '../api/routes/proxy-links.ts'
import { createBot, type RunningBot } from '../bot/create-bot.ts'
import type { LinkBases } from '../bot/session/context.ts'
import { startLink } from '../bot/kit/invite-link.ts'
import type { Core } from '../core/core.ts'
import { isPostgres } from '../core/database/database.ts'
import { firstOwnerLink } from '../first-owner.ts'
import { installationOf } from '../installation.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { Base } from './base.ts'
import type { Places } from './server.ts'

/** Makes the bot, which takes no updates yet. */
export function makeBot(
  { config, overrides, logger, clock, db, later, metrics }: Base,
  core: Core,
  sandbox: Sandbox | undefined,
  { address, publicUrl, canBeOpened }: Places,
): RunningBot {
  const telegram = config.telegram.mode === 'telegram' ? config.telegram : undefined
  const bot = createBot({
    core,
    clock,
    token: telegram?.token ?? sandbox?.telegram.token ?? '',
    apiRoot: telegram?.apiRoot ?? sandbox?.apiRoot(address) ?? '',
    files: telegram?.files,
    secret: config.jwtSecret,
    logger,
    publicUrl: canBeOpened ? publicUrl : undefined,
    localUrl: canBeOpened ? undefined : config.publicUrl,
    installation: sandbox || isPostgres(config.databaseUrl) ? undefined : installationOf(),
    linkBases: canBeOpened ? linkBasesAt(publicUrl) : undefined,
    agentLinkBases: config.agentBotsUrl === undefined ? undefined : linkBasesAt(config.agentBotsUrl),
    webhook: config.webhook,
    hold: db.cluster?.hold,
    connected: async (username) => {
      const start = sandbox ? undefined : await firstOwnerLink(core)
      if (start)
        logger.warn(
          { link: startLink(username, start) },
          'nobody runs this shop yet: whoever opens the link first in Telegram becomes its owner',
        )
    },
    observer: metrics.agentBots,
    backupChat: config.backups.settings.chat?.chatId,
    chatLimit: config.chatLimit,
    shortcut: overrides.telegram,
  })
  later.bot = bot
  return bot
}

/** Returns the addresses below which public links are. @param url of this server, without a slash at the end */
function linkBasesAt(url: string): LinkBases {
  return { traffic: `${url}/api${LINKS}`, proxies: `${url}/api${PROXY_LINKS}` }
}
