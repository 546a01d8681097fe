import { LINK_CONTENTS, type ProxyLink } from '../../../core/orders/proxy-links.ts'
import { LINKS, ORDERS, PROXIES } from '../../actions/orders.ts'
import { backButton, homeButton, staysRow } from '../../kit/buttons.ts'
import { pageOf, pager } from '../../kit/pager.ts'
import { type Button, grid, MAX_COPY, type Screen } from '../../kit/screen.ts'
import type { View } from '../../kit/view.ts'
import { html, type Html, lines } from '../../texts/html.ts'

const LINKS_PER_PAGE = 8
/** Characters of an order number that tell it from others in a button. */
const END_OF_NUMBER = 6

/** The proxies that a link leads to: those of a user, or of one order. */
export interface LinkedProxies {
  readonly userId: number
  /** Username of the owner, unless it is the person who looks. */
  readonly username: string | undefined
  readonly order: { readonly id: number; readonly orderNo: string } | undefined
}

/**
 * Asks in which format a link answers.
 *
 * @param secret determines the link that the buttons make, so that pressing twice makes one
 */
export function newLinkScreen(view: View, linked: LinkedProxies, secret: string): Screen {
  const { texts } = view
  const { userId: user, order } = linked
  const make = LINK_CONTENTS.map((content): Button => ({
    text: texts.proxyLinks.contents[content],
    data: LINKS.make.data({ user, order: order?.id, content, secret }),
  }))
  return {
    text: lines(
      texts.proxyLinks.title,
      '',
      ...linkedLines(view, linked),
      '',
      texts.proxyLinks.what,
      '',
      texts.proxyLinks.ask,
    ),
    buttons: [
      ...grid(make, 2),
      [{ text: texts.extraction.buttons.links, data: LINKS.list.data({ user, page: 1 }) }],
      [backButton(texts, originOf(linked)), homeButton(texts)],
    ],
  }
}

export function madeLinkScreen(view: View, linked: LinkedProxies, url: string): Screen {
  const { texts } = view
  const { userId: user, order } = linked
  return {
    text: lines(
      texts.proxyLinks.title,
      '',
      ...linkedLines(view, linked),
      '',
      html`<code>${url}</code>`,
      '',
      texts.proxyLinks.keep,
    ),
    buttons: [
      url.length <= MAX_COPY ? [{ text: texts.extraction.buttons.copyLink, copy: url }] : [],
      [{ text: texts.extraction.buttons.links, data: LINKS.list.data({ user, page: 1 }) }],
      [backButton(texts, LINKS.begin.data({ user, order: order?.id }))],
      staysRow(texts),
    ],
    stays: true,
  }
}

export function proxyLinksScreen(
  view: View,
  links: readonly ProxyLink[],
  linked: LinkedProxies,
  wanted: number,
): Screen {
  const { texts, now } = view
  const { items, page, pages } = pageOf(links, wanted, LINKS_PER_PAGE)
  const { userId: user } = linked
  const buttons = items.map(({ id, content, orderNo, createdAt }): Button => ({
    text: texts.proxyLinks.button(
      content,
      texts.shortDate(new Date(createdAt), now),
      orderNo?.slice(-END_OF_NUMBER),
    ),
    data: LINKS.askRevoke.data({ id, user, page }),
  }))
  return {
    text: lines(texts.proxyLinks.list(links.length), ...linkedLines(view, linked)),
    buttons: [
      ...grid(buttons, 1),
      ...pager(texts, page, pages, (to) => LINKS.list.data({ user, page: to })),
      [backButton(texts, LINKS.begin.data({ user })), homeButton(texts)],
    ],
  }
}

/** @param url of the link; undefined when it cannot be shown */
export function linkScreen({ texts }: View, link: ProxyLink, url: string | undefined, page: number): Screen {
  const { id, userId: user, content, orderNo, createdAt } = link
  return {
    text: lines(
      texts.proxyLinks.title,
      '',
      orderNo === null ? texts.proxyLinks.all : texts.orders.number(orderNo),
      texts.proxyLinks.facts(texts.proxyLinks.contents[content], texts.dateTime(new Date(createdAt))),
      '',
      url === undefined ? texts.proxyLinks.unknown : html`<code>${url}</code>`,
      '',
      texts.proxyLinks.revokeWarning,
    ),
    buttons: [
      url === undefined || url.length > MAX_COPY
        ? []
        : [{ text: texts.extraction.buttons.copyLink, copy: url }],
      [
        {
          text: texts.extraction.buttons.revokeNow,
          data: LINKS.revoke.data({ id, user, page }),
          style: 'danger',
        },
      ],
      [backButton(texts, LINKS.list.data({ user, page })), homeButton(texts)],
    ],
  }
}

function linkedLines({ texts }: View, { username, order }: LinkedProxies): Html[] {
  return [
    ...(username === undefined ? [] : [texts.orders.user(username)]),
    order ? texts.orders.number(order.orderNo) : texts.proxyLinks.all,
  ]
}

/** Callback data of the screen from which the link was asked for. */
function originOf({ userId, username, order }: LinkedProxies): string {
  if (order) return ORDERS.view.data({ id: order.id })
  return PROXIES.export.data({ user: username === undefined ? undefined : userId })
}
