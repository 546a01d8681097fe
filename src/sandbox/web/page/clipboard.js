/**
 * Puts a text on the clipboard; resolves to whether that worked. The Clipboard API exists on https and localhost only; elsewhere
 * the old command does it.
 * @param {string} value
 * @returns {Promise<boolean>}
 */
export async function copy(value) {
  try {
    await navigator.clipboard.writeText(value)
    return true
  } catch {
    const focused = document.activeElement
    const area = document.createElement('textarea')
    area.value = value
    area.className = 'offscreen'
    document.body.append(area)
    area.select()
    const copied = document.execCommand('copy')
    area.remove()
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
    return copied
  }
}
