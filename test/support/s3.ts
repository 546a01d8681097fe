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
  return {
    env: {
      BACKUP_S3_URL: `http://127.0.0.1:${port}/copies`,
      BACKUP_S3_REGION: 'us-east-1',
      BACKUP_S3_KEY_ID: 'S3RVER',
      BACKUP_S3_SECRET: 'S3RVER',
    },
  }
}
