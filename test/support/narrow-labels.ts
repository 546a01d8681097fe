import { expect, onTestFinished } from 'vitest'
import { columns, share } from '../../src/bot/kit/columns.ts'
import type { TelegramEmulator } from '../../src/emulators/telegram/types.ts'

/** Fails the test when a button that came to a phone in it was wider than a phone shows (rules 18.1). */
export function expectNarrowLabels(telegram: Pick<TelegramEmulator, 'subscribeToAll'>): void {
  const wide = new Set<string>()
  const unsubscribe = telegram.subscribeToAll((event) => {
    if (event.type !== 'message' && event.type !== 'edit') return
    for (const row of event.message.keyboard)
      for (const { text } of row) if (columns(text) > share(row.length)) wide.add(`${row.length}: ${text}`)
  })
  onTestFinished(() => {
    unsubscribe()
    expect([...wide], 'labels that a phone cuts').toEqual([])
  })
}
