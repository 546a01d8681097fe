import { renderAsync } from '@resvg/resvg-js'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const require = createRequire(import.meta.url)

/** The machine's own fonts are not used, so that a picture is the same everywhere. */
const OWN = { loadSystemFonts: false }
const DEJAVU = ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'].map((file) =>
  require.resolve(`dejavu-fonts-ttf/ttf/${file}`),
)

/** Fonts for digits and signs. */
const FIGURES = { ...OWN, fontFiles: DEJAVU, defaultFontFamily: 'DejaVu Sans' }

/** Fonts for what people write, where {@link withChinese} has marked the Chinese parts. */
export const WRITING = {
  ...FIGURES,
  fontFiles: [
    ...DEJAVU,
    join(dirname(require.resolve('@embedpdf/fonts-sc')), '../fonts/NotoSansHans-Regular.otf'),
  ],
}

/** Characters from the CJK radicals on: Chinese, its punctuation, and what else only the Chinese font has. */
const CHINESE = /[\u2e80-\uffef\u{20000}-\u{3ffff}]+/gu

/**
 * The content of a text element whose Chinese parts, and only these, are drawn by the Chinese font: each letter of it takes some 4 ms of
 * processor time, as that font is parsed anew for each.
 *
 * @param escaped text that is escaped for XML
 */
export function withChinese(escaped: string): string {
  return escaped.replaceAll(CHINESE, '<tspan font-family="Noto Sans S Chinese">$&</tspan>')
}

/** An SVG picture as PNG, base64. It is drawn on another thread; encoding it takes this one some 10 ms. */
export async function toPng(svg: string, font: typeof FIGURES = FIGURES): Promise<string> {
  const image = await renderAsync(svg, { font })
  return image.asPng().toString('base64')
}
