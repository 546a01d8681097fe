import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { endChild, startChild } from './children.ts'
import { root } from './tethered.ts'

/** Compiles what the processes run, as `npm start` does, and the client library. */
export function build(): void {
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'clients/typescript'], {
    cwd: root,
    stdio: 'inherit',
  })
  execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: root, stdio: 'inherit' })
}

/** The product as a process of its own, which can be killed. */
export interface ProductProcess {
  /** Address of the HTTP face. */
  readonly address: string
  readonly output: () => string
  readonly pid: number
  /** Like a power cut of the process, and of those that it has started. */
  readonly kill: () => Promise<void>
  /** Like the operator's Ctrl-C. */
  readonly terminate: () => Promise<number | null>
}

/**
 * Starts the compiled product and waits until it says that it is ready. It ends with the test at the latest.
 *
 * @param environment its environment variables; nothing is inherited but PATH. Without GATEWAY_PORT no gateway is started
 * @param cwd a directory without `.env`
 * @param product folder of the product, compiled
 * @throws with the output when it ends before it is ready
 */
export async function startProcess(
  environment: Record<string, string>,
  cwd: string,
  product = root,
): Promise<ProductProcess> {
  const child = startChild(process.execPath, [join(product, 'dist/main.js')], {
    cwd,
    env: { GATEWAY_PORT: 'off', ...environment },
  })
  let output = ''
  const ready = new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      const address = /^ {2}api +(http\S+)\/api$/m.exec(output)?.[1]
      if (address) resolve(address)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', (code) => reject(new Error(`the process ended with ${code}:\n${output}`)))
  })
  const address = await ready
  return {
    address,
    output: () => output,
    pid: child.pid ?? 0,
    kill: async () => void (await endChild(child, 'SIGKILL')),
    terminate: () => endChild(child, 'SIGTERM'),
  }
}
