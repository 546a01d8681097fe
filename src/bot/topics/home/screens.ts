import type { Balance } from '../../../core/accounts/balance.ts'
import { GUIDE } from '../../actions/guide.ts'
import { GENERAL } from '../../actions/home.ts'
import { RECORDS } from '../../actions/records.ts'
import { TOP_UP } from '../../actions/top-ups.ts'
import { homeButton } from '../../kit/buttons.ts'
import { balanceText } from '../../kit/format.ts'
import type { Screen } from '../../kit/screen.ts'
import type { Texts } from '../../texts/index.ts'

export function balanceScreen(
  texts: Texts,
  { balance, totalRecharge, totalConsumption, currency }: Balance,
): Screen {
  const show = (micros: number) => balanceText(micros, currency)
  return {
    text: texts.home.balanceScreen(show(balance), show(totalRecharge), show(totalConsumption)),
    buttons: [
      [
        { text: texts.home.buttons.topUp, data: TOP_UP.home.data() },
        { text: texts.home.buttons.records, data: RECORDS.all.data() },
      ],
      [{ text: texts.buttons.refresh, data: GENERAL.balance.data() }, homeButton(texts)],
    ],
  }
}

export function helpScreen(texts: Texts): Screen {
  return {
    text: texts.home.help,
    buttons: [[{ text: texts.guide.button, data: GUIDE.home.data() }], [homeButton(texts)]],
  }
}
