import { setFlagsFromString } from 'node:v8'

/**
 * Leaves WebAssembly, in which Prisma plans queries, each shape once, as V8 compiles it at first. Optimizing it in the background
 * would hold up the end of a command for a third of a second, and a server would keep 50 MB of it. To be called before the
 * database is opened.
 */
export function leaveWasmUnoptimized(): void {
  setFlagsFromString('--liftoff-only')
}
