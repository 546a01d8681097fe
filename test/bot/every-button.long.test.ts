import { describe, it } from 'vitest'
import { LANGUAGES } from '../../src/core/languages.ts'
import { walkOfAgent, walkOfGateway } from './button-walks.ts'

/** Those of the operator without a gateway, and of who is not logged in, are in every-button.test.ts. */
describe.each(LANGUAGES)('every button of every screen, and whatever is typed (%s)', (language) => {
  it('leads on, within the limits of Telegram', async () => {
    await walkOfAgent(language)
  })

  it('of the operator of a gateway, too', async () => {
    await walkOfGateway(language)
  })
})
