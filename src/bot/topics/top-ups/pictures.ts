import type { NetworkTraits } from '../../../core/top-ups/payment-network.ts'
import type { TopUp, TopUpStatus } from '../../../core/top-ups/top-up.ts'
import { COLOR } from '../../kit/charts/palette.ts'
import { toPng } from '../../kit/charts/png.ts'

/** Side of the QR code, in pixels; large enough to be scanned from one phone by another. */
const SIZE = 640

/** Signs that replace the QR code, so that nobody pays a second time. */
const SIGNS = {
  confirming: { color: COLOR.own, path: 'M214 320 h1 M320 320 h1 M426 320 h1' },
  paid: { color: '#2fbf78', path: 'M196 330 L286 420 L450 236' },
  expired: { color: '#8a8f98', path: 'M320 190 L320 330 L410 396' },
  cancelled: { color: '#8a8f98', path: 'M226 226 L414 414 M414 226 L226 414' },
} as const satisfies Record<Exclude<TopUpStatus, 'pending'>, object>

/**
 * The picture above a top-up: a QR code of the wallet until it is paid, then a sign.
 *
 * @returns PNG, base64
 */
export function topUpPicture(
  network: NetworkTraits,
  { status, wallet }: Pick<TopUp, 'status' | 'wallet'>,
): Promise<string> {
  return status === 'pending' ? qrCode(network.qrContent(wallet)) : sign(SIGNS[status])
}

async function qrCode(content: string): Promise<string> {
  const { default: qrCodes } = await import('qrcode')
  const png = await qrCodes.toBuffer(content, { errorCorrectionLevel: 'M', margin: 4, width: SIZE })
  return png.toString('base64')
}

/** Draws a sign in a low strip: the text below it matters more. */
function sign({ color, path }: { color: string; path: string }): Promise<string> {
  return toPng(
    '<svg xmlns="http://www.w3.org/2000/svg" width="640" height="200" viewBox="-640 20 1920 600">' +
      `<rect x="-640" y="20" width="1920" height="600" fill="${COLOR.background}"/>` +
      `<circle cx="320" cy="320" r="230" fill="none" stroke="${color}" stroke-width="36"/>` +
      `<path d="${path}" fill="none" stroke="${color}" stroke-width="44" stroke-linecap="round" stroke-linejoin="round"/></svg>`,
  )
}
