import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { loadConfig } from '../src/config.ts'
import { OperatorError } from '../src/core/operator-error.ts'
import { loadGatewayConfig } from '../src/gateway/config.ts'

const BASE = { JWT_SECRET: 'a-secret-of-the-tests-that-is-long-enough' }

function problemsOf(environment: Record<string, string>): string {
  try {
    loadConfig({ ...BASE, ...environment })
  } catch (error) {
    if (error instanceof OperatorError) return error.message
    throw error
  }
  return ''
}

describe('the sandbox', () => {
  it('is what starts without a bot', () => {
    expect(loadConfig(BASE).telegram.mode).toBe('sandbox')
  })

  it.each([
    [
      'in production',
      { NODE_ENV: 'production' },
      'BOT_TOKEN is missing: with NODE_ENV=production the sandbox never starts',
    ],
    [
      'in production, not even when asked for',
      { NODE_ENV: 'production', SANDBOX: 'on' },
      'the sandbox never starts',
    ],
    [
      'when it was forbidden',
      { SANDBOX: 'off' },
      'BOT_TOKEN is missing, and SANDBOX=off forbids the sandbox',
    ],
    ['on an address that others can reach', { HOST: '0.0.0.0' }, 'would show the sandbox to others'],
    [
      'beside a real bot',
      { SANDBOX: 'on', BOT_TOKEN: '42:token-of-the-tests-0123456789abcdefgh' },
      'exclude each other',
    ],
  ])('never starts %s', (_when, environment, problem) => {
    expect(problemsOf(environment)).toContain(problem)
  })
})

describe('mail', () => {
  it('is off without settings', () => {
    expect(loadConfig({ ...BASE, SMTP_URL: '', MAIL_FROM: '' })).toMatchObject({
      mail: undefined,
      publicUrl: undefined,
    })
  })

  it('needs a server and a sender', () => {
    const SMTP_URL = 'smtps://user:pass%20word@mail.example.com:465'
    const settings = {
      SMTP_URL,
      MAIL_FROM: 'The Shop <shop@example.com>',
      PUBLIC_URL: 'https://shop.example.com/',
    }
    expect(loadConfig({ ...BASE, ...settings })).toMatchObject({
      mail: { url: SMTP_URL, from: 'The Shop <shop@example.com>' },
      publicUrl: 'https://shop.example.com',
    })
    expect(problemsOf({ SMTP_URL })).toContain('MAIL_FROM is missing')
    expect(problemsOf({ MAIL_FROM: 'shop@example.com' })).toContain('SMTP_URL is missing')
  })

  it('names all that is wrong at once', () => {
    const problems = problemsOf({
      SMTP_URL: 'mail.example.com',
      MAIL_FROM: 'a@b.example>\r\nBcc: x@y.example',
      PUBLIC_URL: 'shop.example.com',
    })
    for (const name of ['SMTP_URL', 'MAIL_FROM', 'PUBLIC_URL']) expect(problems).toContain(name)
  })
})

describe('chats of the operator', () => {
  it('are ids, those of groups negative', () => {
    expect(loadConfig(BASE).operatorChats).toEqual([])
    expect(loadConfig({ ...BASE, OPERATOR_CHAT_IDS: '700, -1001234567890,700' }).operatorChats).toEqual([
      700, -1001234567890,
    ])
    // The largest of 52 bits (Bot API).
    const largest = [4_503_599_627_370_495, -4_503_599_627_370_495]
    expect(loadConfig({ ...BASE, OPERATOR_CHAT_IDS: largest.join() }).operatorChats).toEqual(largest)
    for (const ids of ['@olivia', '1.5', '0', '700;701', '-', '4503599627370496'])
      expect(problemsOf({ OPERATOR_CHAT_IDS: ids })).toContain('OPERATOR_CHAT_IDS must be ids')
  })
})

