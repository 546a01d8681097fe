import type { Page } from '../../../core/page.ts'
import type { Delivery } from '../../../core/webhooks/deliveries.ts'
import type { Webhook } from '../../../core/webhooks/webhook.ts'
import { backButton, homeButton } from '../../kit/buttons.ts'
import { type Html, lines } from '../../kit/html.ts'
import { pager } from '../../kit/pager.ts'
import { type Button, grid, type Screen } from '../../kit/screen.ts'
import { shortened } from '../../kit/columns.ts'
import type { View } from '../../kit/view.ts'
import { PROGRAMS, WEBHOOKS } from './actions.ts'

export const DELIVERIES_PER_PAGE = 10
/** Columns of a host in a button. */
const HOST_COLUMNS = 25

export function webhooksScreen({ texts }: View, { items, total }: Page<Webhook>): Screen {
  const { webhooks } = texts.programs
  const button = ({ id, url, status }: Webhook): Button => ({
    text: `${webhooks.icons[status]} ${shortened(new URL(url).host, HOST_COLUMNS)}`,
    data: WEBHOOKS.webhook.data({ id }),
  })
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
      [
        { text: buttons.secret, data: WEBHOOKS.askSecret.data({ id }) },
        { text: buttons.delete, data: WEBHOOKS.askDelete.data({ id }) },
      ],
      [backButton(texts, WEBHOOKS.list.data()), homeButton(texts)],
    ],
  }
}

/** Before a new secret is made. */
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

function webhookLines({ texts }: View, webhook: Webhook): (Html | undefined)[] {
  const { webhooks } = texts.programs
  const { url, status, events, deliveredAt, failingSince, oldSecretUntil } = webhook
  const time = (iso: string) => texts.dateTime(new Date(iso))
  return [
    webhooks.url(url),
    webhooks.status(`${webhooks.icons[status]} ${webhooks.statuses[status]}`),
    webhooks.events(events.join(', ')),
    webhooks.delivered(deliveredAt === null ? undefined : time(deliveredAt)),
    failingSince === null ? undefined : webhooks.failing(time(failingSince)),
    oldSecretUntil === null ? undefined : webhooks.oldSecret(time(oldSecretUntil)),
  ]
}
