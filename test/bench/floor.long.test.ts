import { join } from 'node:path'
import { onTestFinished, test } from 'vitest'
import { compareAnswers } from '../../bench/answers.ts'
import { startFloor, startProduct } from '../../bench/contender.ts'
import { acceptRequest, readRequest } from '../../bench/requests.ts'
import { seed } from '../../bench/seed.ts'
import { JWT_SECRET, temporaryDirectory } from '../support/service.ts'

test('The floors that the product is measured by answer the same bytes', async () => {
  const directory = await temporaryDirectory()
  const template = join(directory, 'template.db')
  const seeded = await seed(template, JWT_SECRET, { customers: 1, ordersEach: 3, stock: 20 })
  const contenders = [
    await startProduct(template, directory, JWT_SECRET),
    await startFloor('each', template, directory, JWT_SECRET),
    await startFloor('group', template, directory, JWT_SECRET),
  ]
  onTestFinished(async () => {
    for (const contender of contenders) await contender.stop()
  })
  for (const request of [readRequest(seeded), acceptRequest(seeded)])
    await compareAnswers(request, contenders)
})
