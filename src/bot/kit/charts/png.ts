import { renderAsync } from '@resvg/resvg-js'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { html } from '../../texts/html.ts'

const require = createRequire(import.meta.url)

/** The machine's own fonts are not used, so that a picture is the same everywhere. */
const OWN = { loadSystemFonts: false }
const DEJAVU = ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'].map((file) =>
  require.resolve(`dejavu-fonts-ttf/ttf/${file}`),
)

/** Fonts for digits and signs. */
const FIGURES = { ...OWN, fontFiles: DEJAVU, defaultFontFamily: 'DejaVu Sans' }

/** Fonts for what people write, where {@link svgText} has marked the Chinese parts. */
export const WRITING = {
  ...FIGURES,
  fontFiles: [
    ...DEJAVU,
    join(dirname(require.resolve('@embedpdf/fonts-sc')), '../fonts/NotoSansHans-Regular.otf'),
  ],
}

/** Characters from the CJK radicals on: Chinese, its punctuation, and what else only the Chinese font has. */
const CHINESE = /[\u2e80-\uffef\u{20000}-\u{3ffff}]+/gu

/** What XML forbids, and emoji, which the bundled fonts lack. */
const NOT_DRAWN = /[\p{Cc}\p{Cn}\p{Regional_Indicator}\p{Emoji_Presentation}\ufe0f]/gu

/**
 * A text element of SVG for {@link WRITING}. Chinese parts, and only these, are drawn by the Chinese font: each letter of it takes some
 * 4 ms of processor time, as that font is parsed anew for each.
 */
export function svgText(x: number, y: number, content: string, attributes: string): string {
  const drawn = html`${content.replaceAll(NOT_DRAWN, '')}`
  const marked = drawn.replaceAll(CHINESE, '<tspan font-family="Noto Sans S Chinese">$&</tspan>')
  return `<text x="${x}" y="${y}" ${attributes}>${marked}</text>`
}

/** An SVG picture as PNG, base64. It is drawn on another thread; encoding it takes this one some 10 ms. */
export async function toPng(svg: string, font: typeof FIGURES = FIGURES): Promise<string> {
  const image = await renderAsync(svg, { font })
  return image.asPng().toString('base64')
}
