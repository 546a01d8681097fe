import type { AccountStatus } from '../../../src/generated/prisma/client.ts'
import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { JWT_SECRET, openService, PASSWORD, refused } from '../../support/service.ts'

async function loggedIn() {
  const service = await openService()
  const agent = await service.agent({ name: 'agent' })
  const { token } = await service.core.accounts.logIn({
    username: 'agent',
    password: PASSWORD,
    address: '192.0.2.1',
  })
  const change = (data: { status?: AccountStatus; tokenVersion?: number }) =>
    service.db.write((tx) => tx.account.update({ where: { id: agent.id }, data }))
  return { ...service, agent, token, change, authenticate: service.core.accounts.authenticate }
}

describe('a token', () => {
  it('is a JWT with the claims sub, ver, iat, exp and jti', async () => {
    const { token, agent, clock } = await loggedIn()
    const [header, claims] = token.split('.').slice(0, 2).map(decoded)
    const iat = clock.now().getTime() / 1000
    expect(header).toEqual({ alg: 'HS256', typ: 'JWT' })
    const jti = expect.stringMatching(/^[\w-]{12}$/) as string
    expect(claims).toEqual({ sub: String(agent.id), ver: 1, iat, exp: iat + 86_400, jti })
  })

  it('works until its last second', async () => {
    const { token, clock, authenticate, agent } = await loggedIn()
    clock.advance(86_400_000 - 1)
    expect(await authenticate(token)).toEqual(agent)
    clock.advance(1)
    await refused(authenticate(token), 'token_invalid')
  })

  it('dies at once with a new password', async () => {
    const { token, change, authenticate } = await loggedIn()
    await change({ tokenVersion: 2 })
    await refused(authenticate(token), 'token_invalid')
  })

  it('rests while the account is disabled', async () => {
    const { token, change, authenticate, agent } = await loggedIn()
    await change({ status: 'disabled' })
    await refused(authenticate(token), 'account_disabled')
    await change({ status: 'active' })
    expect(await authenticate(token)).toEqual(agent)
  })

  it('dies at once when the account is deleted', async () => {
    const { token, change, authenticate } = await loggedIn()
    await change({ status: 'deleted' })
    await refused(authenticate(token), 'user_not_found')
  })

  it('of a disabled account with a new password is just invalid', async () => {
    const { token, change, authenticate } = await loggedIn()
    await change({ status: 'disabled', tokenVersion: 2 })
    await refused(authenticate(token), 'token_invalid')
  })

  it('ends a log-in at a chat in the same way', async () => {
    const { core, change } = await loggedIn()
    await core.chats.session(7, 'en')
    await core.chats.logIn(7, { username: 'agent', password: PASSWORD })
    expect(await core.chats.session(7, 'en')).toMatchObject({
      actor: { username: 'agent' },
      ended: undefined,
    })
    await change({ status: 'disabled' })
    expect(await core.chats.session(7, 'en')).toMatchObject({ actor: undefined, ended: 'account_disabled' })
    await change({ status: 'active', tokenVersion: 2 })
    expect(await core.chats.session(7, 'en')).toMatchObject({ actor: undefined, ended: 'token_invalid' })
  })

  it('carries the price level of the agent above', async () => {
    const service = await openService()
    const agent = await service.agent({ level: 3 })
    await service.customer(agent, { name: 'customer' })
    const { token } = await service.core.accounts.logIn({
      username: 'customer',
      password: PASSWORD,
      address: '192.0.2.1',
    })
    expect(await service.core.accounts.authenticate(token)).toMatchObject({
      role: 'user',
      agentId: agent.id,
      level: 3,
    })
  })
})

const encoded = (value: object | string) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
const decoded = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString())

/** A token signed with the HMAC key of the service or another, under whatever header. */
function forged(header: object, claims: object, { key = JWT_SECRET, hash = 'sha256' } = {}): string {
  const content = `${encoded(header)}.${encoded(claims)}`
  return `${content}.${createHmac(hash, key).update(content).digest('base64url')}`
}

