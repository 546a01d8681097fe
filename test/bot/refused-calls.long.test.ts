import { expect, test } from 'vitest'
import { pressAtRandom } from './random-presses.ts'

test('whatever is pressed for long, also under pictures, Telegram is asked for nothing that it refuses', async () => {
  const pictures = await pressAtRandom(600)
  expect(pictures.size, 'kinds of buttons under pictures').toBeGreaterThan(3)
})
