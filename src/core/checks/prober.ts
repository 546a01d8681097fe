/** What the core needs to know whether a proxy works; implemented in `src/checker`. */

/** Stages of a probe: TCP connection, proxy handshake, its credentials, our own echo through the proxy; `done`: all passed. */
export const PROBE_STAGES = ['connect', 'handshake', 'credentials', 'echo', 'done'] as const
export type ProbeStage = (typeof PROBE_STAGES)[number]

/** Why a probe came no further. */
export const PROBE_REASONS = [
  'refused',
  'unreachable',
  'timeout',
  'closed',
  'not_a_proxy',
  'credentials_refused',
  'target_refused',
  'wrong_answer',
] as const
export type ProbeReason = (typeof PROBE_REASONS)[number]

/** A proxy as its user connects to it. */
export interface ProbedProxy {
  readonly ip: string
  readonly port: number
  /** Empty: the proxy wants no credentials. */
  readonly username: string
  readonly password: string
}

export interface Probe {
  readonly stage: ProbeStage
  /** Null when the probe came through. */
  readonly reason: ProbeReason | null
  /** Milliseconds until the TCP connection stood; null when it never did. */
  readonly connectMs: number | null
  /** Milliseconds from the request to the first byte of its answer; null without one. */
  readonly firstByteMs: number | null
  /** The address from which the probe reached our echo; null without its answer. */
  readonly exitAddress: string | null
  /** The fault is this machine's, such as a missing route: it says nothing about the proxy. */
  readonly local?: true
}

/** Tries proxies from this machine. Each function ends within 15 seconds, and throws only when the service closes. */
export interface ProxyProber {
  /** Whether our own echo answers already: not before the server listens. */
  readonly ready: boolean
  /** One attempt to reach our own echo through the proxy, by HTTP and, where that fails, by SOCKS5. */
  probe(proxy: ProbedProxy): Promise<Probe>
  /** Whether our echo, and the control proxy where there is one, can be reached: otherwise a probe says nothing about a proxy. */
  controlWorks(): Promise<boolean>
  /**
   * Whether our echo can be reached from outside, as far as this process knows: there is a control proxy, or a probe has come
   * through within a day. Without it, a fault of our own address would look like one of all proxies.
   */
  readonly proven: boolean
}
