/**
 * The HTTP client of a gateway, in a thread of its own: where it shares a thread with tunnels, its sockets are others than theirs to V8,
 * and each tunnel costs 5 to 8 % more (decision 12). Plain JavaScript: Node 20 starts no thread with anything else.
 *
 * It gets an object for each request, or `{ id, abort: true }`, and sends `{ id, status, text }`, or `{ id, failure }`: why there is no
 * answer, in few words and without anything that was sent.
 */
import http from 'node:http'
import https from 'node:https'
import { parentPort, workerData } from 'node:worker_threads'

/** How long a connection waits for its next request: less than servers wait, which would close it under a batch. */
const FREE_MS = 3_000
/** Far more than a page of accounts takes. */
const MAX_ANSWER_BYTES = 16_000_000

const { Agent, request } = workerData.url.startsWith('https:') ? https : http
const agent = new Agent({ keepAlive: true, timeout: FREE_MS })
/** By the number of the request. */
const controllers = new Map()

async function ask({ path, method, headers, body }, signal) {
  const response = await new Promise((resolve, reject) => {
    request(workerData.url + path, { method, headers, agent, signal }, resolve)
      .on('error', reject)
      .end(body)
  })
  const chunks = []
  let bytes = 0
  for await (const chunk of response) {
    bytes += chunk.length
    if (bytes > MAX_ANSWER_BYTES) return { failure: 'the answer is too large' }
    chunks.push(chunk)
  }
  return { status: response.statusCode, text: Buffer.concat(chunks).toString('utf8') }
}

async function answer({ id, timeoutMs, ...question }) {
  const controller = new AbortController()
  controllers.set(id, controller)
  const timer = setTimeout(() => controller.abort(), timeoutMs)
  const said = await ask(question, controller.signal).catch((error) => ({
    failure: controller.signal.aborted ? 'no answer in time' : (error.code ?? 'the connection failed'),
  }))
  clearTimeout(timer)
  controllers.delete(id)
  parentPort.postMessage({ id, ...said })
}

parentPort.on('message', (message) => {
  if (message.abort) controllers.get(message.id)?.abort()
  else void answer(message)
})