describe('top-up by USDT', () => {
  const USDT_WALLET = 'TMuA6YqfCeX8EhbfYEg5y7S4DqzSJireY9'
  const USDT_CONTRACT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'

  const REAL = { ...BASE, BOT_TOKEN: `42:${'x'.repeat(35)}` }

  it('is off without a wallet', () => {
    expect(loadConfig({ ...REAL, USDT_WALLET: '', TRON_API_KEY: '' }).topUps).toBeUndefined()
  })

  it('never has a real wallet in the sandbox', () => {
    const { topUps } = loadConfig({ ...BASE, USDT_WALLET, USDT_RATE: '7.2' })
    expect(topUps?.terms.rate).toBe(7_200_000)
    expect(topUps?.networks).toMatchObject([{ wallet: expect.stringContaining('Sandbox') }])
  })

  it('pays out from 10 on, by its rate, to addresses that are neither its wallet nor the contract', () => {
    const { min, rate, isAddress } = loadConfig({ ...REAL, USDT_WALLET, USDT_RATE: '7.2' }).payouts
    expect([min, rate]).toEqual([10_000_000, 7_200_000])
    const addresses = [USDT_WALLET, USDT_CONTRACT, 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', 'TJRab']
    expect(addresses.map(isAddress)).toEqual([false, false, true, false])
  })

  it('needs a wallet only', () => {
    expect(loadConfig({ ...REAL, USDT_WALLET }).topUps).toEqual({
      terms: {
        rate: 1_000_000,
        min: 1_000_000,
        max: 50_000_000_000,
        expireMs: 30 * 60_000,
        graceMs: 24 * 3_600_000,
      },
      networks: [
        expect.objectContaining({
          wallet: USDT_WALLET,
          contract: USDT_CONTRACT,
          providers: { apiUrl: 'https://api.trongrid.io', fallbackUrl: undefined, apiKey: undefined },
          secrets: [],
        }),
      ],
    })
    const settings = {
      USDT_WALLET,
      USDT_CONTRACT: 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf',
      USDT_RATE: '7.123456',
      USDT_MIN_AMOUNT: '0.5',
      USDT_MAX_AMOUNT: '100',
      USDT_EXPIRE_MINUTES: '5',
      USDT_GRACE_HOURS: '0',
      TRON_API_URL: 'http://127.0.0.1:8090/tron/',
      TRON_API_URL_FALLBACK: 'https://user:password@tron.example.com',
      TRON_API_KEY: '25f66928-0b70-48cd-9ac6-da6f8247c663',
    }
    expect(loadConfig({ ...REAL, ...settings }).topUps).toMatchObject({
      terms: {
        rate: 7_123_456,
        min: 500_000,
        max: 100_000_000,
        graceMs: 0,
      },
      networks: [
        {
          contract: settings.USDT_CONTRACT,
          providers: {
            apiUrl: 'http://127.0.0.1:8090/tron',
            fallbackUrl: settings.TRON_API_URL_FALLBACK,
            apiKey: settings.TRON_API_KEY,
          },
          secrets: [settings.TRON_API_KEY],
        },
      ],
    })
  })

  it.each([
    ['USDT_WALLET', '0x82dd6b9966724ae2fdc79b416c7588da67ff1b35'],
    ['USDT_WALLET', 'TMuA6YqfCeX8EhbfYEg5y7S4DqzSJireY8'],
    ['USDT_WALLET', USDT_CONTRACT],
    ['USDT_CONTRACT', 'USDT'],
    ['USDT_RATE', '0'],
    ['USDT_RATE', '-1'],
    ['USDT_RATE', '7,2,1'],
    ['USDT_RATE', '1e3'],
    ['USDT_RATE', '0.0000001'],
    ['USDT_MIN_AMOUNT', '0'],
    ['USDT_MIN_AMOUNT', '0.001'],
    ['USDT_MIN_AMOUNT', '50000.01'],
    ['USDT_MAX_AMOUNT', '100 000'],
    ['USDT_EXPIRE_MINUTES', '0'],
    ['USDT_EXPIRE_MINUTES', '1441'],
    ['USDT_GRACE_HOURS', '1.5'],
    ['PAYOUT_MIN', '0'],
    ['PAYOUT_MIN', '10 USD'],
    ['TRON_API_URL', 'http://tron.example.com'],
    ['TRON_API_URL', 'http://127.0.0.1.example.com'],
    ['TRON_API_URL', 'https://tron.example.com/?key=1'],
    ['TRON_API_URL', 'https:tron.example.com'],
    ['TRON_API_URL', 'https://tron_node.example.com'],
    ['TRON_API_URL_FALLBACK', 'ftp://tron.example.com'],
    ['TRON_API_KEY', 'a key with spaces'],
    ['TRON_PRIVATE_KEY', 'da146374a75310b9666e834ee4ad0866d6f4035967bfc76217c5a495fff9f0d0'],
    ['TRON_MNEMONIC', 'abandon abandon about'],
    ['USDT_WALLET_PRIVATE_KEY', 'da14'],
  ])('refuses %s=%s, and does not repeat it', (name, value) => {
    const problems = problemsOf({ USDT_WALLET, [name]: value })
    expect(problems).toContain(`- ${name} `)
    if (value.length > 8) expect(problems).not.toContain(value)
  })

  it('refuses a rate at which an amount is worth nothing, or more than a balance can hold', () => {
    expect(problemsOf({ USDT_WALLET, USDT_RATE: '0.000001', USDT_MIN_AMOUNT: '0.5' })).toContain(
      'worth nothing',
    )
    expect(problemsOf({ USDT_WALLET, USDT_RATE: '9000', USDT_MAX_AMOUNT: '1000001' })).toContain('worth more')
  })
})

describe('the gateway', () => {
  const REAL = { BOT_TOKEN: '42:token-of-the-tests-0123456789abcdefgh' }
  const gatewayOf = (environment: Record<string, string>) =>
    loadConfig({ ...BASE, DATABASE_URL: 'file:/srv/shop/reseller.db', ...environment }).gateway

  it.each([
    ['on 8899 in the sandbox', {}, '8899'],
    ['on any port in a sandbox that has any port itself', { PORT: '0' }, '0'],
    ['where it is said', { GATEWAY_PORT: '8000' }, '8000'],
    ['where it is said for real', { ...REAL, GATEWAY_PORT: '8000' }, '8000'],
    ['not for real, unless it is said', REAL, undefined],
    ['not when it is switched off', { GATEWAY_PORT: 'off' }, undefined],
  ])('starts %s', (_where, environment, port) => {
    expect(gatewayOf(environment)?.environment['GATEWAY_PORT']).toBe(port)
  })

  it('listens on this machine and keeps its journal beside the database, unless other things are set', () => {
    expect(gatewayOf({ GATEWAY_HOST: '', GATEWAY_DATA: '' })).toMatchObject({
      host: '127.0.0.1',
      environment: { GATEWAY_DATA: '/srv/shop/gateway' },
    })
    const settings = {
      GATEWAY_HOST: '0.0.0.0',
      GATEWAY_DATA: '/srv/journal',
      GATEWAY_WORKERS: '2',
      GATEWAY_MAX_CONNECTIONS: '50',
      GATEWAY_PROBE_TARGET: '[2001:db8::1]:443',
    }
    expect(gatewayOf(settings)).toMatchObject({ host: '0.0.0.0', environment: settings })
  })

  it.each([
    [{ GATEWAY_PORT: 'on' }, 'GATEWAY_PORT must be a port number, or off'],
    [{ GATEWAY_PORT: '65536' }, 'GATEWAY_PORT must be a port number, or off'],
    [{ GATEWAY_WORKERS: '65' }, 'GATEWAY_WORKERS must be from 1 to 64'],
    [{ GATEWAY_MAX_CONNECTIONS: '-1' }, 'GATEWAY_MAX_CONNECTIONS must be a whole number'],
    [{ GATEWAY_PROBE_TARGET: 'example.com:0' }, 'GATEWAY_PROBE_TARGET must be a host and a port'],
    [{ GATEWAY_TOKEN: 'short' }, 'GATEWAY_TOKEN must have at least 32 characters'],
  ])('refuses %o', (environment, problem) => {
    const message = problemsOf(environment)
    expect(message.split(problem).length).toBe(2)
  })
})

describe('a gateway alone', () => {
  const SETTINGS = { GATEWAY_SHOP_URL: 'https://shop.example.com', GATEWAY_TOKEN: 'a-token-of-the-tests' }
  const refusal = (environment: Record<string, string>) => {
    try {
      loadGatewayConfig({ ...SETTINGS, ...environment })
    } catch (error) {
      return (error as OperatorError).message
    }
    return ''
  }

  it('needs a shop and a token, and has defaults for the rest', () => {
    expect(loadGatewayConfig(SETTINGS)).toMatchObject({
      host: '127.0.0.1',
      port: 8899,
      shopUrl: 'https://shop.example.com',
      data: './data/gateway',
      workers: 1,
      maxConnections: 500,
      probeTarget: { host: 'one.one.one.one', port: 443 },
    })
    const problems = refusal({ GATEWAY_SHOP_URL: '', GATEWAY_TOKEN: '' })
    expect(problems).toContain('GATEWAY_SHOP_URL is missing')
    expect(problems).toContain('GATEWAY_TOKEN is missing')
  })

  it.each([
    ['https://shop.example.com/api/', 'https://shop.example.com'],
    ['https://example.com/shop', 'https://example.com/shop'],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['http://[::1]:3000', 'http://[::1]:3000'],
    ['http://10.0.0.5:3000', 'http://10.0.0.5:3000'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['http://shop:3000', 'http://shop:3000'],
  ])('finds the shop at %s', (GATEWAY_SHOP_URL, shopUrl) => {
    expect(loadGatewayConfig({ ...SETTINGS, GATEWAY_SHOP_URL })).toMatchObject({ shopUrl })
  })

  it.each([
    'http://shop.example.com',
    'http://192.0.2.7',
    'http://3221225991',
    'http://shop.',
    'https://a:b@shop.example.com',
    'shop.example.com',
  ])('sends its token nowhere like %s', (GATEWAY_SHOP_URL) => {
    expect(refusal({ GATEWAY_SHOP_URL })).toContain('GATEWAY_SHOP_URL must be')
  })
})

it('each setting stands once in .env.example: of two lines the last one would count, even when it is empty', () => {
  const example = readFileSync(new URL('../.env.example', import.meta.url), 'utf8')
  const names = [...example.matchAll(/^(\w+)=/gm)].map(([, name]) => name)
  expect(names.length).toBeGreaterThan(50)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})

describe('a shop on PostgreSQL', () => {
  const url = 'postgresql://shop:password@db.example.com/shop'

  it('needs the secrets that its servers share', () => {
    expect(() =>
      loadConfig({ DATABASE_URL: url, BOT_TOKEN: '42:token-of-the-tests-0123456789abcdefgh' }),
    ).toThrow(/JWT_SECRET is missing.*SECRETS_KEY is missing.*GATEWAY_TOKEN is missing/s)
  })

  it('has no sandbox', () => {
    expect(() => loadConfig({ DATABASE_URL: url })).toThrow('the sandbox runs on SQLite only')
  })

  it('keeps what is not in the database in a folder of the machine', () => {
    const secret = 'a-secret-that-is-long-enough-for-this'
    const { dataDirectory, databaseUrl, backups } = loadConfig({
      DATABASE_URL: url,
      DATA_DIR: '/srv/shop',
      BOT_TOKEN: '42:token-of-the-tests-0123456789abcdefgh',
      JWT_SECRET: secret,
      SECRETS_KEY: secret,
      GATEWAY_TOKEN: secret,
    })
    expect({ dataDirectory, databaseUrl }).toEqual({ dataDirectory: '/srv/shop', databaseUrl: url })
    expect(backups.settings).toMatchObject({ postgres: url, directory: '/srv/shop/backups' })
  })
})

it.each([
  'http://git.example.com/releases',
  'https://10.0.0.1/releases',
  'https://me:secret@git.example.com/releases',
  'releases',
])('news of versions are not read at %s', (address) => {
  expect(problemsOf({ UPDATE_FEED: address })).toContain('UPDATE_FEED must be an https address')
})
