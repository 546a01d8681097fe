import { KEYS, WEBHOOKS } from '../../actions/programs.ts'
import { SETTINGS } from '../../actions/settings.ts'
import { backButton, homeButton } from '../../kit/buttons.ts'
import type { Screen } from '../../kit/screen.ts'
import { lines } from '../../texts/html.ts'
import type { Texts } from '../../texts/index.ts'

/**
 * @param publicUrl where programs reach this service; undefined when only this machine does
 * @param counts how many API keys and webhooks there are
 */
export function programsScreen(
  texts: Texts,
  publicUrl: string | undefined,
  counts: { readonly keys: number; readonly webhooks: number },
): Screen {
  const { programs } = texts
  return {
    text: lines(programs.title, '', programs.about, publicUrl && programs.address(`${publicUrl}/api`)),
    buttons: [
      [{ text: programs.buttons.keys(counts.keys), data: KEYS.list.data({}) }],
      [{ text: programs.webhooks.buttons.list(counts.webhooks), data: WEBHOOKS.list.data() }],
      publicUrl === undefined ? [] : [{ text: programs.buttons.documents, url: `${publicUrl}/api/docs` }],
      [backButton(texts, SETTINGS.home.data()), homeButton(texts)],
    ],
  }
}