describe('a forged token is invalid', () => {
  const HS256 = { alg: 'HS256', typ: 'JWT' }

  async function parts() {
    const { token, authenticate, agent, clock } = await loggedIn()
    const [header, claims, signature] = token.split('.') as [string, string, string]
    const iat = clock.now().getTime() / 1000
    const valid = { sub: String(agent.id), ver: 1, iat, exp: iat + 1000 }
    return { token, header, claims, signature, valid, agent, authenticate }
  }

  it('while one that is signed rightly passes (the forgeries below fail for their own reason)', async () => {
    const { authenticate, valid, agent } = await parts()
    expect(await authenticate(forged(HS256, valid))).toEqual(agent)
  })

  it.each(['none', 'None', 'NONE', 'nOnE', '', 'HS1', 'hs256'])('with the algorithm %j', async (alg) => {
    const { authenticate, valid, signature } = await parts()
    const content = `${encoded({ alg, typ: 'JWT' })}.${encoded(valid)}`
    for (const token of [
      `${content}.`,
      content,
      `${content}.${signature}`,
      forged({ alg, typ: 'JWT' }, valid),
    ]) {
      await refused(authenticate(token), 'token_invalid')
    }
  })

  it.each([
    ['HS384', 'sha384'],
    ['HS512', 'sha512'],
  ])('with another HMAC (%s), even by our key', async (alg, hash) => {
    const { authenticate, valid } = await parts()
    await refused(authenticate(forged({ alg, typ: 'JWT' }, valid, { hash })), 'token_invalid')
  })

  it('with an RSA signature, or the HMAC under an RSA header', async () => {
    const { authenticate, valid } = await parts()
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const content = `${encoded({ alg: 'RS256', typ: 'JWT' })}.${encoded(valid)}`
    const signature = sign('sha256', Buffer.from(content), privateKey).toString('base64url')
    await refused(authenticate(`${content}.${signature}`), 'token_invalid')
    await refused(authenticate(forged({ alg: 'RS256', typ: 'JWT' }, valid)), 'token_invalid')
  })

  it('signed with another key, the empty one among them, wherever its header says the key is', async () => {
    const { authenticate, valid } = await parts()
    const lures = {
      kid: '../../dev/null',
      jku: 'https://attacker.example/keys',
      jwk: { kty: 'oct', k: encoded('evil') },
      x5u: 'https://attacker.example',
    }
    for (const key of ['', 'evil', `${JWT_SECRET} `, JWT_SECRET.toUpperCase()]) {
      await refused(authenticate(forged(HS256, valid, { key })), 'token_invalid')
      await refused(authenticate(forged({ ...HS256, ...lures }, valid, { key })), 'token_invalid')
    }
  })

  it('with changed content', async () => {
    const { authenticate, header, signature, valid } = await parts()
    for (const claims of [
      { ...valid, sub: '2' },
      { ...valid, exp: valid.exp + 1 },
      { ...valid, ver: 2 },
    ]) {
      await refused(authenticate(`${header}.${encoded(claims)}.${signature}`), 'token_invalid')
    }
  })

  it('with a signature that is cut, lengthened, or missing', async () => {
    const { authenticate, token, header, claims, signature } = await parts()
    const content = `${header}.${claims}`
    for (const wrong of [
      signature.slice(0, -1),
      signature.slice(0, 10),
      `${signature}A`,
      `${signature}AAAA`,
      '',
      ' ',
      encoded('x'),
    ]) {
      await refused(authenticate(`${content}.${wrong}`), 'token_invalid')
    }
    for (const wrong of [content, `${token}.`, `.${token}`, `${token}.${signature}`])
      await refused(authenticate(wrong), 'token_invalid')
  })

  it('without what every token of ours has', async () => {
    const { authenticate, valid } = await parts()
    for (const claim of ['sub', 'ver', 'iat', 'exp'] as const) {
      const { [claim]: _, ...rest } = valid
      await refused(authenticate(forged(HS256, rest)), 'token_invalid')
    }
  })

  it('that is no token at all', async () => {
    const { authenticate } = await parts()
    for (const text of [
      '',
      '.',
      '..',
      'Bearer',
      'null',
      '{}',
      'a.b.c',
      '\0',
      'é.é.é',
      'x'.repeat(100_000),
      `${'x.'.repeat(50_000)}x`,
    ]) {
      await refused(authenticate(text), 'token_invalid')
    }
  })
})
