import { formatProxy, type ProxyFormat } from '../../../core/proxy-formats.ts'
import type { Page } from '../../../core/page.ts'
import type { Bytes } from '../../../core/bytes.ts'
import { leftOf, type SubAccount } from '../../../core/traffic/sub-account.ts'
import { translationIn } from '../../../core/translations.ts'
import { SUB_ACCOUNT, TRAFFIC } from '../../actions/traffic.ts'
import type { Prompt } from '../../dialogue/prompt.ts'
import { backButton, homeButton, staysRow } from '../../kit/buttons.ts'
import { pager } from '../../kit/pager.ts'
import { type Button, grid, MAX_COPY, type Screen } from '../../kit/screen.ts'
import { gigabytes, megabytesIn, usageBar } from '../../kit/traffic-text.ts'
import type { View } from '../../kit/view.ts'
import { html, type Html, lines } from '../../texts/html.ts'
import type { TrafficProduct } from './products.ts'

/** Name of the question how much to move. */
export const HOW_MUCH_TO_MOVE = 'sub-account.move'

export const SUB_ACCOUNTS_PER_PAGE = 8
const USUAL_GIGABYTES = [1, 5, 10, 50]
/** The answer that has the service make up a name. */
export const ANY_NAME = 'any'

/** Traffic to a sub-account or back. */
export interface Move {
  readonly direction: 'give' | 'take'
  readonly megabytes: number
}

/** What of a sub-account has not been used. */
const inMain = ({ flow }: TrafficProduct): Bytes => flow?.remaining ?? 0

export function subAccountsScreen(
  { texts, language }: View,
  product: TrafficProduct,
  { items, total, page, pageSize }: Page<SubAccount>,
): Screen {
  const { subAccounts } = texts
  const { productId } = product
  const buttons = items.map((account): Button => ({
    text: subAccounts.button(
      subAccounts.icons[account.status],
      account.username,
      gigabytes(leftOf(account), texts),
    ),
    name: account.username,
    data: SUB_ACCOUNT.view.data({ id: account.id }),
  }))
  return {
    text: lines(
      subAccounts.title(translationIn(product.names, language), total, gigabytes(inMain(product), texts)),
      ...(total === 0 ? ['' as const, subAccounts.empty] : []),
    ),
    buttons: [
      ...grid(buttons, 1),
      ...pager(texts, page, Math.ceil(total / pageSize), (wanted) =>
        SUB_ACCOUNT.list.data({ product: productId, page: wanted }),
      ),
      [
        {
          text: subAccounts.buttons.create,
          data: SUB_ACCOUNT.create.data({ product: productId }),
          style: 'primary',
        },
      ],
      [backButton(texts, TRAFFIC.product.data({ product: productId })), homeButton(texts)],
    ],
  }
}

export function subAccountScreen({ texts }: View, account: SubAccount, product: TrafficProduct): Screen {
  const { subAccounts } = texts
  const { buttons } = subAccounts
  const { id, status, remark } = account
  const move = (direction: Move['direction'], available: Bytes): Button[] =>
    megabytesIn(available) > 0
      ? [{ text: buttons[direction], data: SUB_ACCOUNT.amounts.data({ id, direction }) }]
      : []
  return {
    text: lines(
      html`<b>${subAccounts.status[status]}</b>`,
      '',
      subAccounts.name(account.username),
      subAccounts.gateway(account.host, account.port),
      subAccounts.bar(usageBar(account.usedBytes, account.limitBytes)),
      subAccounts.left(gigabytes(leftOf(account), texts), gigabytes(account.limitBytes, texts)),
      remark === '' ? undefined : subAccounts.remark(remark),
      subAccounts.created(texts.dateTime(new Date(account.createdAt))),
    ),
    buttons: [
      [...move('give', inMain(product)), ...move('take', leftOf(account))],
      [
        status === 'active'
          ? { text: buttons.disable, data: SUB_ACCOUNT.setStatus.data({ id, status: 'disabled' }) }
          : { text: buttons.enable, data: SUB_ACCOUNT.setStatus.data({ id, status: 'active' }) },
        { text: buttons.password, data: SUB_ACCOUNT.askPassword.data({ id }) },
      ],
      [{ text: buttons.remove, data: SUB_ACCOUNT.askDelete.data({ id }), style: 'danger' }],
      [backButton(texts, SUB_ACCOUNT.list.data({ product: product.productId })), homeButton(texts)],
    ],
  }
}

/** How much traffic a new sub-account begins with: the buttons answer in thousandths of a GB. */
export function firstTrafficPrompt({ texts }: View, product: TrafficProduct): Prompt {
  const { subAccounts } = texts
  const amounts = [0, ...USUAL_GIGABYTES].filter((amount) => amount * 1000 <= megabytesIn(inMain(product)))
  const buttons = amounts.map((amount) => ({
    text: subAccounts.buttons.amount(amount),
    answer: String(amount * 1000),
  }))
  return {
    text: subAccounts.askFirstTraffic(gigabytes(inMain(product), texts)),
    buttons: [...grid(buttons, 3), [cancelButton(texts, product.productId)]],
  }
}

/** Which login name a new sub-account gets; with the button, the service makes one up. */
export function namePrompt({ texts }: View, productId: number, megabytes: number): Prompt {
  const { subAccounts } = texts
  return {
    text: subAccounts.askName(gigabytes(megabytes * 1_000_000, texts)),
    buttons: [[{ text: subAccounts.buttons.anyName, answer: ANY_NAME }], [cancelButton(texts, productId)]],
  }
}

