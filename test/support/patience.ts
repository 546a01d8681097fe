/** How long tests wait for what comes by itself. Nobody waits that long: on a busy machine a second is no sign of a fault. */
export const PATIENCE = { timeout: 15_000, interval: 20 }
