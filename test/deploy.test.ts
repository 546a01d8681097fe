import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { projectUrl } from '../src/project-url.ts'
import { startProduct } from './support/product.ts'

const read = (path: string) => readFileSync(projectUrl(path), 'utf8')
const TOKEN = 'metrics-token-of-the-tests'

/** Every expression of the alarms and of the dashboard. */
function expressions(): string[] {
  const alerts = parse(read('deploy/alerts.yaml')) as { groups: { rules: { expr: string }[] }[] }
  const dashboard = JSON.parse(read('deploy/grafana.json')) as {
    panels: { title: string; targets: { expr: string }[] }[]
  }
  return [
    ...alerts.groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)),
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ]
}

test('Alarms and dashboard ask for metrics and labels that the service has', async () => {
  const { app } = await startProduct({}, { metricsToken: TOKEN })
  const metrics = new URL('/metrics', app.addresses['api'])
  const text = await (await fetch(metrics, { headers: { authorization: `Bearer ${TOKEN}` } })).text()
  const known = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name, type]))
  const asked = new Set(
    expressions().flatMap((expr) => [...expr.matchAll(/\b(?:reseller|nodejs|process)_\w+/g)].map(String)),
  )
  expect(asked.size).toBeGreaterThan(20)
  for (const name of asked) {
    const family = name.replace(/_(?:bucket|sum|count)$/, '')
    expect(known.has(name) || known.get(family) === 'histogram', name).toBe(true)
    // Only a counter has a rate.
    if (name.endsWith('_total')) expect(known.get(name), name).toBe('counter')
  }
})

test.skipIf(!existsSync('/usr/bin/systemd-analyze'))('systemd takes the unit', () => {
  const verify = ['verify', '--man=no', projectUrl('deploy/proxy-reseller.service').pathname]
  // The user and the folder are not on this machine.
  const output = execFileSync('/usr/bin/systemd-analyze', verify, { encoding: 'utf8', stdio: 'pipe' })
  expect(output).toBe('')
})