function cancelButton(texts: View['texts'], productId: number): Button {
  return { text: texts.buttons.cancel, data: SUB_ACCOUNT.list.data({ product: productId }) }
}

/** A login whose password is shown this once. */
export function secretScreen(
  { texts }: View,
  account: SubAccount,
  format: ProxyFormat,
  headline: 'created' | 'changed',
): Screen {
  const { subAccounts } = texts
  const { host, port, username, password } = account
  // A gateway's IPv6 address is kept in brackets already.
  const ip = host.replace(/^\[(.*)\]$/, '$1')
  const line = formatProxy(format, { ip, port, username, password: password ?? '' })
  return {
    text: lines(
      subAccounts.secret[headline],
      '',
      subAccounts.name(username),
      subAccounts.left(gigabytes(leftOf(account), texts), gigabytes(account.limitBytes, texts)),
      '',
      html`<code>${line}</code>`,
      '',
      subAccounts.secret.line,
    ),
    buttons: [
      line.length <= MAX_COPY ? [{ text: subAccounts.buttons.copy, copy: line }] : [],
      [{ text: subAccounts.buttons.open, data: SUB_ACCOUNT.view.data({ id: account.id }) }],
      staysRow(texts),
    ],
    stays: true,
  }
}

/** How much to move; all that is there is offered, too. */
export function moveAmountsScreen(
  { texts }: View,
  account: SubAccount,
  product: TrafficProduct,
  direction: Move['direction'],
): Screen {
  const { subAccounts } = texts
  const available = direction === 'give' ? inMain(product) : leftOf(account)
  const most = megabytesIn(available)
  const button = (text: string, megabytes: number): Button => ({
    text,
    data: SUB_ACCOUNT.confirmMove.data({ id: account.id, direction, megabytes }),
  })
  const usual = USUAL_GIGABYTES.filter((amount) => amount * 1000 < most)
  return {
    takes: { question: HOW_MUCH_TO_MOVE, state: { id: account.id, direction } },
    text: subAccounts.askAmount[direction](account.username, gigabytes(available, texts)),
    buttons: [
      ...grid(
        usual.map((amount) => button(subAccounts.buttons.amount(amount), amount * 1000)),
        4,
      ),
      most > 0 ? [button(subAccounts.buttons.all(gigabytes(most * 1_000_000, texts)), most)] : [],
      [{ text: subAccounts.buttons.other, data: SUB_ACCOUNT.typeAmount.data({ id: account.id, direction }) }],
      [backButton(texts, SUB_ACCOUNT.view.data({ id: account.id })), homeButton(texts)],
    ],
  }
}

export function typeMoveScreen({ texts }: View, account: SubAccount, direction: Move['direction']): Screen {
  return {
    text: texts.subAccounts.typeAmount[direction](account.username),
    buttons: [
      [{ text: texts.buttons.cancel, data: SUB_ACCOUNT.amounts.data({ id: account.id, direction }) }],
    ],
  }
}

/**
 * Asks to confirm a move; shows both sides before and after.
 *
 * @param confirmationKey names the move: pressing twice moves once
 */
export function confirmMoveScreen(
  { texts }: View,
  account: SubAccount,
  product: TrafficProduct,
  move: Move,
  confirmationKey: string,
): Screen {
  const { subAccounts } = texts
  const bytes = move.megabytes * 1_000_000
  const toSub = move.direction === 'give' ? bytes : -bytes
  const [main, sub] = [inMain(product), leftOf(account)]
  const possible = main >= toSub && sub >= -toSub
  return {
    text: lines(
      subAccounts.move[move.direction](account.username, gigabytes(bytes, texts)),
      '',
      ...(possible
        ? [
            subAccounts.move.main(gigabytes(main, texts), gigabytes(main - toSub, texts)),
            subAccounts.move.sub(gigabytes(sub, texts), gigabytes(sub + toSub, texts)),
          ]
        : [subAccounts.move.tooMuch(gigabytes(move.direction === 'give' ? main : sub, texts))]),
    ),
    buttons: [
      possible
        ? [
            {
              text: subAccounts.buttons.confirm,
              data: SUB_ACCOUNT.move.data({ id: account.id, ...move, confirmationKey }),
              style: 'success',
            },
          ]
        : [],
      [
        backButton(texts, SUB_ACCOUNT.amounts.data({ id: account.id, direction: move.direction })),
        homeButton(texts),
      ],
    ],
  }
}

export function askPasswordScreen({ texts }: View, { id, username }: SubAccount): Screen {
  const { askPassword, buttons } = texts.subAccounts
  return question(texts, askPassword(username), id, {
    text: buttons.setPassword,
    data: SUB_ACCOUNT.setPassword.data({ id }),
  })
}

export function askDeleteScreen({ texts }: View, account: SubAccount): Screen {
  const { askDelete, buttons } = texts.subAccounts
  return question(texts, askDelete(account.username, gigabytes(leftOf(account), texts)), account.id, {
    text: buttons.removeNow(account.username),
    data: SUB_ACCOUNT.remove.data({ id: account.id }),
  })
}

function question(texts: View['texts'], text: Html, id: number, yes: { text: string; data: string }): Screen {
  return {
    text,
    buttons: [
      [{ ...yes, style: 'danger' }],
      [backButton(texts, SUB_ACCOUNT.view.data({ id })), homeButton(texts)],
    ],
  }
}
