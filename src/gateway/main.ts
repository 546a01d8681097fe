import cluster from 'node:cluster'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { OperatorError } from '../core/operator-error.ts'
import { loadEnvFile } from '../env-file.ts'
import { createLogger } from '../logger.ts'
import { withSources } from '../with-sources.ts'
import { type GatewayConfig, loadGatewayConfig } from './config.ts'
import { startGateway } from './gateway.ts'
import { runWorker } from './workers/worker.ts'

async function main(): Promise<void> {
  // The journal tells who visited what: whatever is written is for its owner only.
  process.umask(0o077)
  // Ignore EPIPE: whoever reads the log may be gone.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {})
  // Started by the shop, or as a worker, it has got all settings in its environment; the file holds the shop's secrets.
  if (!process.send) loadEnvFile()
  const config = loadGatewayConfig(process.env)
  const logger = createLogger(config.log, [config.token])
  if (cluster.isWorker) return runWorker(config, logger)
  cluster.setupPrimary({ exec: fileURLToPath(import.meta.url), args: [] })
  await serve(config, logger)
}

async function serve(config: GatewayConfig, logger: Logger): Promise<void> {
  const gateway = await startGateway(config, logger)
  const stop = (reason: string) => {
    logger.info({ reason }, 'stopping')
    gateway.stop().then(
      () => logger.info('stopped'),
      (error: unknown) => {
        logger.error({ err: error }, 'the stop was not clean')
        process.exitCode = 1
        setTimeout(() => process.exit(), 1_000).unref()
      },
    )
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  // Started by the shop, which is gone: the next one starts a gateway of its own, with the port and the journal of this one.
  process.once('disconnect', () => {
    stop('disconnect')
    // Breaks off what is open.
    void gateway.stop()
  })
  process.send?.({ port: gateway.port })
  // When all is closed, the channel does not keep the process alive.
  process.channel?.unref()

  const host = config.host.includes(':') ? `[${config.host}]` : config.host
  process.stdout.write(`\nthe gateway is ready\n  proxy    ${host}:${gateway.port}\n\n`)
}

main().catch((error: unknown) => {
  const shown = error instanceof OperatorError ? error.message : withSources(String((error as Error).stack))
  process.stderr.write(`${shown}\n`)
  process.exitCode = 1
  setTimeout(() => process.exit(1), 1_000).unref()
})
