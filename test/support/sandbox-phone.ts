import { expect, vi } from 'vitest'
import type { EmulatedMessage } from '../../src/emulators/telegram/types.ts'
import { PATIENCE } from './patience.ts'

/** Posts to the page's API of a sandbox that runs. */
export function postTo(address: string, path: string, body: object): Promise<Response> {
  return fetch(`${address}/sandbox/api/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

/** A phone of a sandbox that runs, by what the page asks of the server. */
export function sandboxPhone(address: string, userId: number) {
  const api = `${address}/sandbox/api`
  const post = (path: string, body: object) => postTo(address, path, body)
  const messages = async () => {
    const { phones } = (await (await fetch(`${api}/phones`)).json()) as {
      phones: { user: { id: number }; messages: EmulatedMessage[] }[]
    }
    return phones.find(({ user }) => user.id === userId)?.messages ?? []
  }
  const waitFor = (wanted: (message: EmulatedMessage) => boolean) =>
    vi.waitUntil(async () => (await messages()).findLast(wanted), PATIENCE)
  const press = async ({ messageId, keyboard }: EmulatedMessage, label: RegExp) => {
    const button = keyboard.flat().find(({ text }) => label.test(text))
    expect((await post(`phones/${userId}/presses`, { messageId, data: button?.value })).status).toBe(200)
  }
  return {
    messages,
    waitFor,
    see: (text: RegExp) => waitFor((message) => message.from === 'bot' && text.test(message.text)),
    speak: (language: string) => post('language', { language }),
    send: (text: string) => post(`phones/${userId}/messages`, { text }),
    press,
    /** Presses the newest button with this label, when there is one. */
    choose: async (label: RegExp) =>
      press(await waitFor(({ keyboard }) => keyboard.flat().some(({ text }) => label.test(text))), label),
    picture: async ({ file }: EmulatedMessage) =>
      Buffer.from(await (await fetch(`${api}/files/${file?.fileId}`)).arrayBuffer()),
  }
}
