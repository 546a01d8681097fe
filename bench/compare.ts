import { execFileSync } from 'node:child_process'
import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { table } from '../src/operator/table.ts'
import { logIntoChats, prepare, pressInTurn, shareOf } from './bot.ts'
import { type Contender, startProduct, startProductBot } from './contender.ts'
import { measureEach, median, ratio } from './load.ts'
import { acceptRequest, readRequest } from './requests.ts'
import type { Seeded } from './seed.ts'
import { residentMb, root, SETTLE_MS } from './server-process.ts'

/** What is below this share of what it was is a fall. */
const LEAST = 0.95
/** An odd number, for the median. */
const STARTS = 5

/**
 * npm run bench -- --compare REVISION: the product of another commit beside that of the working tree, in one run: the order list, order
 * acceptance, the bot, and what a start takes.
 *
 * @param revision as git takes it
 * @returns whether nothing fell by more than 5 %
 * @throws when there is no such commit, or its product cannot be made
 */
export async function compare(directory: string, revision: string, jwtSecret: string): Promise<boolean> {
  const checkout = checkoutOf(revision, directory)
  const template = join(directory, 'template.db')
  // By the older code: the newer product brings its copy up to date, the older one would refuse a newer one.
  const seeded = seededBy(checkout, template, jwtSecret)
  let now = await startProduct(template, directory, jwtSecret, 'now')
  let before = await startProduct(template, directory, jwtSecret, 'before', checkout)
  const starts = { now: [] as Start[], before: [] as Start[] }
  for (let round = 0; round < STARTS; round += 1) {
    now = await now.restart()
    starts.now.push(await startOf(now))
    before = await before.restart()
    starts.before.push(await startOf(before))
  }

  const rows: string[][] = []
  const shares: number[] = []
  const add = (what: string, share: number, ...figures: readonly string[]) => {
    shares.push(share)
    rows.push([what, ...figures, share.toFixed(2), share >= LEAST ? 'yes' : 'no'])
  }
  for (const [what, request, works] of [
    ['order list, req/s', readRequest(seeded), false],
    ['order acceptance, req/s', acceptRequest(seeded), true],
  ] as const) {
    const entrants = [now, before].map((contender) => ({ contender, request, works }))
    const [one, other] = [...(await measureEach(entrants)).values()]
    if (!one || !other) throw new Error('nothing was measured')
    add(what, ratio(one, other), ...[one, other].map(({ rounds }) => medianRate(rounds)))
  }
  for (const [what, figure] of [
    ['start, ms', 'ms'],
    ['memory after the start, MB', 'mb'],
  ] as const) {
    const [one = 0, other = 0] = [starts.now, starts.before].map((list) =>
      median(list.map((each) => each[figure])),
    )
    add(what, other / one, one.toFixed(0), other.toFixed(0))
  }
  await Promise.all([now.stop(), before.stop()])

  const bots = await Promise.all(
    [root, checkout].map((each, at) =>
      prepare((environment) =>
        startProductBot(template, join(directory, `bot-${at}`), jwtSecret, environment, logIntoChats, each),
      ),
    ),
  )
  await pressInTurn(bots)
  const [one, other] = bots
  if (!one || !other) throw new Error('nothing was measured')
  add('bot, updates/s', shareOf(one, other), ...bots.map(({ rounds }) => medianRate(rounds)))
  for (const bot of bots) await bot.close()
  console.log(table([['what', 'now', revision, 'ratio', 'holds'], ...rows]))
  return shares.every((share) => share >= LEAST)
}

function medianRate(rounds: readonly { readonly rate: number }[]): string {
  return median(rounds.map(({ rate }) => rate)).toFixed(0)
}

interface Start {
  readonly ms: number
  readonly mb: number
}

async function startOf(product: Contender): Promise<Start> {
  await delay(SETTLE_MS)
  return { ms: product.started, mb: residentMb(product) }
}

/** The compiled product of another commit; its packages are installed where they are not those of this checkout. */
function checkoutOf(revision: string, directory: string): string {
  const checkout = join(directory, 'checkout')
  const run = (command: string, ...args: readonly string[]) =>
    execFileSync(command, args, { cwd: checkout, stdio: ['ignore', 'ignore', 'inherit'] })
  execFileSync('git', ['clone', '--quiet', '--shared', root, checkout])
  run('git', 'checkout', '--quiet', '--detach', revision)
  const lock = (folder: string) => readFileSync(join(folder, 'package-lock.json'), 'utf8')
  if (lock(checkout) === lock(root)) symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'))
  else run('npm', 'ci', '--silent', '--no-audit', '--no-fund')
  run(process.execPath, join('scripts', 'build.mjs'))
  return checkout
}

/** Makes the database by the code of a checkout. */
function seededBy(checkout: string, template: string, jwtSecret: string): Seeded {
  const script = `
    const { seed } = await import(${JSON.stringify(join(checkout, 'bench', 'seed.ts'))})
    process.stdout.write(JSON.stringify(await seed(...process.argv.slice(-2))))`
  const args = ['--import', 'tsx', '--input-type=module', '-e', script, template, jwtSecret]
  const text = execFileSync(process.execPath, args, { cwd: checkout, encoding: 'utf8' })
  return JSON.parse(text) as Seeded
}
