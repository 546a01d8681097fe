import type { FastifyInstance } from 'fastify'
import type { Core } from '../core/core.ts'
import { OperatorError } from '../core/operator-error.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { Base } from './base.ts'

/**
 * Starts the sandbox with its demo data, unless Telegram is the real one.
 *
 * @param server gets the pages of the sandbox; not listening yet
 * @throws OperatorError when the database is that of a sandbox, and this is none, or the other way round
 */
export async function startSandbox(
  base: Base,
  core: Core,
  server: FastifyInstance,
): Promise<Sandbox | undefined> {
  const { config, sandboxModule, sandboxClock: clock, closers, later } = base
  if (!sandboxModule || !clock) {
    await refuseDemoData(core)
    return undefined
  }
  const directory = config.dataDirectory
  const sandbox = await sandboxModule.createSandbox({ core, server, clock, directory })
  closers.push(() => sandbox.close())
  later.sandbox = sandbox
  await sandbox.plant()
  return sandbox
}

/** Demo accounts have public passwords: their database never serves real customers. */
async function refuseDemoData(core: Core): Promise<void> {
  if ((await core.database.origin()) !== 'sandbox') return
  throw new OperatorError(
    'This database was made by the sandbox: it holds demo accounts whose passwords everybody knows. Set DATABASE_URL to another file.',
  )
}
