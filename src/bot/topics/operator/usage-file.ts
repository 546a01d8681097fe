import type { BadLine } from '../../../core/csv.ts'
import { ServiceError } from '../../../core/errors.ts'
import { OPERATOR, operatorButton } from '../../actions/operator.ts'
import { ask, type OperatorQuestion } from '../../dialogue/ask.ts'
import { promptScreen } from '../../kit/simple-screens.ts'
import { listed } from '../../kit/some-of.ts'
import { gigabytes } from '../../kit/traffic-text.ts'
import { Feature } from '../../session/feature.ts'
import { askedIn, by, isOperatorChat } from '../../session/operator-chat.ts'
import { type Html, lines } from '../../texts/html.ts'
import type { Texts } from '../../texts/index.ts'

/** Imports traffic that a gateway of another kind reports in files (rules 6.11). */
export function usageFileFeature(): Feature {
  const feature = new Feature(isOperatorChat)
  feature.on(OPERATOR.usageFile, (ctx) => ask(ctx, usageFile, null))
  return feature
}

const usageFile: OperatorQuestion<null> = {
  name: 'usage.file',
  forOperator: true,
  takesFile: true,
  prompt: (ctx) =>
    askedIn(ctx, promptScreen(ctx.texts, ctx.texts.operator.usageFile.ask, OPERATOR.gateway.data())),
  answer: async (ctx, _actor, _state, csv) => ({
    screen: {
      text: await imported(ctx.texts, () => ctx.core.operator.importUsage(by(ctx), csv)),
      buttons: [[{ text: ctx.texts.buttons.back, data: OPERATOR.gateway.data() }, operatorButton(ctx.texts)]],
    },
  }),
}

/** Imports the file and words what was counted, or which lines are wrong. */
async function imported(
  texts: Texts,
  count: () => Promise<{ imported: number; known: number; counted: number; uncounted: number }>,
): Promise<Html> {
  const { usageFile: words } = texts.operator
  try {
    const { imported: reports, known, counted, uncounted } = await count()
    return lines(
      words.counted(gigabytes(counted, texts), reports),
      known > 0 ? words.known(known) : undefined,
      uncounted > 0 ? words.beyond(gigabytes(uncounted, texts)) : undefined,
    )
  } catch (error) {
    const bad = error instanceof ServiceError && (error.data?.['errors'] as readonly BadLine[] | undefined)
    if (!bad) throw error
    return lines(
      words.refused,
      '',
      ...listed(
        texts,
        bad.map(({ line, message }) => texts.stock.line(line, message)),
      ),
    )
  }
}

export const usageFileQuestions = [usageFile]
