import type { Actor } from '../../../core/access/actor.ts'
import { countriesLike } from '../../../core/catalog/countries-like.ts'
import { InvalidInput } from '../../../core/errors.ts'
import { type AllowList, MOST_ADDRESSES } from '../../../core/gateway/allow-list.ts'
import { halfWidth } from '../../../core/half-width.ts'
import { type ACCOUNT, ALLOWED } from '../../actions/traffic.ts'
import { ask, type Outcome, type Question } from '../../dialogue/ask.ts'
import type { Given } from '../../kit/action.ts'
import type { Screen } from '../../kit/screen.ts'
import { typedList } from '../../kit/typed-list.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { viewOf } from '../../session/view-of.ts'
import { accountOf, inButton, inCore, type TrafficAccount } from './account.ts'
import {
  ADDRESSES_PER_PAGE,
  addAddressesScreen,
  ALLOW_QUESTION,
  allowListScreen,
} from './allow-list-screens.ts'

/** Addresses from which traffic is used without a password: seen, added and removed. */
export function allowListFeature(): Feature {
  const feature = new Feature()
  feature.onMember(ALLOWED.list, async (ctx, actor, { page, ...which }) =>
    listScreen(ctx, actor, await accountOf(ctx, actor, which), page),
  )
  feature.onMember(ALLOWED.add, async (ctx, actor, which) => {
    await ask(ctx, moreAddresses, inButton(await accountOf(ctx, actor, which)))
    return undefined
  })
  feature.onMember(ALLOWED.anywhere, async (ctx, actor, which) => {
    const account = await accountOf(ctx, actor, which)
    await change(ctx, actor, account, (list) => ({ ...list, country: null }))
    return listScreen(ctx, actor, account)
  })
  feature.onMember(ALLOWED.remove, async (ctx, actor, { address, ...which }) => {
    const account = await accountOf(ctx, actor, which)
    const before = await change(ctx, actor, account, (list) => ({
      ...list,
      addresses: list.addresses.filter((each) => each !== address),
    }))
    const at = before.addresses.indexOf(address)
    if (at >= 0) await ctx.notify(ctx.texts.allowed.removed(address))
    return listScreen(ctx, actor, account, Math.floor(Math.max(at, 0) / ADDRESSES_PER_PAGE) + 1)
  })
  return feature
}

/** The question for more addresses, and for the country in which the traffic of all of them exits. */
const moreAddresses: Question<Given<typeof ACCOUNT>> = {
  name: ALLOW_QUESTION,
  presses: [],
  prompt: async (ctx, actor, which) =>
    addAddressesScreen(viewOf(ctx), await accountOf(ctx, actor, asRead(which))),
  answer: async (ctx, actor, which, text) => {
    const account = await accountOf(ctx, actor, asRead(which))
    const typed = typedAddresses(text)
    const found = countryIn(ctx, account, typed.place)
    return 'problem' in found ? found : add(ctx, actor, account, typed.addresses, found.country)
  },
}

export const allowListQuestions = [moreAddresses]

/** A state is JSON, which leaves out what is undefined. */
function asRead({ product, user }: Given<typeof ACCOUNT>) {
  return { product, user }
}

/** What has digits, colons or slashes is an address; the other words are the name of a country. */
function typedAddresses(text: string): { readonly addresses: string[]; readonly place: string } {
  const words = typedList(halfWidth(text))
  const isAddress = (word: string) => /[\d:/]/.test(word)
  return {
    addresses: [...new Set(words.filter(isAddress))],
    place: words.filter((word) => !isAddress(word)).join(' '),
  }
}

/** The one country that is meant, among those of the product; undefined when none was named. */
function countryIn(
  { texts }: BotContext,
  { flow: { countries } }: TrafficAccount,
  place: string,
): { readonly country: string | undefined } | { readonly problem: string } {
  const shown = place.slice(0, 40)
  const codes = countriesLike(place).filter((code) => countries.length === 0 || countries.includes(code))
  if (place === '') return { country: undefined }
  if (codes.length === 1) return { country: codes[0] }
  return {
    problem:
      codes.length === 0 ? texts.extraction.unknownCountry(shown) : texts.extraction.tooManyCountries(shown),
  }
}

async function add(
  ctx: BotContext,
  actor: Actor,
  account: TrafficAccount,
  added: readonly string[],
  country: string | undefined,
): Promise<Outcome> {
  const { problems } = ctx.texts.allowed
  const { addresses } = await ctx.core.traffic.allowList(actor, inCore(account))
  const all = [...new Set([...addresses, ...added])]
  if (all.length === 0) return { problem: problems.none }
  if (all.length > MOST_ADDRESSES) return { problem: problems.tooMany(MOST_ADDRESSES) }
  try {
    await change(ctx, actor, account, (list) => ({
      ...list,
      addresses: all,
      country: country ?? list.country,
    }))
  } catch (error) {
    const problem = error instanceof InvalidInput && problemOf(ctx, error, all)
    if (!problem) throw error
    return { problem }
  }
  const last = Math.ceil(all.length / ADDRESSES_PER_PAGE)
  return { screen: await listScreen(ctx, actor, account, last) }
}

/** Which address is refused, and why; undefined when it is about something else. */
function problemOf(
  { texts }: BotContext,
  { issues }: InvalidInput,
  all: readonly string[],
): string | undefined {
  const [issue] = issues
  const [field, at] = issue?.path.join('.').split('.') ?? []
  const address = field === 'addresses' ? all[Number(at)] : undefined
  const { rules } = texts.allowed.problems
  return address !== undefined && issue && issue.message in rules
    ? rules[issue.message as keyof typeof rules](address.slice(0, 50))
    : undefined
}

/**
 * Changes what is allowed.
 *
 * @returns what was allowed before
 */
async function change(
  { core }: BotContext,
  actor: Actor,
  account: TrafficAccount,
  changed: (list: AllowList) => AllowList,
): Promise<AllowList> {
  const before = await core.traffic.allowList(actor, inCore(account))
  const { addresses, country, session } = changed(before)
  await core.traffic.setAllowList(actor, { ...inCore(account), addresses: [...addresses], country, session })
  return before
}

async function listScreen(ctx: BotContext, actor: Actor, account: TrafficAccount, page = 1): Promise<Screen> {
  const list = await ctx.core.traffic.allowList(actor, inCore(account))
  return allowListScreen(viewOf(ctx), account, list, page)
}
