import { renderAsync } from '@resvg/resvg-js'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** The machine's own fonts are not used, so that a picture is the same everywhere. */
const FONT = {
  loadSystemFonts: false,
  fontFiles: ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'].map((file) =>
    require.resolve(`dejavu-fonts-ttf/ttf/${file}`),
  ),
  defaultFontFamily: 'DejaVu Sans',
}

/** An SVG picture as PNG, base64. It is drawn on another thread; encoding it takes this one some 10 ms. */
export async function toPng(svg: string): Promise<string> {
  const image = await renderAsync(svg, { font: FONT })
  return image.asPng().toString('base64')
}
