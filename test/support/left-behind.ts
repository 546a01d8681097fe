import type { TestProject } from 'vitest/node'
import { leftProcesses } from '../../scripts/left-processes.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Names this run in the environment of the processes that tests start. */
    testRun: string
  }
}

/** After all tests, also when some failed or the run was interrupted: fails when a process that they started lives on. */
export default function (project: TestProject) {
  const testRun = `${process.env['RUN_ID'] ?? 'run'}-${process.pid}`
  project.provide('testRun', testRun)
  return async () => {
    const left = await leftProcesses(`TEST_RUN=${testRun}\0`)
    if (left.length === 0) return
    process.exitCode = 1
    process.stderr.write(`Tests left processes behind:\n${left.join('\n')}\n`)
  }
}
