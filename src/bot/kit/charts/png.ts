import { renderAsync } from '@resvg/resvg-js'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const require = createRequire(import.meta.url)

/** The machine's own fonts are not used, so that a picture is the same everywhere. */
const OWN = { loadSystemFonts: false }
const DEJAVU = ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'].map((file) =>
  require.resolve(`dejavu-fonts-ttf/ttf/${file}`),
)

/** For digits and signs. */
const FIGURES = { ...OWN, fontFiles: DEJAVU, defaultFontFamily: 'DejaVu Sans' }

/** For what people write, Chinese included; it is read anew for each picture, which takes another thread some 100 ms. */
export const WRITING = {
  ...OWN,
  fontFiles: [
    join(dirname(require.resolve('@embedpdf/fonts-sc')), '../fonts/NotoSansHans-Regular.otf'),
    ...DEJAVU,
  ],
  defaultFontFamily: 'Noto Sans S Chinese',
}

/** An SVG picture as PNG, base64. It is drawn on another thread; encoding it takes this one some 10 ms. */
export async function toPng(svg: string, font: typeof FIGURES = FIGURES): Promise<string> {
  const image = await renderAsync(svg, { font })
  return image.asPng().toString('base64')
}
