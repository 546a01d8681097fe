import { type Application, APPLICATIONS, GUIDE } from '../../actions/guide.ts'
import { ORDERS } from '../../actions/orders.ts'
import { backButton, homeButton } from '../../kit/buttons.ts'
import { type Button, grid, MAX_COPY, type Screen } from '../../kit/screen.ts'
import type { View } from '../../kit/view.ts'
import { lines } from '../../texts/html.ts'
import type { Example, Place } from './example.ts'
import { partsOf } from './parts.ts'

/** The applications to choose from. */
export function guideScreen({ texts }: View, place: Place): Screen {
  const { guide } = texts
  const back =
    place.id === undefined
      ? []
      : [backButton(texts, ORDERS.proxy.data({ id: place.id, position: place.position ?? 0 }))]
  return {
    text: guide.title,
    buttons: [
      ...grid(
        APPLICATIONS.map((application): Button => ({
          text: guide.applications[application],
          data: GUIDE.application.data({ application, ...place }),
        })),
        2,
      ),
      [{ text: guide.wordsButton, data: GUIDE.words.data(place) }],
      [...back, homeButton(texts)],
    ],
  }
}

/** How an application is told to use the proxy. */
export function applicationScreen(
  { texts }: View,
  application: Application,
  place: Place,
  example: Example,
): Screen {
  const { guide, buttons } = texts
  const parts = partsOf(example)
  const command = application === 'curl' ? guide.curlCommand(parts) : parts.line
  return {
    text: lines(
      ...guide.steps[application](parts),
      '',
      example.own ? guide.withOwn : guide.withExample,
      guide.check,
    ),
    buttons: [
      example.own && command.length <= MAX_COPY ? [{ text: buttons.copy(1), copy: command }] : [],
      [backButton(texts, GUIDE.home.data(place)), homeButton(texts)],
    ],
  }
}

/** What static and dynamic, exclusive and shared, rotating and sticky mean, and where they are met. */
export function wordsScreen({ texts }: View, place: Place): Screen {
  return {
    text: texts.guide.words,
    buttons: [[backButton(texts, GUIDE.home.data(place)), homeButton(texts)]],
  }
}
