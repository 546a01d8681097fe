import type { Fault } from './types.ts'

export type Faults = ReturnType<typeof createFaults>

/** The faults that tests order for one bot, each for a number of matching calls. */
export function createFaults() {
  const ordered: { fault: Fault; left: number }[] = []

  return {
    inject: (fault: Fault) => void ordered.push({ fault, left: fault.times ?? 1 }),
    /** Takes all faults back: Telegram works again. */
    clear: () => void ordered.splice(0),
    /** Takes the fault that hits this call, if any, and counts it as used. */
    take(method: string, chatId: unknown): Fault | undefined {
      const index = ordered.findIndex(({ fault }) => matches(fault, method, chatId))
      const entry = ordered[index]
      if (entry && --entry.left <= 0) ordered.splice(index, 1)
      return entry?.fault
    },
  }
}

function matches(fault: Fault, method: string, chatId: unknown): boolean {
  if (fault.chatId !== undefined && fault.chatId !== Number(chatId)) return false
  if (fault.method !== undefined) return fault.method.toLowerCase() === method.toLowerCase()
  if (fault.kind === 'unauthorized') return true
  return (method === 'getUpdates') === (fault.kind === 'conflict')
}
