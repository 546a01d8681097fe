import { appendFileSync, existsSync } from 'node:fs'
import { hostname, userInfo } from 'node:os'
import { dirname, join } from 'node:path'

/** A command of the operator, and whether it was carried out. */
interface OperatorAction {
  /** As typed after `npm run operator --`. */
  readonly args: readonly string[]
  /** 0: done; 1: refused, or used wrongly. */
  readonly status: number
}

/**
 * Appends a command to `operator.log` beside the database as one line of JSON: who did what and when. Passwords are left out. A
 * failure to write is ignored.
 *
 * @param databasePath file of the database
 */
export function logOperator(databasePath: string, { args, status }: OperatorAction): void {
  const directory = dirname(databasePath)
  if (!existsSync(directory)) return
  const line = {
    time: new Date().toISOString(),
    event: 'operator_command',
    by: nameOfUser(),
    from: hostname(),
    command: withoutSecrets(args),
    status,
  }
  try {
    appendFileSync(join(directory, 'operator.log'), `${JSON.stringify(line)}\n`, { mode: 0o600 })
  } catch {
    // The disk is full, or the folder is read-only.
  }
}

/** @returns the arguments with `[secret]` for the value of every option, and the part of every address, that holds one */
export function withoutSecrets(args: readonly string[]): string[] {
  return args.map((arg, index) => {
    const [name] = /^--[\w-]*(?:password|secret|token|key)=/i.exec(arg) ?? []
    if (name !== undefined) return `${name}[secret]`
    const before = args[index - 1] ?? ''
    // The login in an address, such as that of a database or an exit.
    if (/^\w+:\/\/[^/]*@/.test(arg)) return arg.replace(/\/\/[^/]*@/, '//[secret]@')
    return /^--[\w-]*(?:password|secret|token|key)$/i.test(before) && arg !== '-' ? '[secret]' : arg
  })
}

function nameOfUser(): string {
  try {
    return userInfo().username
  } catch {
    // A container's user may have no name.
    return String(process.getuid?.() ?? 'unknown')
  }
}
