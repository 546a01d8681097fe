import type { Actor } from '../../../core/access/actor.ts'
import type { Followed } from '../../../core/chats/followed.ts'
import type { TicketTopic } from '../../../core/facts/support-message.ts'
import type { BrandedScreen } from '../../session/screen-refresher.ts'
import type { Core } from '../../../core/core.ts'
import type { TestedProxy } from '../../../core/orders/test-order.ts'
import { addressOf } from '../../../core/proxy-formats.ts'
import type { StaticOrder } from '../../../core/orders/static-order.ts'
import { ORDERS, PROXIES, REPLACE } from '../../actions/orders.ts'
import { supportButtons } from '../../actions/support.ts'
import { backButton, homeButton } from '../../kit/buttons.ts'
import { pageOf, pager } from '../../kit/pager.ts'
import { type Progress, progressLine } from '../../kit/progress.ts'
import { type Button, grid, type Screen } from '../../kit/screen.ts'
import type { View } from '../../kit/view.ts'
import { followedView } from '../../session/view-of.ts'
import { html, type Html, lines } from '../../texts/html.ts'

/** Proxies that failed on one screen. */
const FAILED_PER_PAGE = 6

/** What is tested together, and where its screen leads. */
interface Tested {
  /** What the texts end with. */
  readonly about: Html | undefined
  /** Number under which a proxy is named, from 1. */
  readonly numberOf: (proxy: TestedProxy) => number
  /** Callback data: tests again, shows a page, leads back. */
  readonly again: string
  readonly to: (page: number) => string
  readonly back: string
  readonly topic: TicketTopic | undefined
  readonly follows: Followed
}

/** Shows how far the test of an order is, or its outcome: each proxy that failed with a button that replaces it. */
export function orderTestScreen(
  view: View,
  { id, orderNo }: StaticOrder,
  proxies: readonly TestedProxy[],
  wanted: number,
): Screen {
  return testScreen(view, proxies, wanted, {
    about: view.texts.orders.number(orderNo),
    numberOf: ({ position }) => position + 1,
    again: ORDERS.testAll.data({ id }),
    to: (page) => ORDERS.tested.data({ id, page }),
    back: ORDERS.view.data({ id }),
    topic: { subject: 'order', reference: orderNo },
    follows: { kind: 'test', orderId: id },
  })
}

/** The same for all proxies of a user, whatever orders they came with. */
export function proxiesTestScreen(
  view: View,
  { userId, ofUser }: TestedUser,
  proxies: readonly TestedProxy[],
  wanted: number,
): Screen {
  const user = ofUser === undefined ? undefined : userId
  return testScreen(view, proxies, wanted, {
    about: ofUser === undefined ? undefined : view.texts.orders.user(ofUser),
    numberOf: (proxy) => proxies.indexOf(proxy) + 1,
    again: PROXIES.testAll.data({ user }),
    to: (page) => PROXIES.tested.data({ user, page }),
    back: PROXIES.list.data({ user }),
    topic: undefined,
    follows: { kind: 'tests', userId },
  })
}

/** Whose proxies are tested; the name is that of a sub-user. */
export interface TestedUser {
  readonly userId: number
  readonly ofUser: string | undefined
}

function testScreen(view: View, proxies: readonly TestedProxy[], wanted: number, of: Tested): Screen {
  const { texts, now } = view
  const words = texts.orders.test
  const left = proxies.filter((proxy) => proxy.left).length
  const failed = proxies.filter(hasFailed)
  const { items, page, pages } = pageOf(failed, wanted, FAILED_PER_PAGE)
  return {
    text: lines(
      ...(left > 0
        ? [words.underWay(progressLine(texts, progressOf(proxies), now))]
        : summary(words, proxies)),
      ...items.flatMap((proxy, at) => [
        ...(at === 0 ? ['' as const] : []),
        ...failureLines(texts.orders.check.reasons, proxy, of.numberOf(proxy)),
      ]),
      ...(of.about === undefined ? [] : ['' as const, of.about]),
    ),
    buttons: [
      ...grid(
        items.map((proxy): Button => ({
          text: words.replace(of.numberOf(proxy)),
          data: REPLACE.begin.data({ id: proxy.orderId, position: proxy.position }),
        })),
        2,
      ),
      ...pager(texts, page, pages, of.to),
      left > 0
        ? [{ text: texts.buttons.refresh, data: of.to(page) }]
        : [{ text: words.again, data: of.again }],
      failed.length > 0 ? supportButtons(view, of.topic) : [],
      [backButton(texts, of.back), homeButton(texts)],
    ],
    ...(left > 0 && { follows: of.follows }),
  }
}

/** Returns the screen of a test for a chat that follows it. */
export async function followedTestScreen(
  core: Core,
  { viewer, ...chat }: BrandedScreen,
  { orderId: id }: { readonly orderId: number },
): Promise<Screen> {
  const order = await core.orders.getStatic(viewer, { id })
  const view = await followedView(core, chat)
  return orderTestScreen(view, order, await core.checks.orderTest(viewer, { id }), 1)
}

/** How far the test is; it began with the first of the checks that are made. */
function progressOf(proxies: readonly TestedProxy[]): Progress {
  const made = proxies.filter(({ left }) => !left)
  const [first] = made.flatMap(({ askedCheckAt }) => askedCheckAt ?? []).toSorted()
  return {
    done: made.length,
    total: proxies.length,
    since: first === undefined ? undefined : new Date(first),
  }
}

/** The same for a test of all proxies of a user. */
export async function followedTestsScreen(
  core: Core,
  { viewer, ...chat }: BrandedScreen,
  { userId }: { readonly userId: number },
): Promise<Screen> {
  const user = await testedUser(core, viewer, userId)
  const view = await followedView(core, chat)
  return proxiesTestScreen(view, user, await core.checks.proxiesTest(viewer, { userId }), 1)
}

/** @throws agent_required, sub_user_not_found, not_direct_sub_user */
export async function testedUser(core: Core, actor: Actor, userId: number): Promise<TestedUser> {
  if (userId === actor.id) return { userId, ofUser: undefined }
  return { userId, ofUser: (await core.accounts.getSubUser(actor, userId)).username }
}

/** Tells whether a proxy has failed; a check without a result, because our own echo was unreachable, is no failure. */
function hasFailed({ left, check }: TestedProxy): boolean {
  return !left && check !== null && check.verdict !== 'alive' && check.stage !== 'control'
}

function summary(words: View['texts']['orders']['test'], proxies: readonly TestedProxy[]): Html[] {
  const works = proxies.filter(({ check }) => check?.verdict === 'alive').length
  const unknown = proxies.length - works - proxies.filter(hasFailed).length
  return [words.over(works, proxies.length), ...(unknown > 0 ? [words.unknown(unknown)] : [])]
}

function failureLines(
  reasons: View['texts']['orders']['check']['reasons'],
  { check, ...proxy }: TestedProxy,
  number: number,
): Html[] {
  const icon = check?.verdict === 'dead' ? '🔴' : '⚠️'
  return [
    html`${icon} ${number}. <code>${addressOf(proxy)}</code>`,
    ...(check?.reason ? [reasons[check.reason]] : []),
  ]
}
