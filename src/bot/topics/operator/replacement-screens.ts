import type { ListedReplacement } from '../../../core/orders/list-replacements.ts'
import { addressOf } from '../../../core/proxy-formats.ts'
import { translationIn } from '../../../core/translations.ts'
import { OPERATOR, operatorButton } from '../../actions/operator.ts'
import type { Prompt } from '../../dialogue/prompt.ts'
import { pager } from '../../kit/pager.ts'
import type { Button, Screen } from '../../kit/screen.ts'
import type { View } from '../../kit/view.ts'
import { type Html, lines } from '../../texts/html.ts'
import type { Texts } from '../../texts/index.ts'

export const REPLACEMENTS_PER_PAGE = 8

/** Replacements that wait for a decision. */
export function replacementsScreen(
  { texts }: View,
  {
    items,
    page,
    pages,
  }: { readonly items: readonly ListedReplacement[]; readonly page: number; readonly pages: number },
  total: number,
): Screen {
  const { replacements: words } = texts.operator
  if (total === 0) return { text: words.none, buttons: [[operatorButton(texts)]] }
  return {
    text: words.title(total),
    buttons: [
      ...items.map(({ replacementNo, username: name, oldIp }) => [
        { text: `${oldIp} · ${name}`, name, data: OPERATOR.replacement.data({ number: replacementNo }) },
      ]),
      ...pager(texts, page, pages, (to) => OPERATOR.replacements.data({ page: to })),
      [operatorButton(texts)],
    ],
  }
}

/** Describes a wish for another proxy. */
export function wishText(
  { texts, language }: Pick<View, 'texts' | 'language'>,
  wish: ListedReplacement,
): Html {
  const { replacements: words } = texts.operator
  const { username, orderNo, oldIp, oldPort, ground, reason } = wish
  return lines(
    words.wanted(username),
    '',
    words.proxy(addressOf({ ip: oldIp, port: oldPort }), translationIn(wish.names, language)),
    texts.orders.number(orderNo),
    words.reason(reason),
    words.ground[ground],
  )
}

export function wishButtons(
  texts: Texts,
  { replacementNo }: Pick<ListedReplacement, 'replacementNo'>,
): Button[][] {
  const { buttons } = texts.operator
  return [
    [
      { text: buttons.allow, data: OPERATOR.allow.data({ number: replacementNo }), style: 'success' },
      { text: buttons.decline, data: OPERATOR.decline.data({ number: replacementNo }), style: 'danger' },
    ],
  ]
}

export function wishScreen(view: View, wish: ListedReplacement): Screen {
  const { texts } = view
  return {
    text: wishText(view, wish),
    buttons: [
      ...(wish.status === 'requested' ? wishButtons(texts, wish) : []),
      [back(texts), operatorButton(texts)],
    ],
  }
}

/** Says that no equal proxy is free: the operator gives the money back, or declines. */
export function noneFreeScreen(view: View, wish: ListedReplacement): Screen {
  const { texts } = view
  const { buttons, replacements: words } = texts.operator
  const data = { number: wish.replacementNo }
  return {
    text: lines(wishText(view, wish), '', words.noneFree),
    buttons: [
      [{ text: buttons.refundRest, data: OPERATOR.refundRest.data(data) }],
      [{ text: buttons.decline, data: OPERATOR.decline.data(data), style: 'danger' }],
      [back(texts), operatorButton(texts)],
    ],
  }
}

/** Asks why a wish is declined. */
export function declineScreen(view: View, wish: ListedReplacement): Prompt {
  const { texts } = view
  const { buttons, replacements: words } = texts.operator
  return {
    text: lines(wishText(view, wish), '', words.whyNot),
    buttons: [
      [{ text: buttons.withoutReason, answer: 'none' }],
      [{ text: texts.buttons.cancel, data: OPERATOR.replacement.data({ number: wish.replacementNo }) }],
    ],
  }
}

/** Says what became of a wish, with the way to the next one. */
export function decidedScreen(texts: Texts, text: Html): Screen {
  return { text, buttons: [[back(texts), operatorButton(texts)]] }
}

function back(texts: Texts): Button {
  return { text: texts.buttons.back, data: OPERATOR.replacements.data() }
}
