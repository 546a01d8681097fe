import { AsyncLocalStorage } from 'node:async_hooks'
import { beforeAll, onTestFinished } from 'vitest'

type Close = () => unknown

/** What {@link shared} has opened so far, while it is opening. */
const openedForAll = new AsyncLocalStorage<Close[]>()

/** Closes something when the test ends, or the tests for which it is being opened. */
export function atTheEnd(close: Close): void {
  const closers = openedForAll.getStore()
  if (closers) closers.push(close)
  else onTestFinished(async () => void (await close()))
}

/**
 * One thing for many tests, which open it in no time and change nothing in it: for tables of cases.
 *
 * @param open what opens it; whatever it gives to {@link atTheEnd} ends with the last of the tests
 * @returns in a test: the thing
 */
export function shared<Thing>(open: () => Promise<Thing>): () => Thing {
  let thing: Thing
  beforeAll(async () => {
    const closers: Close[] = []
    thing = await openedForAll.run(closers, open)
    return async () => {
      for (const close of closers.toReversed()) await close()
    }
  })
  return () => thing
}
