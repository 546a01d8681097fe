import type { Page } from '../../../core/page.ts'
import type { Delivery } from '../../../core/webhooks/deliveries.ts'
import { ALL_EVENTS, coverage, type EventChoice, type EventSwitch } from '../../../core/webhooks/events.ts'
import type { Webhook } from '../../../core/webhooks/webhook.ts'
import { PROGRAMS, WEBHOOKS } from '../../actions/programs.ts'
import type { AnswerButton, Prompt } from '../../dialogue/prompt.ts'
import { backButton, homeButton } from '../../kit/buttons.ts'
import { pager } from '../../kit/pager.ts'
import { promptScreen } from '../../kit/simple-screens.ts'
import { type Button, grid, type Screen } from '../../kit/screen.ts'
import { bothEnds, columns, LINE } from '../../kit/columns.ts'
import type { View } from '../../kit/view.ts'
import { html, type Html, lines } from '../../texts/html.ts'
import type { Texts } from '../../texts/index.ts'

export const DELIVERIES_PER_PAGE = 10

export function webhooksScreen({ texts }: View, { items, total }: Page<Webhook>): Screen {
  const { webhooks } = texts.programs
  const button = ({ id, url, status }: Webhook): Button => {
    const begin = `${webhooks.icons[status]} `
    const host = bothEnds(new URL(url).host, LINE - columns(begin))
    return { text: begin + host, data: WEBHOOKS.webhook.data({ id }) }
  }
  return {
    text: lines(webhooks.list(total), '', webhooks.about),
    buttons: [
      ...grid(items.map(button), 1),
      [{ text: webhooks.buttons.create, data: WEBHOOKS.create.data(), style: 'primary' }],
      [backButton(texts, PROGRAMS.home.data()), homeButton(texts)],
    ],
  }
}

export function webhookScreen(view: View, webhook: Webhook): Screen {
  const { texts } = view
  const { buttons } = texts.programs.webhooks
  const { id, status } = webhook
  const isOn = status === 'active'
  return {
    text: lines(...webhookLines(view, webhook)),
    buttons: [
      isOn ? [{ text: buttons.test, data: WEBHOOKS.test.data({ id }), style: 'primary' }] : [],
      [
        { text: buttons.log, data: WEBHOOKS.log.data({ id }) },
        { text: isOn ? buttons.off : buttons.on, data: WEBHOOKS.turn.data({ id, on: !isOn }) },
      ],
      [{ text: buttons.events, data: WEBHOOKS.events.data({ id }) }],
      [
        { text: buttons.secret, data: WEBHOOKS.askSecret.data({ id }) },
        { text: buttons.delete, data: WEBHOOKS.askDelete.data({ id }) },
      ],
      [backButton(texts, WEBHOOKS.list.data()), homeButton(texts)],
    ],
  }
}

/**
 * A switch for each group of events.
 *
 * @param problem why the last press has changed nothing
 */
export function webhookEventsScreen(view: View, webhook: Webhook, problem?: string): Screen {
  const { texts } = view
  const { id, events } = webhook
  const button = (event: EventSwitch): Button => ({
    text: switchText(texts, event, events),
    data: WEBHOOKS.hear.data({ id, event, on: coverage(event, events) !== 'all' }),
  })
  return {
    text: lines(
      ...webhookLines(view, webhook),
      '',
      problem === undefined ? texts.programs.webhooks.askEvents : html`⚠️ ${problem}`,
    ),
    buttons: [
      ...grid(ALL_EVENTS.map(button), 1),
      [backButton(texts, WEBHOOKS.webhook.data({ id })), homeButton(texts)],
    ],
  }
}

/** What the button of the form answers, beside the switches. */
export const MAKE_WEBHOOK = 'make'

