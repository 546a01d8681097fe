import { type Api, GrammyError, HttpError, InputFile } from 'grammy'
import type { Core } from '../core/core.ts'
import type { DeliveryResult, Messenger, Notice } from '../core/notices/deliver-notice.ts'
import type { StaticOrder } from '../core/orders/list-static-orders.ts'
import { pack } from './callback-data.ts'
import { amount, orderedProduct } from './format.ts'
import { html, type Html, lines } from './html.ts'
import { LOCALES, type Texts } from './locales/index.ts'
import { proxyFile, proxyPages } from './proxy-list.ts'
import { keyboard } from './screen.ts'
import { copyButton, ORDERS } from './screens/orders.ts'
import { ACTION } from './screens/general.ts'

/** Telegram will never take these: the person is gone, or has shut the bot out. */
const UNREACHABLE =
  /chat not found|user is deactivated|bot was blocked|can't initiate conversation|bot was kicked/

/** Tells people in their chats what the outbox says. */
export function createMessenger(api: Api, core: Core): Messenger {
  return async (notice) => {
    const order = await core.orders.getStatic(notice.recipient, { orderNo: notice.subject })
    try {
      await send(api, notice, order, core.currency)
      return { status: 'sent' }
    } catch (error) {
      return resultOf(error)
    }
  }
}

/** One message: a short list in the text, a long one as a file, so that a notice arrives whole or not at all. */
async function send(api: Api, notice: Notice, order: StaticOrder, currency: string): Promise<void> {
  const texts = LOCALES[notice.language]
  const [page = [], ...morePages] = proxyPages(order.instances)
  const text = lines(
    headline(texts, notice, order, currency),
    ...(order.userId === notice.recipient.id ? [] : [texts.notices.forUser(order.username)]),
    '',
    texts.orders.number(order.orderNo),
    texts.buy.chosen.product(orderedProduct(order, notice.language)),
    order.expireTime ? texts.orders.expires(texts.dateTime(new Date(order.expireTime))) : undefined,
  )
  const inline = morePages.length === 0
  const options = {
    parse_mode: 'HTML',
    reply_markup: {
      inline_keyboard: keyboard([
        inline ? copyButton(page, texts.buttons.copy) : [],
        [
          { text: texts.buttons.openOrder, data: pack(ORDERS.view, order.id) },
          { text: texts.buttons.home, data: ACTION.home },
        ],
      ]),
    },
  } as const
  if (inline) {
    const list = page.map((line) => html`<code>${line}</code>`)
    await api.sendMessage(
      notice.chatId,
      lines(text, ...(list.length > 0 ? ['' as const, ...list] : [])),
      options,
    )
  } else {
    const file = new InputFile(proxyFile(order.instances), `${order.orderNo}.txt`)
    await api.sendDocument(notice.chatId, file, { ...options, caption: text })
  }
}

function headline(texts: Texts, { kind }: Notice, order: StaticOrder, currency: string): Html {
  const refund = amount(order.refundedAmount, currency)
  switch (kind) {
    case 'order_ready':
      return texts.notices.order_ready(order.successCount)
    case 'order_partial':
      return texts.notices.order_partial(order.successCount, order.ipCount, refund)
    case 'order_failed':
      return texts.notices.order_failed(refund)
  }
}

function resultOf(error: unknown): DeliveryResult {
  if (error instanceof GrammyError) {
    if (error.error_code === 403 || UNREACHABLE.test(error.description)) return { status: 'blocked' }
    const seconds = error.parameters.retry_after
    return {
      status: 'later',
      reason: error.description,
      ...(seconds === undefined ? {} : { retryAfterMs: seconds * 1000 }),
    }
  }
  // An HttpError's own text holds the bot token's address.
  if (error instanceof HttpError) return { status: 'later', reason: 'Telegram could not be reached' }
  throw error
}
