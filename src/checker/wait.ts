import type { Socket } from 'node:net'
import type { ProbeStage } from '../core/checks/prober.ts'
import { faultAt, ProbeFault } from './probe-fault.ts'

/**
 * Waits for a step of a probe. A step that fails, or is late, destroys the socket and becomes a fault of the stage.
 *
 * @param begin registers what ends the step: `done` or `fail`
 */
export function step<Result>(
  socket: Socket,
  { stage, timeoutMs }: { readonly stage: ProbeStage; readonly timeoutMs: number },
  begin: (done: (result: Result) => void, fail: (error: unknown) => void) => void,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => fail(new ProbeFault(stage, 'timeout')), Math.max(timeoutMs, 1))
    const closed = () => fail(new ProbeFault(stage, 'closed'))
    const end = () => {
      clearTimeout(timer)
      socket.off('error', fail).off('close', closed)
    }
    function fail(error: unknown): void {
      end()
      // An error that comes after this must find a listener.
      socket.on('error', () => {}).destroy()
      reject(faultAt(stage, error))
    }
    socket.on('error', fail).on('close', closed)
    begin((result) => {
      end()
      resolve(result)
    }, fail)
  })
}
