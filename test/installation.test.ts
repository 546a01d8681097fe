import { expect, test } from 'vitest'
import { installationOf } from '../src/installation.ts'

test('A server knows how its commands are called: in a container, by the script, as a service of systemd, and in a folder', () => {
  const folder = '/srv/proxy-reseller'
  const user = 'reseller'
  const service = '0::/system.slice/proxy-reseller.service\n'
  expect(
    installationOf({ env: { INSTALLATION: 'compose' }, cgroup: '0::/\n', folder: '/app', user }),
  ).toEqual({
    stop: 'docker compose stop shop',
    operator: 'docker compose run --rm shop node dist/cli/operator.js',
    start: 'docker compose start shop',
  })
  const byScript = { INSTALLATION: 'script', INVOCATION_ID: '1' }
  expect(installationOf({ env: byScript, cgroup: service, folder, user })).toEqual({
    stop: 'systemctl stop proxy-reseller',
    operator: 'operator',
    start: 'systemctl start proxy-reseller',
  })
  expect(installationOf({ env: { INVOCATION_ID: '1' }, cgroup: service, folder, user })).toEqual({
    stop: 'systemctl stop proxy-reseller.service',
    operator: "cd '/srv/proxy-reseller' && runuser -u reseller -- npm run operator --",
    start: 'systemctl start proxy-reseller.service',
  })
  expect(installationOf({ env: {}, cgroup: '0::/user.slice\n', folder, user })).toEqual({
    operator: "cd '/srv/proxy-reseller' && npm run operator --",
  })
})
