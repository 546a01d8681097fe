import { type AllowList, MOST_ADDRESSES } from '../../../core/gateway/allow-list.ts'
import { ALLOWED, TRAFFIC, USAGE } from '../../actions/traffic.ts'
import { backButton, homeButton } from '../../kit/buttons.ts'
import { placeName } from '../../kit/format.ts'
import { pageOf, pager } from '../../kit/pager.ts'
import type { Button, Screen } from '../../kit/screen.ts'
import { promptScreen } from '../../kit/simple-screens.ts'
import type { View } from '../../kit/view.ts'
import { lines } from '../../texts/html.ts'
import { accountLines, inButton, type TrafficAccount } from './account.ts'

/** Name of the question for more addresses. */
export const ALLOW_QUESTION = 'allow-list.add'

export const ADDRESSES_PER_PAGE = 8

/**
 * The addresses from which a traffic account is used without a password; those that are typed are added.
 *
 * @param wanted page
 */
export function allowListScreen(
  view: View,
  account: TrafficAccount,
  { addresses, country }: AllowList,
  wanted: number,
): Screen {
  const { texts, language } = view
  const { allowed } = texts
  const { owner, flow } = account
  const which = inButton(account)
  const { items, page, pages } = pageOf(addresses, wanted, ADDRESSES_PER_PAGE)
  const first = (page - 1) * ADDRESSES_PER_PAGE + 1
  return {
    takes: { question: ALLOW_QUESTION, state: which },
    text: lines(
      allowed.title,
      '',
      accountLines(view, account),
      allowed.what,
      '',
      ...(addresses.length === 0
        ? [allowed.none]
        : [
            allowed.count(addresses.length, MOST_ADDRESSES),
            ...items.map((address, at) => allowed.address(first + at, address)),
            '' as const,
            country === null
              ? allowed.anywhere
              : allowed.country(placeName({ countryCode: country }, language)),
          ]),
    ),
    buttons: [
      ...items.map((address): Button[] => [
        {
          text: allowed.buttons.remove(address),
          data: ALLOWED.remove.data({ ...which, address }),
          style: 'danger',
        },
      ]),
      ...pager(texts, page, pages, (to) => ALLOWED.list.data({ ...which, page: to })),
      [{ text: allowed.buttons.add, data: ALLOWED.add.data(which), style: 'primary' }],
      country === null ? [] : [{ text: allowed.buttons.anywhere, data: ALLOWED.anywhere.data(which) }],
      [
        backButton(texts, owner ? USAGE.days.data(which) : TRAFFIC.product.data({ product: flow.productId })),
        homeButton(texts),
      ],
    ],
  }
}

/** The question for addresses. */
export function addAddressesScreen(view: View, account: TrafficAccount): Screen {
  const { texts } = view
  return promptScreen(
    texts,
    lines(texts.allowed.title, '', accountLines(view, account), '', texts.allowed.ask),
    ALLOWED.list.data(inButton(account)),
  )
}
