/** Entry point of `npm run operator -- …`. */
import { CommanderError } from 'commander'
import { OperatorError } from '../core/operator-error.ts'
import { loadEnvFile } from '../env-file.ts'
import { leaveWasmUnoptimized } from '../lean-wasm.ts'
import { withSources } from '../with-sources.ts'
import { createProgram } from './program.ts'
import { Refusal } from '../operator/refusal.ts'
import { asRefusal, refuse } from './run.ts'

// The database holds passwords of proxies: all files are readable by their owner only.
process.umask(0o077)
leaveWasmUnoptimized()

const asJson = process.argv.includes('--json')

try {
  loadEnvFile()
  await createProgram(process).parseAsync()
} catch (error) {
  if (error instanceof OperatorError) refuse(process, asJson, asRefusal(error))
  else if (!(error instanceof CommanderError)) {
    // A bug: print the whole stack on stderr.
    process.stderr.write(`${withSources(String(error instanceof Error ? error.stack : error))}\n`)
    refuse(
      process,
      asJson,
      new Refusal('internal_error', 'The command failed because of a fault in the program'),
    )
  } else if (error.code.startsWith('commander.help') || error.code === 'commander.version') {
    // Help or version are printed already; exit status 2 when it was printed because a command is missing.
    process.exitCode = error.exitCode === 0 ? 0 : 2
  } else {
    refuse(process, asJson, new Refusal('usage', error.message.replace(/^error: /, ''), { exitStatus: 2 }))
  }
}