/** Shows the switches of {@link webhookEventsScreen} before the webhook is created. */
export function webhookFormPrompt({ texts }: View, url: string, events: readonly EventChoice[]): Prompt {
  const { webhooks } = texts.programs
  const { text, buttons } = promptScreen(
    texts,
    lines(webhooks.url(url), '', webhooks.askEvents),
    WEBHOOKS.list.data(),
  )
  return {
    text,
    buttons: [
      ...ALL_EVENTS.map((event): AnswerButton[] => [
        { text: switchText(texts, event, events), answer: event },
      ]),
      [{ text: webhooks.buttons.make, answer: MAKE_WEBHOOK, style: 'success' }],
      ...buttons,
    ],
  }
}

function switchText({ programs }: Texts, event: EventSwitch, events: readonly EventChoice[]): string {
  const { switches, groups } = programs.webhooks
  return `${switches[coverage(event, events)]} ${groups[event]}`
}

/** Asks to confirm a new secret. */
export function newSecretScreen(view: View, webhook: Webhook): Screen {
  const { buttons, askSecret } = view.texts.programs.webhooks
  return confirmation(view, webhook, askSecret, {
    text: buttons.secret,
    data: WEBHOOKS.secret.data({ id: webhook.id }),
    style: 'primary',
  })
}

export function deleteScreen(view: View, webhook: Webhook): Screen {
  const { buttons, askDelete } = view.texts.programs.webhooks
  return confirmation(view, webhook, askDelete, {
    text: buttons.confirmDelete,
    data: WEBHOOKS.delete.data({ id: webhook.id }),
    style: 'danger',
  })
}

function confirmation(view: View, webhook: Webhook, question: Html, button: Button): Screen {
  const { texts } = view
  return {
    text: lines(...webhookLines(view, webhook), '', question),
    buttons: [[button], [backButton(texts, WEBHOOKS.webhook.data({ id: webhook.id })), homeButton(texts)]],
  }
}

/** @param made with the secret, which is shown this one time */
export function secretScreen(view: View, made: Webhook & { readonly secret: string }, text: Html): Screen {
  const { texts } = view
  return {
    text: lines(text, '', ...webhookLines(view, made)),
    buttons: [
      [{ text: texts.programs.webhooks.buttons.copy, copy: made.secret }],
      [backButton(texts, WEBHOOKS.webhook.data({ id: made.id })), homeButton(texts)],
    ],
  }
}

export function deliveriesScreen(
  { texts }: View,
  { id, url }: Webhook,
  { items, total, page, pageSize }: Page<Delivery>,
): Screen {
  const { webhooks } = texts.programs
  const line = ({ event, status, error, responseStatus, createdAt }: Delivery): Html => {
    const answer =
      responseStatus === null
        ? error === null
          ? ''
          : webhooks.faults[error]
        : webhooks.answered(responseStatus)
    return webhooks.line(webhooks.marks[status], texts.dateTime(new Date(createdAt)), event.type, answer)
  }
  return {
    text: lines(
      webhooks.url(url),
      webhooks.log(total),
      '',
      ...(total === 0 ? [webhooks.noLog] : items.map(line)),
    ),
    buttons: [
      ...pager(texts, page, Math.ceil(total / pageSize), (to) => WEBHOOKS.log.data({ id, page: to })),
      [{ text: texts.buttons.refresh, data: WEBHOOKS.log.data({ id, page }) }],
      [backButton(texts, WEBHOOKS.webhook.data({ id })), homeButton(texts)],
    ],
  }
}

function webhookLines({ texts, now }: View, webhook: Webhook): (Html | undefined)[] {
  const { webhooks } = texts.programs
  const { url, status, events, deliveredAt, failingSince, oldSecretUntil } = webhook
  const time = (iso: string) => texts.dateTime(new Date(iso))
  return [
    webhooks.url(url),
    webhooks.status(`${webhooks.icons[status]} ${webhooks.statuses[status]}`),
    webhooks.events(texts.list(events)),
    webhooks.delivered(deliveredAt === null ? undefined : time(deliveredAt)),
    failingSince === null ? undefined : webhooks.failing(time(failingSince)),
    oldSecretUntil !== null && oldSecretUntil > now.toISOString()
      ? webhooks.oldSecret(time(oldSecretUntil))
      : undefined,
  ]
}
