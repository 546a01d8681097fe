import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Language, LANGUAGES } from '../../src/core/languages.ts'
import type { EmulatedMessage } from '../../src/emulators/telegram/types.ts'
import { withoutFigures } from './masked.ts'

/** A screen in every language. */
export interface Picture {
  readonly name: string
  readonly screens: Readonly<Record<Language, EmulatedMessage>>
}

/** Writes the screens as a page and as texts into the folder GALLERY, as `npm run gallery` wants it; nothing in other runs of the tests. */
export async function writeGallery(name: string, pictures: readonly Picture[]): Promise<void> {
  const folder = process.env.GALLERY
  if (!folder) return
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, `${name}.html`), asPage(pictures))
  for (const language of LANGUAGES)
    await writeFile(join(folder, `${name}.${language}.txt`), withoutFigures(asText(pictures, language)))
}

/** The screens as text: what is compared. */
export function asText(pictures: readonly Picture[], language: Language): string {
  return pictures
    .map(({ name, screens }) => {
      const { text, keyboard, file } = screens[language]
      const rows = keyboard.map((row) => row.map(({ text: label }) => `[${label}]`).join(' '))
      return [`## ${name}`, ...(file ? ['(picture)'] : []), text, '', ...rows].join('\n')
    })
    .join('\n\n')
    .concat('\n')
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const escaped = (text: string) => text.replaceAll(/[&<>]/g, (character) => ESCAPES[character] ?? '')

/** The screens side by side, as wide as a phone; light or dark as the browser prefers. */
function asPage(pictures: readonly Picture[]): string {
  const phone = ({ text, keyboard, file }: EmulatedMessage) =>
    `<div class="phone"><div class="text">${file ? '<i>▧</i>\n' : ''}${escaped(text)}</div>${keyboard
      .map(
        (row) => `<div class="row">${row.map((button) => `<b>${escaped(button.text)}</b>`).join('')}</div>`,
      )
      .join('')}</div>`
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Screens</title>
<style>
  :root { color-scheme: light dark; font: 15px/1.35 system-ui, sans-serif; background: light-dark(#e7ecf2, #0f1621); color: light-dark(#111, #eee) }
  section { display: flex; flex-wrap: wrap; gap: 16px; align-items: start; margin-bottom: 32px }
  h2 { width: 100%; font-size: 15px; margin: 0 }
  .phone { width: min(390px, 100%); box-sizing: border-box; padding: 8px }
  .text { white-space: pre-wrap; overflow-wrap: anywhere; padding: 8px 12px; border-radius: 12px; background: light-dark(#fff, #1c2733) }
  .row { display: flex; gap: 4px; margin-top: 4px }
  .row b { flex: 1 1 0; min-width: 0; padding: 9px 4px; border-radius: 8px; text-align: center; font-weight: 500; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; background: light-dark(#c9d6e4, #2b3a4b) }
</style>
${pictures.map(({ name, screens }) => `<section><h2>${escaped(name)}</h2>${LANGUAGES.map((language) => phone(screens[language])).join('')}</section>`).join('\n')}
</html>
`
}
