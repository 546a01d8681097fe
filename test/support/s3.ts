import { createServer, type IncomingMessage, request as ask, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRequire } from 'node:module'
import { atTheEnd } from './clean-up.ts'
import { temporaryDirectory } from './service.ts'

/** What the package exports, which has no types of its own. */
interface S3Server {
  run(): Promise<AddressInfo>
  close(): Promise<void>
}
type S3rver = new (options: {
  readonly address: string
  readonly port: number
  readonly silent: boolean
  readonly directory: string
  readonly configureBuckets: readonly { readonly name: string }[]
}) => S3Server

const load = createRequire(import.meta.url)

/** A server that speaks S3, with one bucket; it ends with the test. */
export async function startS3() {
  const Server = load('s3rver') as S3rver
  const directory = await temporaryDirectory()
  const server = new Server({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: 'copies' }],
  })
  const { port } = await server.run()
  atTheEnd(() => server.close())
  return { env: settingsOf(port) }
}

const settingsOf = (port: number) => ({
  BACKUP_S3_URL: `http://127.0.0.1:${port}/copies`,
  BACKUP_S3_REGION: 'us-east-1',
  BACKUP_S3_KEY_ID: 'S3RVER',
  BACKUP_S3_SECRET: 'S3RVER',
})

const STATUS = { SignatureDoesNotMatch: 403, NoSuchBucket: 404 }

/** S3 in which an upload gets as far as its second part, which is never answered; it ends with the test. */
export async function startS3ThatHoldsParts(target: Readonly<{ BACKUP_S3_URL: string }>) {
  const { port, hostname } = new URL(target.BACKUP_S3_URL)
  let held = 0
  const server = createServer((request, response) => {
    if (isSecondPart(request)) {
      held += 1
      return
    }
    const { method, url: path, headers } = request
    const passed = ask({ hostname, port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    passed.on('error', () => response.destroy())
    request.pipe(passed)
  })
  await listen(server)
  return { env: settingsOf((server.address() as AddressInfo).port), held: () => held }
}

const isSecondPart = ({ method, url = '' }: IncomingMessage) =>
  method === 'PUT' && new URLSearchParams(url.split('?')[1]).get('partNumber') === '2'

async function listen(server: Server): Promise<void> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atTheEnd(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
}

/** A server that refuses every request, as S3 does with this code, or hangs up, or never answers; it ends with the test. */
export async function startFailingS3(fault: keyof typeof STATUS | 'hangs up' | 'silent') {
  let asked = 0
  const server = createServer((request, response) => {
    asked += 1
    if (fault === 'silent') return
    if (fault === 'hangs up') return request.socket.destroy()
    const signed = request.headers.authorization ?? ''
    response.writeHead(STATUS[fault], { 'content-type': 'application/xml' })
    response.end(
      `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${fault}</Code><Message>No</Message><StringToSign>${signed}</StringToSign></Error>`,
    )
  })
  await listen(server)
  return { env: settingsOf((server.address() as AddressInfo).port), asked: () => asked }
}
