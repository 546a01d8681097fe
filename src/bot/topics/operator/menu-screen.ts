import type { Language } from '../../../core/catalog/places.ts'
import { homeButton } from '../../kit/buttons.ts'
import type { Button, Screen } from '../../kit/screen.ts'
import type { BotContext } from '../../session/context.ts'
import { LOCALES, type Texts } from '../../texts/index.ts'
import { OPERATOR } from './actions.ts'

export const operatorButton = ({ operator }: Texts): Button => ({
  text: operator.buttons.operator,
  data: OPERATOR.home.data(),
})

/**
 * @param payments unmatched ones
 * @param replacements that wait for a decision
 * @param otherLanguage offered in groups, which have no main menu
 */
function operatorScreen(
  texts: Texts,
  payments: number,
  replacements: number,
  otherLanguage?: Language,
): Screen {
  const { operator } = texts
  const { buttons } = operator
  return {
    text: operator.home,
    buttons: [
      [{ text: buttons.payments(payments), data: OPERATOR.payments.data({ page: 1 }) }],
      [{ text: buttons.replacements(replacements), data: OPERATOR.replacements.data({ page: 1 }) }],
      [
        { text: buttons.broadcast, data: OPERATOR.broadcast.data() },
        { text: buttons.figures, data: OPERATOR.figures.data() },
      ],
      otherLanguage
        ? [
            {
              text: LOCALES[otherLanguage].settings.buttons.language(LOCALES[otherLanguage].languageName),
              data: OPERATOR.language.data({ language: otherLanguage }),
            },
          ]
        : [homeButton(texts)],
    ],
  }
}

/** The operator's menu, with the number of payments that wait for a decision. */
export async function operatorScreenFor({ core, texts, chat, session }: BotContext): Promise<Screen> {
  const otherLanguage = session.language === 'en' ? 'zh' : 'en'
  const { total: payments } = await core.operator.payments.page(1, 1)
  const open = await core.operator.replacements.list({ open: true })
  const replacements = open.filter(({ status }) => status === 'requested').length
  return operatorScreen(texts, payments, replacements, chat?.type === 'private' ? undefined : otherLanguage)
}
