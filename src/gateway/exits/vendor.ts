/** Whether the vendor learns from the username where the exit has to be. */
export function canAskFor(template: string | null, place: 'country' | 'city'): boolean {
  return template?.includes(`{${place}}`) ?? false
}
