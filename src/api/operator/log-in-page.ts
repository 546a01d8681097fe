import type { Language } from '../language.ts'
import { TEXTS } from '../texts/index.ts'
import { plainPage } from '../wire/plain-page.ts'

/**
 * The page behind the link by which those who run the shop log in.
 *
 * @param isGood whether the link may work; else the page says that it does not
 */
export function logInPage(language: Language, isGood: boolean): string {
  const { waiting, gone } = TEXTS[language].logIn
  const { heading, text } = isGood ? waiting : gone
  // A form without an action posts to the address of its page, with the code.
  const form = isGood ? `<form method="post"><button>${waiting.button}</button></form>` : ''
  return plainPage(language, heading, `<h1>${heading}</h1><p>${text}</p>${form}`)
}
