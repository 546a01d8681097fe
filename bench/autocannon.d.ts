/** The part of autocannon that the benchmark uses; it brings no types. */
declare module 'autocannon' {
  export interface Options {
    /** The connections are shared between several. */
    readonly url: string | readonly string[]
    readonly connections: number
    /** Seconds. */
    readonly duration: number
    readonly method: 'GET' | 'POST'
    readonly headers: Readonly<Record<string, string>>
    readonly body?: string
    /** Milliseconds between looks at the clock: a run ends at one of them. */
    readonly sampleInt: number
  }

  export interface Result {
    readonly '2xx': number
    readonly non2xx: number
    /** Connections that broke, and requests that got no answer in time. */
    readonly errors: number
    /** Seconds that it really took. */
    readonly duration: number
    /** Milliseconds. */
    readonly latency: { readonly p50: number; readonly p99: number }
  }

  export default function autocannon(options: Options): Promise<Result>
}
