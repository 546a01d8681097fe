import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryDirectory } from './service.ts'

/** A new key with a certificate that nobody vouches for; needs OpenSSL. */
export async function selfSigned(name: string): Promise<{ readonly key: Buffer; readonly cert: Buffer }> {
  const folder = await temporaryDirectory()
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const made = ['req', '-x509', ...curve, '-subj', `/CN=${name}`, '-keyout', key, '-out', cert]
  execFileSync('openssl', made, { stdio: 'ignore' })
  return { key: readFileSync(key), cert: readFileSync(cert) }
}
