/** Text in Telegram's HTML; made only here, so that nothing a person typed is ever taken for a tag. */
export type Html = string & { readonly __html: unique symbol }

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Template tag: the template is HTML, what is put in is escaped. */
export function html(parts: TemplateStringsArray, ...values: (string | number)[]): Html {
  return parts.reduce((done, part, index) => done + escape(String(values[index - 1])) + part) as Html
}

/** Lines of HTML; an empty string is a blank line, `undefined` is left out. */
export function lines(...texts: (Html | '' | undefined)[]): Html {
  const shown = texts.filter((text) => text !== undefined)
  // A blank line after another is left out: what stands between them may be missing.
  return shown.filter((text, at) => text !== '' || shown[at - 1] !== '').join('\n') as Html
}

/** Escapes a text, without the half of an emoji that cutting can leave: Telegram refuses that. */
function escape(text: string): string {
  return text.replace(/[&<>]|\p{Surrogate}/gu, (character) => ESCAPES[character] ?? '')
}

/** The text as a person sees it, without tags. */
export function plain(text: Html): string {
  const untagged = text.replace(/<[^>]+>/g, '')
  return Object.entries(ESCAPES).reduceRight(
    (done, [character, entity]) => done.replaceAll(entity, character),
    untagged,
  )
}
