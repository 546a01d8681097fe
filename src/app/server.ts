import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { connectionLimits } from '../api/connections.ts'
import { createServer } from '../api/server.ts'
import type { RunningBot } from '../bot/create-bot.ts'
import { webhookRoute } from '../bot/transport/webhook.ts'
import type { Config } from '../config.ts'
import type { Core } from '../core/core.ts'
import { ServiceError } from '../core/errors.ts'
import type { Machine } from '../core/operator/readiness.ts'
import { OperatorError } from '../core/operator-error.ts'
import { isThisMachine, publicUrlProblem } from '../core/public-url.ts'
import { keepUpdate } from '../jobs/inbox.ts'
import { openFileLimit } from '../open-files.ts'
import type { Base } from './base.ts'

/** Connections that wait to be accepted; the system may allow fewer. Beyond it clients try again after a second. */
const BACKLOG = 4_096

/** Makes the HTTP server, which does not listen yet. */
export async function makeServer(base: Base, core: Core, { checks }: Machine): Promise<FastifyInstance> {
  const { config, overrides, logger, metrics, sandboxModule, closers } = base
  const { server: create = createServer } = overrides
  const server = await create({
    core,
    defaultVariant: config.apiVariant,
    logger,
    publicUrl: config.publicUrl,
    limits: config.rateLimits,
    connections: connectionLimits(openFileLimit()),
    trustedProxies: config.trustedProxies,
    metrics: { ...metrics, token: config.metricsToken, local: sandboxModule !== undefined },
    hosts: sandboxModule && ownHosts(config),
    checks,
  })
  closers.push(() => server.close())
  if (config.webhook) await server.register(webhookRoute(config.webhook, receiver(base)))
  return server
}

/** The addresses of this server. */
export type Places = Awaited<ReturnType<typeof listen>>

/**
 * Lets the HTTP server listen.
 *
 * @throws OperatorError when the address cannot be listened on
 */
export async function listen(base: Base, server: FastifyInstance) {
  const { config, logger, sandboxModule, later } = base
  const { host, port } = config
  try {
    await server.listen({ host, port, backlog: BACKLOG })
  } catch (error) {
    const refusal = LISTEN_ERRORS[(error as NodeJS.ErrnoException).code ?? '']
    throw refusal ? new OperatorError(refusal(host, port), { cause: error }) : error
  }
  const address = addressOf(server, host)
  const { publicUrl = address } = config
  later.echoUrl = config.checks.echoUrl ?? publicUrl
  // In the sandbox everybody is on this machine.
  const canBeOpened = sandboxModule !== undefined || !isThisMachine(publicUrl)
  if (!canBeOpened) {
    logger.warn(
      `${publicUrlProblem(config.publicUrl) ?? 'PUBLIC_URL is not set'}, and nobody else can open ${publicUrl}: the bot hands out no public links, and links in mails lead nowhere`,
    )
  }
  return {
    /** Where it listens, as this machine reaches it. */
    address,
    /** Where people find it. */
    publicUrl,
    canBeOpened,
  }
}

const noSuchHost = (host: string) => `HOST=${host} is no address of this machine`
/** Texts by the code of the system's error. */
const LISTEN_ERRORS: Readonly<Record<string, ((host: string, port: number) => string) | undefined>> = {
  EADDRINUSE: (host, port) => `Port ${port} of ${host} is in use by another program: set another PORT`,
  EACCES: (_host, port) => `PORT=${port} is not allowed for this user: set one from 1024 on`,
  EADDRNOTAVAIL: noSuchHost,
  EAI_AGAIN: noSuchHost,
  ENOTFOUND: noSuchHost,
  EINVAL: noSuchHost,
}

/** Makes the receiver of Telegram's updates. They may come before the bot is there: Telegram repeats what was refused. */
function receiver({ db: { cluster }, later }: Base): RunningBot['receive'] {
  return async (update, botId) => {
    // Whichever server it comes to, the leader handles it: the updates of a chat stay in order.
    if (cluster) return keepUpdate(cluster, update, botId)
    if (!later.bot) throw new ServiceError('unavailable')
    await later.bot.receive(update, botId)
  }
}

/** Returns the host names by which people reach this server. */
function ownHosts({ host, publicUrl }: Config): string[] {
  return [host, ...(publicUrl ? [new URL(publicUrl).hostname] : [])]
}

/**
 * Returns the address at which a server listens.
 *
 * @param host the one to name, unless it stands for all addresses
 */
export function addressOf(server: FastifyInstance, host: string): string {
  const { port } = server.server.address() as AddressInfo
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}
