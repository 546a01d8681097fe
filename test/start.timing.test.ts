import { expect, test } from 'vitest'
import { startProcess } from './support/process.ts'
import { temporaryDirectory } from './support/service.ts'

test('The service is up in under three seconds the second time', async () => {
  const directory = await temporaryDirectory()
  const environment = { PORT: '0', DATABASE_URL: `file:${directory}/reseller.db` }
  const start = async () => {
    const begun = performance.now()
    const process = await startProcess(environment, directory)
    expect((await fetch(`${process.address}/healthz`)).status).toBe(200)
    const ms = performance.now() - begun
    await process.terminate()
    return ms
  }
  await start()
  // Whatever else runs on the machine only adds to it: the fastest of a few starts is the start's own time.
  let fastest = await start()
  for (let more = 4; more > 0 && fastest >= 3_000; more -= 1) fastest = Math.min(fastest, await start())
  expect(fastest).toBeLessThan(3_000)
})
