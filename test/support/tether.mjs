/**
 * Loaded into every process that tests start (tethered.ts): ends it when the process that started it is gone, whatever
 * ended that one. File descriptor 3 is a pipe from there, which nobody writes to, and which the kernel closes.
 */
import { Socket } from 'node:net'
import { isMainThread } from 'node:worker_threads'

// A process with a channel to its parent, such as a worker, has that at 3, and ends with it.
if (isMainThread && !process.connected)
  new Socket({ fd: 3, readable: true })
    .on('close', () => process.kill(process.pid, 'SIGKILL'))
    .on('error', () => {})
    .resume()
    .unref()
