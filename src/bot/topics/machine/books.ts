import type { WalletAudit } from '../../../core/top-ups/reconcile.ts'
import { MACHINE } from '../../actions/machine.ts'
import { operatorButton } from '../../actions/operator.ts'
import type { Screen } from '../../kit/screen.ts'
import { listed } from '../../kit/some-of.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { isOperatorChat } from '../../session/operator-chat.ts'
import type { Difference } from '../../../core/ledger/rule.ts'
import { html, type Html, lines } from '../../texts/html.ts'
import type { Texts } from '../../texts/index.ts'

/** The proof that the books balance, and that the wallet holds what they say (rules 10.10, 10.11). */
export function booksFeature(): Feature {
  const feature = new Feature(isOperatorChat)
  feature.on(MACHINE.books, async (ctx) => {
    const { machine, dateTime } = ctx.texts
    const checkedAt = await ctx.core.books.checkedAt()
    const at = checkedAt === undefined ? undefined : dateTime(checkedAt)
    await ctx.show(booksScreen(ctx.texts, machine.books.about(ctx.core.currency, at)))
  })
  feature.on(MACHINE.checkBooks, async (ctx) => {
    await ctx.show({ text: ctx.texts.machine.books.working, buttons: [[operatorButton(ctx.texts)]] })
    const books = await ctx.core.operator.audit()
    await ctx.show(booksScreen(ctx.texts, booksText(ctx.texts, books), ...(await walletLines(ctx))))
  })
  return feature
}

function booksScreen(texts: Texts, ...text: (Html | '')[]): Screen {
  const { buttons, books } = texts.machine
  return {
    text: lines(books.title, '', ...text),
    buttons: [
      [{ text: buttons.checkBooks, data: MACHINE.checkBooks.data() }],
      [{ text: buttons.health, data: MACHINE.health.data() }, operatorButton(texts)],
    ],
  }
}

function booksText(texts: Texts, differences: readonly Difference[]): Html {
  const { books } = texts.machine
  return differences.length === 0 ? books.balance : lines(...differencesOf(texts, differences))
}

function differencesOf(texts: Texts, differences: readonly Difference[]): Html[] {
  const { books } = texts.machine
  return [
    books.differences(differences.length),
    ...listed(
      texts,
      differences.map(({ rule, subject, detail }) => books.difference(subject, detail, rule)),
    ),
  ]
}

/** Compares the books with the wallets; no lines where no USDT is taken. An unreadable chain is no difference. */
async function walletLines({ core, texts }: BotContext): Promise<(Html | '')[]> {
  const wallets = await core.operator.auditWallets()
  const many = wallets.length > 1
  return wallets.flatMap((wallet): (Html | '')[] => [
    '',
    ...(many ? [html`<b>${core.topUps.network(wallet.network).name.full}</b>`] : []),
    ...walletText(texts, wallet),
  ])
}

function walletText(texts: Texts, { differences, warnings, notCompared }: WalletAudit): Html[] {
  const { books } = texts.machine
  if (notCompared === 'no quiet moment') return [books.walletNotYet]
  if (notCompared) return [books.walletUnread(notCompared.unread)]
  return [
    ...(differences.length === 0 ? [books.walletBalances] : differencesOf(texts, differences)),
    ...warnings.map((warning) => books.warning(warning)),
  ]
}
