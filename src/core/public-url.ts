/** Host names by which a machine reaches itself, and no other machine reaches it. */
const THIS_MACHINE = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** Whether a URL leads to this machine, as seen from itself. */
export function isThisMachine(url: string): boolean {
  return THIS_MACHINE.test(new URL(url).hostname)
}

/** Returns why nobody else reaches this server by PUBLIC_URL; undefined where others do. */
export function publicUrlProblem(url: string | undefined): string | undefined {
  if (url === undefined) return 'PUBLIC_URL is not set'
  return isThisMachine(url) ? `PUBLIC_URL is ${url}, which only this machine can open` : undefined
}
