import type { Socket } from 'node:net'

/** What goes wrong with the proxy. */
export type ProxyFault =
  /** Takes connections and never answers. */
  | 'hang'
  /** Ends each connection at once. */
  | 'close'
  /** Takes the credentials and reaches nothing. */
  | 'no_exit'
  /** Takes the credentials, and answers itself in place of the target. */
  | 'wrong_answer'

export interface Endpoint {
  readonly host: string
  readonly port: number
}

/** What both protocols share. */
export interface ProxyRules {
  readonly accepts: (username: string, password: string) => boolean
  /** Connects to a target; undefined where it cannot be reached. */
  readonly reach: (target: Endpoint) => Promise<Socket | undefined>
  readonly fault: () => ProxyFault | undefined
}

const WRONG_ANSWER = 'HTTP/1.1 200 OK\r\nContent-Length: 14\r\nConnection: close\r\n\r\n<html></html>\n'

/** Leads a client to its target, or answers in its place. */
export function lead(client: Socket, target: Socket, fault: ProxyFault | undefined): void {
  if (fault === 'wrong_answer') {
    target.destroy()
    client.end(WRONG_ANSWER)
    return
  }
  client.on('close', () => target.destroy())
  target.on('close', () => client.destroy())
  client.pipe(target).pipe(client)
}
