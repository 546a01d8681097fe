/** After this, what a test waits for hangs. Nobody waits that long: on a busy machine, seconds are no sign of a fault. */
export const HANG_MS = 90_000

/** For what can only be looked at again and again. */
export const PATIENCE = { timeout: HANG_MS, interval: 20 }
