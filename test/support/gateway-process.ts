import { readFileSync } from 'node:fs'
import { endChild, startChild } from './children.ts'
import { root } from './tethered.ts'

/**
 * A gateway as a process of its own, on any free port, which can be killed; it ends with the test.
 *
 * @param folder where it works
 */
export async function startGatewayProcess(folder: string, env: Readonly<Record<string, string>>) {
  const program = [`${root}dist/gateway/main.js`]
  const child = startChild(process.execPath, program, { cwd: folder, env: { GATEWAY_PORT: '0', ...env } })
  let output = ''
  const port = await new Promise<number>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      const [, port] = /^ {2}proxy +127\.0\.0\.1:(\d+)$/m.exec(output) ?? []
      if (port) resolve(Number(port))
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', (code) => reject(new Error(`the gateway ended with ${code}:\n${output}`)))
  })
  return {
    port,
    child,
    output: () => output,
    /** Process ids of its workers. */
    workers: () => descendantsOf(child.pid ?? 0),
    kill: () => endChild(child, 'SIGKILL'),
    terminate: () => endChild(child, 'SIGTERM'),
  }
}

/** @returns process ids of those that a process has started, theirs included */
export function descendantsOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')
  return children.filter(Boolean).flatMap((child) => [Number(child), ...descendantsOf(Number(child))])
}
