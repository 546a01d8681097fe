import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { GatewayProcess } from '../jobs/gateway-process.ts'
import { programUrl } from '../project-url.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { Base } from './base.ts'
import { addressOf } from './server.ts'

/** Starts the gateway as a process of its own, where one is wanted. */
export function startGateway(
  { config, logger, closers, later }: Base,
  server: FastifyInstance,
  sandbox: Sandbox | undefined,
): void {
  if (!config.gateway) return
  const { host, environment } = config.gateway
  const gateway = new GatewayProcess({
    entry: programUrl('gateway/main'),
    environment: {
      PATH: process.env['PATH'],
      ...environment,
      ...sandbox?.gatewaySettings,
      // The numeric address: a name could lead to another one.
      GATEWAY_SHOP_URL: addressOf(server, (server.server.address() as AddressInfo).address),
      GATEWAY_TOKEN: config.gatewayToken,
      LOG_LEVEL: config.log.level,
      LOG_FORMAT: config.log.format,
    },
    logger,
    ended: () => sandbox?.gatewayEnded(),
    listens: (port) => {
      sandbox
        ?.gatewayListens({ host, port })
        .catch((error: unknown) => logger.error({ err: error }, 'nobody is told where the gateway listens'))
    },
  })
  gateway.start()
  later.gateway = gateway
  closers.push(() => gateway.stop())
}
