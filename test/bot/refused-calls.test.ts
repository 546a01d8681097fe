import { test } from 'vitest'
import { pressAtRandom } from './random-presses.ts'

test('whatever is pressed, twice, late or on an old screen, Telegram is asked for nothing that it refuses', async () => {
  await pressAtRandom(100)
})
