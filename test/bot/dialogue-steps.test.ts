import { expect, it, vi } from 'vitest'
import { dialogueVault } from '../../src/bot/dialogue/vault.ts'
import { DIALOGUE_VERSION } from '../../src/bot/session/dialogue-version.ts'
import { AGENT, ANN, logIn, type Product, SECRET, startProduct } from '../support/product.ts'
import { PATIENCE } from '../support/patience.ts'

/**
 * What the dialogues do, step by step, in this version. An unfinished dialogue is replayed from its start, so that one begun with
 * other steps would be misread after a deploy. When this test fails: raise DIALOGUE_VERSION, then write it and the steps down here.
 */
const STEPS = {
  version: 11,
  logIn: [
    'wait',
    'message,callback_query:data',
    'deleteMessage',
    'editMessageText',
    'message,callback_query:data',
    'deleteMessage',
    'external',
    'editMessageText',
    'message,callback_query:data',
  ],
  ask: [
    'wait',
    'message,callback_query:data',
    'deleteMessage',
    'external',
    'editMessageText',
    'message,callback_query:data',
    'getFile',
    'deleteMessage',
    'external',
    'editMessageText',
    'message,callback_query:data',
  ],
  // Each turn of a conversation behind a screen begins a new one.
  led: ['wait', 'wait'],
}

/** What the chat's unfinished dialogue has done. */
async function stepsSoFar({ core }: Product): Promise<(string | undefined)[]> {
  const { dialogue } = await core.chats.session(ANN.id, 'en')
  const { state = {} } = dialogueVault(SECRET).open(dialogue ?? '', ANN.id) ?? {}
  const { send = [] } = Object.values(state)[0]?.[0]?.replay ?? {}
  return send.map(({ payload }) => payload)
}

/** The same after `answers` answers. */
async function stepsOf(product: Product, answers: number): Promise<(string | undefined)[]> {
  return vi.waitFor(async () => {
    const steps = await stepsSoFar(product)
    expect(steps.filter((step) => step?.startsWith('message,'))).toHaveLength(answers + 1)
    return steps
  }, PATIENCE)
}

it('dialogues do what their version says', async () => {
  const product = await startProduct()
  const ann = product.phone(ANN)
  ann.send('/login')
  await ann.waitFor('username')
  ann.send('nobody')
  await ann.waitFor('password')
  ann.send('wrong password')
  const logInSteps = await stepsOf(product, 2)

  await logIn(ann, AGENT)
  await ann.press('👥 Sub-users')
  await ann.press('⋯ More')
  await ann.press('📋 Many at once')
  ann.send('x')
  await stepsOf(product, 1)
  const content = Buffer.from('newcomer,long-enough-password')
  ann.sendFile({ fileName: 'users.csv', mimeType: 'text/csv', content })
  const askSteps = await stepsOf(product, 2)

  ann.send('/buy')
  await ann.waitFor('Quantity: 1')
  await ann.press('2')
  await ann.waitFor('Quantity: 2')
  ann.send('3')
  await ann.waitFor('Quantity: 3')
  await vi.waitFor(async () => expect(await stepsSoFar(product)).toEqual(STEPS.led), PATIENCE)
  expect({ version: DIALOGUE_VERSION, logIn: logInSteps, ask: askSteps, led: STEPS.led }).toEqual(STEPS)
})
