import { z } from 'zod'
import type { LoggedIn } from '../../../core/accounts/chat-log-ins.ts'
import { countryName } from '../../../core/catalog/places.ts'
import type { Screen } from '../../kit/screen.ts'
import type { BotContext } from '../../session/context.ts'
import { draft } from '../../session/draft.ts'
import { viewOf } from '../../session/view-of.ts'
import { soldIn } from './wares.ts'
import { windowPicture } from './window-picture.ts'
import { type Offer, windowScreen } from './window-screen.ts'

/** Products in the picture. */
const PICTURED = 3

/** The name that the window of a link has suggested, and the names at Telegram that it was made of; null: it was taken. */
export const suggested = draft(
  'registration',
  z.object({ token: z.string(), profile: z.string(), username: z.string() }).nullable(),
)

/**
 * The window of the shop: what is sold, and the ways in (rules 2.27).
 *
 * @param options.token of the link that was opened; by default, that of the shop
 */
export async function windowScreenFor(
  ctx: BotContext,
  options: {
    readonly token?: string
    readonly note?: string | undefined
    readonly others?: readonly LoggedIn[]
  } = {},
): Promise<Screen> {
  const { core, session } = ctx
  const { token = ownLink(ctx), note, others = [] } = options
  const view = viewOf(ctx)
  const offer = token === undefined ? undefined : await offerOf(ctx, token)
  const sold = soldIn(
    view,
    offer ? await core.accounts.pricesByLink(offer.token) : ctx.brand ? [] : await core.catalog.onTheShelf(),
  )
  const pictured = offer ? await mostSold(ctx, sold) : []
  const shown = pictured.map(({ name, price = '', countries }) => ({
    name,
    price,
    countries:
      countries.length === 0
        ? [view.texts.window.everywhere]
        : countries.map((code) => countryName(code, session.language)),
  }))
  return windowScreen(view, {
    brand: ctx.brand,
    note,
    others,
    own: session.actor ? [] : await core.chats.registered(session.chatId),
    sold,
    offer,
    photo: shown.length === 0 ? undefined : await windowPicture(ctx.me.first_name, shown, view.texts.list),
    isMember: session.actor !== undefined,
  })
}

/** The link by which whoever has opened the bot can register: that of the agent whose bot it is, or that of the shop. */
function ownLink({ brand, core }: BotContext): string | undefined {
  return brand ? brand.joinToken : core.accounts.publicLink
}

/** What a link offers to the chat; undefined when nobody can register by it (any more). */
async function offerOf(ctx: BotContext, token: string): Promise<Offer | undefined> {
  const { core, session } = ctx
  const offer = await core.accounts.joinOffer(session.chatId, token)
  return (
    offer && {
      token,
      trial: offer.trial,
      agent: token === ownLink(ctx) ? undefined : offer.agent,
      username: await suggestionFor(ctx, token),
    }
  )
}

/** The name that was suggested already, as long as the person is called the same at Telegram; else a new one. */
async function suggestionFor(ctx: BotContext, token: string): Promise<string> {
  const { username, first_name: firstName = '' } = ctx.from ?? {}
  const profile = `${username ?? ''} ${firstName}`
  const known = await suggested.read(ctx)
  if (known?.profile === profile && known.token === token) return known.username
  const name =
    known?.profile === profile
      ? known.username
      : await ctx.core.accounts.suggestUsername(ctx.session.chatId, { username, firstName })
  await suggested.write(ctx, { token, profile, username: name })
  return name
}

/** The products that are ordered most; where fewer were, the first of the shelf behind them. */
async function mostSold<Product extends { readonly product: { readonly productNo: string } }>(
  { core }: BotContext,
  sold: readonly Product[],
): Promise<Product[]> {
  const ordered = await core.catalog.mostOrdered()
  const rank = ({ product }: Product) => {
    const at = ordered.indexOf(product.productNo)
    return at === -1 ? ordered.length : at
  }
  return sold.toSorted((a, b) => rank(a) - rank(b)).slice(0, PICTURED)
}
