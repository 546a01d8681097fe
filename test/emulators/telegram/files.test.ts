import type { Message } from 'grammy/types'
import { describe, expect, test } from 'vitest'
import { ANN, jpegOf, pngOf, startTelegram } from './server.ts'

const refusal = (reason: string) => ({ ok: false, error_code: 400, description: `Bad Request: ${reason}` })
const chat_id = String(ANN.id)

describe('documents', () => {
  test('arrive on the phone, can be downloaded and sent again by their id', async () => {
    const { call, upload, emulator, apiRoot } = await startTelegram()
    const document = new File(['10.0.0.1:80:u:p'], 'proxies.txt', { type: 'text/plain' })
    const { result } = await upload('sendDocument', {
      chat_id,
      document,
      caption: '<b>5</b> proxies',
      parse_mode: 'HTML',
    })
    expect(result).toMatchObject({
      caption: '5 proxies',
      caption_entities: [{ type: 'bold', offset: 0, length: 1 }],
      document: { file_name: 'proxies.txt', mime_type: 'text/plain', file_size: 15 },
    })
    const { file_id } = result.document
    const { file_path } = (await call('getFile', { file_id })).result
    const download = await fetch(`${apiRoot}/file/bot42:secret/${file_path}`)
    expect(await download.text()).toBe('10.0.0.1:80:u:p')
    expect((await fetch(`${apiRoot}/file/bot42:secret/documents/none`)).status).toBe(404)
    expect((await fetch(`${apiRoot}/file/bot42:guess/${file_path}`)).status).toBe(401)
    expect(await call('sendDocument', { chat_id, document: file_id })).toMatchObject({ ok: true })
    expect(await call('sendPhoto', { chat_id, photo: file_id })).toEqual(
      refusal("can't use file of type Document as Photo"),
    )
    const [, , again] = emulator.messages(ANN.id)
    expect(again).toMatchObject({ text: '', file: { kind: 'document', fileName: 'proxies.txt', size: 15 } })
    expect((await emulator.file(file_id))?.content.toString()).toBe('10.0.0.1:80:u:p')
    expect(await emulator.file('none')).toBeUndefined()
  })

  test('are refused when they are empty, above 50 MB, or given by an address', async () => {
    const { call, upload } = await startTelegram()
    const send = (content: string | Buffer<ArrayBuffer>) =>
      upload('sendDocument', { chat_id, document: new File([content], 'x.bin') })
    expect(await send('')).toEqual(refusal('file must be non-empty'))
    expect(await send(Buffer.alloc(50 * 1024 * 1024 + 1))).toEqual({
      ok: false,
      error_code: 413,
      description: 'Request Entity Too Large',
    })
    const { result } = await send(Buffer.alloc(20 * 1024 * 1024 + 1))
    expect(await call('getFile', { file_id: result.document.file_id })).toEqual(refusal('file is too big'))
    expect(await call('sendDocument', { chat_id, document: 'https://x.io/a.txt' })).toEqual(
      refusal('not implemented in the emulator: sending a file by its URL'),
    )
  })

  test('that a person sends reach the bot with their caption', async () => {
    const { call, emulator, apiRoot } = await startTelegram()
    const file = { fileName: 'list.csv', mimeType: 'application/octet-stream', content: Buffer.from('a;b') }
    const message_id = emulator.sendFile(ANN.id, { ...file, caption: '/import now' })
    const [update] = (await call('getUpdates')).result
    expect(update?.message).toMatchObject({
      message_id,
      caption: '/import now',
      caption_entities: [{ type: 'bot_command', offset: 0, length: 7 }],
      document: { file_name: 'list.csv', mime_type: 'text/csv' },
    })
    const { result } = await call('getFile', { file_id: update?.message?.document?.file_id })
    expect(await (await fetch(`${apiRoot}/file/bot42:secret/${result.file_path}`)).text()).toBe('a;b')
  })
})

describe('photos', () => {
  const good: [name: string, content: Buffer<ArrayBuffer>, mimeType: string][] = [
    ['a PNG', pngOf(300, 200), 'image/png'],
    ['a JPEG', jpegOf(300, 200), 'image/jpeg'],
  ]

  test.each(good)('%s is accepted, with its size in pixels', async (_name, content, mimeType) => {
    const { upload, emulator } = await startTelegram()
    const { result } = await upload('sendPhoto', { chat_id, photo: new File([content], 'qr') })
    expect(result.photo).toEqual([
      expect.objectContaining({ width: 300, height: 200, file_size: content.length }),
    ])
    expect(emulator.messages(ANN.id).at(-1)?.file).toMatchObject({ kind: 'photo', mimeType })
  })

  const bad: [name: string, content: Buffer<ArrayBuffer>, reason: string][] = [
    ['text', Buffer.from('no image'), 'IMAGE_PROCESS_FAILED'],
    ['half a PNG', Buffer.from(pngOf(10, 10).subarray(0, 20)), 'IMAGE_PROCESS_FAILED'],
    ['a JPEG without a frame', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 2]), 'IMAGE_PROCESS_FAILED'],
    ['a picture of no pixels', pngOf(0, 10), 'IMAGE_PROCESS_FAILED'],
    ['too large a picture', pngOf(6000, 4001), 'PHOTO_INVALID_DIMENSIONS'],
    ['too thin a picture', pngOf(10, 201), 'PHOTO_INVALID_DIMENSIONS'],
    ['nothing', Buffer.alloc(0), 'file must be non-empty'],
    [
      'more than 10 MB',
      Buffer.alloc(10_485_761),
      'file of size 10485761 bytes is too big for a photo; the maximum size is 10485760 bytes',
    ],
  ]

  test.each(bad)('%s is refused', async (_name, content, reason) => {
    const { upload } = await startTelegram()
    expect(await upload('sendPhoto', { chat_id, photo: new File([content], 'qr.png') })).toEqual(
      refusal(reason),
    )
  })
})

test('an album is sent as one group of files of one kind', async () => {
  const { upload, emulator } = await startTelegram()
  const files = {
    a: new File(['1'], 'a.txt'),
    b: new File(['2'], 'b.txt'),
    c: new File([pngOf(9, 9)], 'c.png'),
  }
  const send = (media: readonly object[]) =>
    upload('sendMediaGroup', { chat_id, media: JSON.stringify(media), ...files })
  const documents = ['a', 'b'].map((name) => ({ type: 'document', media: `attach://${name}`, caption: name }))
  const { result } = await send(documents)
  expect(new Set(result.map((message: Message) => message.media_group_id)).size).toBe(1)
  expect(emulator.messages(ANN.id).map(({ text, file }) => [text, file?.fileName])).toEqual([
    ['hello', undefined],
    ['a', 'a.txt'],
    ['b', 'b.txt'],
  ])
  const photo = { type: 'photo', media: 'attach://c' }
  expect(await send([...documents, photo])).toEqual(refusal("document can't be mixed with other media types"))
  expect(await send(documents.slice(1))).toEqual(refusal('too few messages to send as an album'))
  expect(await send(Array(11).fill(documents[0]))).toEqual(refusal('too many messages to send as an album'))
})
