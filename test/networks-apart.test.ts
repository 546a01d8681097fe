import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { NETWORKS } from '../src/networks/index.ts'

/** What names a network by its nature. */
const APART = [
  'src/networks/',
  'src/emulators/',
  'src/sandbox/',
  'src/generated/',
  // The API documents the network that there always was, and the settings name theirs.
  'src/api/',
  'src/config.ts',
  'src/cli/commands/setup.ts',
  'src/bot/texts/en/machine.ts',
  'src/bot/texts/zh/machine.ts',
  'src/bot/texts/ru/machine.ts',
  // Earnings are paid out over one network (rules 13.6).
  'src/bot/texts/en/earnings.ts',
  'src/bot/texts/zh/earnings.ts',
  'src/bot/texts/ru/earnings.ts',
]
/** A rule of validation that the API names, and the texts of payouts beside it. */
const OF_PAYOUTS =
  /not_a_tron_address|is not a TRON address|Это не адрес TRON|接收 USDT 的 TRON 地址|<b>USDT<\/b> ?[(（]TRC20[)）]/g

test('no network is named outside of its folder, but for what is said of one only', () => {
  const names = NETWORKS.flatMap(({ id, name: { short, chain, coin } }) => [id, short, chain, coin])
  const named = new RegExp(`\\b(${[...new Set(names)].join('|')})\\b`, 'i')
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .map((path) => join('src', path))
    .filter((path) => path.endsWith('.ts') && !APART.some((folder) => path.startsWith(folder)))
  const found = files.filter((path) => named.test(readFileSync(path, 'utf8').replaceAll(OF_PAYOUTS, '')))
  expect(found).toEqual([])
})
