import type { JoinLink } from '../../../core/accounts/join-links.ts'
import type { Page } from '../../../core/page.ts'
import { AS_LEFT, USERS } from '../../actions/users.ts'
import type { AnswerButton, Prompt } from '../../dialogue/prompt.ts'
import { backButton, homeButton, staysRow } from '../../kit/buttons.ts'
import { amount } from '../../kit/format.ts'
import { pager } from '../../kit/pager.ts'
import { type Button, grid, type Screen } from '../../kit/screen.ts'
import { promptScreen } from '../../kit/simple-screens.ts'
import type { View } from '../../kit/view.ts'
import { type Html, lines } from '../../texts/html.ts'

export const LINKS_PER_PAGE = 8

/** Answer of the button for no start balance, or no limit. */
export const NONE = 'none'
/** Answer of the button that makes the link without further questions. */
export const DONE = 'done'

/** Answers to choose from. */
const QUICK = { trial: [1, 2, 5], budget: [50, 100, 500], maxUses: [10, 50, 100], days: [7, 30, 90] } as const

/** What is asked for a new link, in this order. */
export const LINK_PARTS = ['trial', 'budget', 'maxUses', 'days'] as const
export type LinkPart = (typeof LINK_PARTS)[number]

export function joinLinksScreen(
  { texts, currency }: View,
  { items, total, page, pageSize }: Page<JoinLink>,
): Screen {
  const { joinLinks } = texts.users
  const button = ({ id, state, uses, trial }: JoinLink): Button => ({
    text: joinLinks.button(joinLinks.icons[state], id, uses, trial > 0 ? amount(trial, currency) : undefined),
    data: USERS.link.data({ id }),
  })
  return {
    text: lines(joinLinks.title(total), '', joinLinks.about),
    buttons: [
      ...grid(items.map(button), 1),
      ...pager(texts, page, Math.ceil(total / pageSize), (to) => USERS.links.data({ page: to })),
      [{ text: joinLinks.buttons.create, data: USERS.makeLink.data(), style: 'primary' }],
      [{ text: joinLinks.buttons.createLimited, data: USERS.newLink.data() }],
      [backButton(texts, USERS.list.data({ position: AS_LEFT })), homeButton(texts)],
    ],
  }
}

/** @param url address of the link, where it is known; shown only while the link is open */
export function joinLinkScreen(view: View, link: JoinLink, url: string | undefined): Screen {
  const { texts } = view
  const { joinLinks, buttons: labels } = texts.users
  const { buttons } = joinLinks
  const shown = link.state === 'open' ? url : undefined
  return {
    text: lines(...linkLines(view, link), '', shown === undefined ? undefined : joinLinks.url(shown)),
    buttons: [
      shown === undefined ? [] : [{ text: labels.copyLink, copy: shown }],
      link.state === 'open'
        ? [{ text: buttons.revoke, data: USERS.askRevoke.data({ id: link.id }), style: 'danger' }]
        : [],
      [backButton(texts, USERS.links.data({})), homeButton(texts)],
    ],
  }
}

export function revokeScreen(view: View, link: JoinLink): Screen {
  const { texts } = view
  const { buttons, askRevoke } = texts.users.joinLinks
  const { id } = link
  return {
    text: lines(...linkLines(view, link), '', askRevoke),
    buttons: [
      [{ text: buttons.revoke, data: USERS.revokeLink.data({ id }), style: 'danger' }],
      [backButton(texts, USERS.link.data({ id })), homeButton(texts)],
    ],
  }
}

export function newLinkScreen(view: View, link: JoinLink, url: string): Screen {
  const { texts } = view
  const { joinLinks, buttons } = texts.users
  return {
    text: lines(joinLinks.made(url), '', ...linkLines(view, link).slice(1)),
    buttons: [
      [{ text: buttons.copyLink, copy: url }],
      [backButton(texts, USERS.links.data({}))],
      staysRow(texts),
    ],
    stays: true,
  }
}

function linkLines({ texts, currency }: View, link: JoinLink): Html[] {
  const { joinLinks } = texts.users
  const { id, state, trial, budget, spent, uses, maxUses, expiresAt, createdAt } = link
  const show = (micros: number) => amount(micros, currency)
  return [
    joinLinks.name(id, `${joinLinks.icons[state]} ${joinLinks.states[state]}`),
    joinLinks.uses(uses, maxUses),
    ...(trial > 0
      ? [
          joinLinks.trial(show(trial)),
          joinLinks.spent(show(spent), budget === null ? undefined : show(budget)),
        ]
      : [joinLinks.noTrial]),
    joinLinks.until(expiresAt === null ? undefined : texts.zonedTime(new Date(expiresAt))),
    texts.users.since(texts.date(new Date(createdAt))),
  ]
}

/** Asks for one part of a new link. */
export function linkPartPrompt({ texts }: View, part: LinkPart): Prompt {
  const { joinLinks } = texts.users
  const { text, buttons } = promptScreen(
    texts,
    lines(joinLinks.newTitle, '', joinLinks.ask[part]),
    USERS.links.data({}),
  )
  const quick: AnswerButton[] = QUICK[part].map((value) => ({ text: String(value), answer: String(value) }))
  const none = part === 'trial' ? joinLinks.buttons.noTrial : joinLinks.buttons.noLimit
  const done: AnswerButton = { text: joinLinks.buttons.done, answer: DONE, style: 'success' }
  return {
    text,
    buttons: [quick, [{ text: none, answer: NONE }], part === 'trial' ? [] : [done], ...buttons],
  }
}
