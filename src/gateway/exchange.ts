import {
  type IncomingMessage,
  type InformationEvent,
  request as httpRequest,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import { Refused } from './exit.ts'
import { endToEnd, headText, isOld, requestHeaders, responseHeaders } from './forwarded-headers.ts'
import type { MeteredStream } from './metered-stream.ts'

export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The connection to the target, for this request only. */
  readonly stream: MeteredStream
  /** The value of the `Host` header. */
  readonly host: string
  readonly path: string
  /** Whether the client asks for another protocol. */
  readonly upgrade: boolean
}

const MOST_HEAD_BYTES = 65_536
/** Bytes that are read of the body of a request that is answered already. */
const MOST_UNUSED_BYTES = 262_144

/**
 * Passes a request on and the answer back, with the interim answers before it (rules 12.13).
 *
 * @returns when the connection to the target is closed
 * @throws Refused as long as nothing was answered
 */
export function exchange({ request, response, stream, host, path, upgrade }: Exchange): Promise<void> {
  const { method = 'GET', socket } = request
  return new Promise((resolve, reject) => {
    let answer: IncomingMessage | undefined
    let sink: Writable = response
    const outgoing = httpRequest({
      createConnection: () => stream,
      method,
      path,
      headers: requestHeaders(request, host, upgrade),
      setHost: false,
      maxHeaderSize: MOST_HEAD_BYTES,
    })
    // The number of headers is bounded by the size of the head.
    outgoing.maxHeadersCount = 0

    const fail = (error: Error) => {
      if (socket.destroyed) resolve()
      else if (answer) breakOff(socket, request, answer)
      else reject(error instanceof Refused ? error : unanswered(error))
    }
    if (stream.destroyed) return fail(new Error('closed at once'))
    const clientGone = () => void stream.destroy()
    socket.once('close', clientGone)
    stream.once('close', () => {
      socket.off('close', clientGone)
      if (answer) resolve()
    })
    stream.once('error', fail)
    const cut = () => void stream.destroy(new Refused('traffic_exhausted'))
    stream.once('exhausted', () => void passedOn([stream, answer], sink).then(cut))
    outgoing.on('error', fail)
    outgoing.on('information', (interim: InformationEvent) => {
      if (isOld(request)) return
      const { statusCode, statusMessage } = interim
      socket.write(headText(`HTTP/1.1 ${statusCode} ${statusMessage}`, endToEnd(interim)), 'latin1')
      if (socket.writableLength > MOST_HEAD_BYTES) stream.destroy(new Error('the client reads too slowly'))
    })
    outgoing.once('response', (incoming: IncomingMessage) => {
      const fault = faultOf(incoming)
      if (fault) return void stream.destroy(fault)
      try {
        response.writeHead(incoming.statusCode ?? 0, incoming.statusMessage, responseHeaders(incoming))
      } catch (error) {
        // Node refuses to write some heads that it reads, such as control characters in the status line.
        return fail(error as Error)
      }
      answer = incoming
      incoming.once('error', fail)
      // The target may keep its connection open.
      incoming.once('end', () => {
        stream.destroy()
        // The target has answered before the client has sent all.
        if (!request.complete) readOn(request)
      })
      incoming.pipe(response)
    })
    outgoing.once('upgrade', (incoming: IncomingMessage, _: unknown, head: Buffer) => {
      if (!upgrade) {
        fail(new Error('upgraded without being asked'))
        return void stream.destroy()
      }
      answer = incoming
      sink = socket
      response.detachSocket(socket)
      switchProtocols(incoming, head, stream, socket)
    })
    if (upgrade) outgoing.end()
    else request.pipe(outgoing)
  })
}

/** Returns the fault of an answer that would mean something else to the client than to the gateway. */
function faultOf({ statusCode, headers }: IncomingMessage): Refused | undefined {
  // Only a proxy answers 407, and the client would take it for the gateway's answer.
  if (statusCode === 407) return unanswered(new Error('it asks for credentials of a proxy'))
  const coding = headers['transfer-encoding']
  // None was asked for: `TE` is not passed on.
  return coding === undefined || coding.toLowerCase() === 'chunked'
    ? undefined
    : unanswered(new Error('its transfer coding is not understood'))
}

/** Ends an answer that is not complete, so that the client does not take it for whole (RFC 9112, 8). */
function breakOff(socket: Socket, request: IncomingMessage, answer: IncomingMessage): void {
  // Only the end of the connection tells such a client where the answer ends.
  if (isOld(request) && answer.headers['content-length'] === undefined) socket.resetAndDestroy()
  else socket.destroySoon()
}

/** Reads a part of a body that nobody needs any more, so that the answer arrives and the connection can be used again. */
export function readOn(request: IncomingMessage): void {
  let left = MOST_UNUSED_BYTES
  request.unpipe()
  request.on('data', ({ length }: Buffer) => {
    left -= length
    if (left < 0) request.socket.destroySoon()
  })
  request.resume()
}

function unanswered(cause: Error): Refused {
  return new Refused('target_unreachable', 'the target gave no valid answer', { cause })
}

/** Opens the tunnel after `101 Switching Protocols`. */
function switchProtocols(answer: IncomingMessage, head: Buffer, stream: MeteredStream, socket: Socket): void {
  const headers = [
    ...responseHeaders(answer),
    'Connection',
    'Upgrade',
    'Upgrade',
    answer.headers.upgrade ?? '',
  ]
  socket.write(headText(`HTTP/1.1 101 ${answer.statusMessage}`, headers), 'latin1')
  socket.write(head)
  stream.once('close', () => socket.destroySoon())
  socket.pipe(stream).pipe(socket)
}

/** Settles when all that was read from the target was passed on. */
async function passedOn(sources: readonly (Readable | undefined)[], sink: Writable): Promise<void> {
  while (
    !sink.destroyed &&
    sources.some((source) => source && !source.destroyed && source.readableLength > 0)
  ) {
    await new Promise<void>((resolve) => {
      sink.once('drain', resolve)
      sink.once('close', resolve)
    })
    // A source that was paused goes on first.
    await new Promise<void>((resolve) => void setImmediate(resolve))
  }
}
