import { startApp } from './app.ts'
import { loadConfig, secretsOf } from './config.ts'
import { OperatorError } from './core/operator-error.ts'
import { loadEnvFile } from './env-file.ts'
import { leaveWasmUnoptimized } from './lean-wasm.ts'
import { createLogger } from './logger.ts'
import { productVersion } from './product-version.ts'
import { withSources } from './with-sources.ts'

/** How long a stop may take before the process ends anyway; what was accepted survives that too. */
const STOP_LIMIT_MS = 10_000

async function main(): Promise<void> {
  // The database holds passwords of proxies: whatever is written is for its owner only.
  process.umask(0o077)
  // Ignore EPIPE: whoever reads the log may be gone.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {})
  leaveWasmUnoptimized()
  loadEnvFile()
  const config = loadConfig(process.env)
  const logger = createLogger(config.log, secretsOf(config))
  let stopping = false
  const start = async () => {
    const started = await startApp(config, logger, { restart })
    logger.info({ version: productVersion(), node: process.version, addresses: started.addresses }, 'ready')
    return started
  }
  const restart = () => {
    if (stopping) return
    logger.info('other settings were chosen: starting anew')
    app = app.then(async (old) => {
      await old.stop()
      return start()
    })
    app.catch(fail)
  }
  let app = start()
  const { addresses } = await app

  const stop = (signal: string) => {
    if (stopping) return
    stopping = true
    logger.info({ signal }, 'stopping')
    setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref()
    void app
      .then((running) => running.stop())
      .then(
        () => logger.info('stopped'),
        (error: unknown) => {
          logger.error({ err: error }, 'the stop was not clean')
          process.exitCode = 1
        },
      )
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)

  const lines = Object.entries(addresses).map(([name, address]) => `  ${name.padEnd(8)} ${address}`)
  process.stdout.write(`\nproxy-reseller is ready\n${lines.join('\n')}\n\n`)
}

main().catch(fail)

function fail(error: unknown): void {
  process.stderr.write(`${error instanceof OperatorError ? error.message : withCauses(error)}\n`)
  process.exitCode = 1
  setTimeout(() => process.exit(1), 1000).unref()
}

/** Returns stacks only: other fields of an error may hold a secret. */
function withCauses(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause === undefined ? '' : `\ncaused by: ${withCauses(error.cause)}`
  return `${withSources(error.stack ?? error.message)}${cause}`
}
