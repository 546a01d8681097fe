import type { ActivationLink } from '../../core/accounts/activation.ts'
import { FALLBACK_LANGUAGE, LANGUAGE_FACTS, LANGUAGES } from '../../core/languages.ts'
import { type ApiTexts, TEXTS } from '../texts/index.ts'
import { plainPage } from './plain-page.ts'

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/**
 * The page behind the link in an activation mail, in every language: the reader's own is not known.
 *
 * @param link undefined when it is not good
 */
export function activationPage(link: ActivationLink | undefined): string {
  const titles = LANGUAGES.map((language) => TEXTS[language].activation[link?.state ?? 'invalid'].title)
  const sections = LANGUAGES.map((language) => {
    const lang = language === FALLBACK_LANGUAGE ? '' : ` lang="${LANGUAGE_FACTS[language].locale}"`
    return `<section${lang}>${said(link, TEXTS[language].activation)}</section>`
  })
  return plainPage(FALLBACK_LANGUAGE, titles.join(' · '), sections.join('\n'))
}

function said(link: ActivationLink | undefined, texts: ApiTexts['activation']): string {
  if (!link) return `<h1>${texts.invalid.heading}</h1><p>${texts.invalid.text}</p>`
  const name = link.username.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character)
  const { heading, text } = texts[link.state]
  // A form without an action posts to the address of its page, with the token.
  const form =
    link.state === 'waiting' ? `<form method="post"><button>${texts.waiting.button}</button></form>` : ''
  return `<h1>${heading}</h1><p>${text(`<b>${name}</b>`)}</p>${form}`
}
