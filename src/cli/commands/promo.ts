import { Command, Option } from 'commander'
import { z } from 'zod'
import { toText } from '../../core/money.ts'
import { PROMO_CODE, type PromoCode } from '../../core/promotions/promo-code.ts'
import { type PromoEffect, PromoEffectRecord } from '../../core/promotions/promo-effects.ts'
import { record } from '../../core/record.ts'
import { amount, codes, wholeNumber } from '../arguments.ts'
import type { Run, Session } from '../run.ts'
import { table } from '../table.ts'

const { code, state, agent, percent, amount: off, ...rest } = PROMO_CODE
const PromoCodeRecord = record({ code, state, agent, percent, amount: off, currency: z.string(), ...rest })

interface Options {
  readonly percent?: number
  readonly amount?: number
  readonly products?: string[]
  readonly uses?: number
  readonly perUser?: number
  readonly days?: number
  readonly until?: string
}

/** `promo …`: codes that lower prices, paid by the shop, or by the agent that made them (rules 13.8). */
export function promoCommands(run: Run): Command[] {
  return [addCommand(run), listCommand(run), stopCommand(run)]
}

function addCommand(run: Run): Command {
  return new Command('add')
    .description('make a code that takes a percentage or an amount off purchases, paid by the shop')
    .argument('[code]', '3-32 letters, digits, _ or -; without it, one is made up')
    .addOption(
      new Option('--percent <number>', '1-100, of the price').argParser(wholeNumber).conflicts('amount'),
    )
    .option('--amount <amount>', 'off each purchase', amount)
    .option('--products <numbers>', 'numbers of products, such as ISP-US,DYN-US; without it, all', codes)
    .option('--uses <number>', 'most purchases with it', wholeNumber)
    .option('--per-user <number>', 'most purchases of one user', wholeNumber)
    .option('--days <number>', 'how long it holds; without it, until it is stopped', wholeNumber)
    .addOption(new Option('--until <time>', 'or its end, such as 2026-12-31T23:59:00Z').conflicts('days'))
    .action(
      run(async (session, code: string | undefined, { uses, perUser, ...terms }: Options) => {
        const core = await session.core()
        const made = await core.operator.promotions.add(session.by, {
          ...terms,
          code: code ?? null,
          maxUses: uses,
          maxUsesPerUser: perUser,
        })
        const { products } = await core.operator.promotions.effects(made)
        const text = [
          `${made.code} takes ${discountOf(made, session.currency)} off`,
          ...effectLines(products),
        ]
        return {
          data: { ...withCurrency(made, session), effects: PromoEffectRecord.array().show(products) },
          text: text.join('\n'),
        }
      }),
    )
}

function listCommand(run: Run): Command {
  return new Command('list')
    .description('list codes, those of agents included, the newest first')
    .option('--page <number>', 'which 100 of them', wholeNumber, 1)
    .action(
      run(async (session, { page }: { readonly page: number }) => {
        const found = await (await session.core()).operator.promotions.list({ page, pageSize: 100 })
        const { items, total } = found
        const header = ['CODE', 'STATE', 'OFF', 'OF', 'USES', 'GIVEN', 'UNTIL', 'PRODUCTS']
        const rows = items.map((code) => rowOfPromoCode(code, session.currency))
        return {
          data: { items: items.map((promo) => withCurrency(promo, session)), total },
          text: total === 0 ? 'There are no promotion codes' : table([header, ...rows]),
        }
      }),
    )
}

function stopCommand(run: Run): Command {
  return new Command('stop')
    .description('end a code, also one of an agent; what was bought with it stays')
    .argument('<code>', 'in upper or lower case')
    .action(
      run(async (session, code: string) => {
        const core = await session.core()
        const stopped = await core.operator.promotions.stop(session.by, code)
        return { data: withCurrency(stopped, session), text: `${stopped.code} is stopped` }
      }),
    )
}

/** What a code takes off everybody's prices now. */
function effectLines(effects: readonly PromoEffect[]): string[] {
  const header = ['PRODUCT', 'PRICE', 'WITH IT', 'OFF']
  const rows = effects.map(({ productNo, price, discount, leastPercent, mostPercent }) => [
    productNo,
    toText(price),
    toText(price - discount),
    leastPercent === mostPercent ? `${mostPercent}%` : `${leastPercent}-${mostPercent}%`,
  ])
  return rows.length === 0 ? ['None of its products is on sale now'] : [table([header, ...rows])]
}

function discountOf({ percent, amount: micros }: PromoCode, currency: string): string {
  return percent === null ? `${toText(micros ?? 0)} ${currency}` : `${percent}%`
}

function rowOfPromoCode(code: PromoCode, currency: string): string[] {
  const { state, agent, uses, maxUses, given, validUntil, products } = code
  return [
    code.code,
    state,
    discountOf(code, currency),
    agent ?? 'the shop',
    maxUses === null ? String(uses) : `${uses}/${maxUses}`,
    toText(given),
    validUntil ?? '-',
    products.length === 0 ? 'all' : products.join(','),
  ]
}

function withCurrency(promo: PromoCode, { currency }: Session): object {
  return PromoCodeRecord.show({ ...promo, currency })
}
