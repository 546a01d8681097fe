import { existsSync, readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import type { Installation } from './bot/session/context.ts'

interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  /** What `/proc/self/cgroup` says; empty where there is none. */
  readonly cgroup: string
  readonly folder: string
  readonly user: string
}

/** Reads how this server is installed: by `compose.yaml`, by `deploy/install.sh`, as a service of systemd, or in a folder. */
export function installationOf(given: Partial<Surroundings> = {}): Installation {
  const { env, cgroup, folder, user } = { ...surroundings(), ...given }
  if (env['INSTALLATION'] === 'compose')
    return {
      stop: 'docker compose stop shop',
      operator: 'docker compose run --rm shop node dist/cli/operator.js',
      start: 'docker compose start shop',
    }
  if (env['INSTALLATION'] === 'script')
    return {
      stop: 'systemctl stop proxy-reseller',
      operator: 'operator',
      start: 'systemctl start proxy-reseller',
    }
  const command = 'npm run operator --'
  const [, unit] = /\/([\w.@-]+\.service)\s*$/m.exec(cgroup) ?? []
  // systemd sets INVOCATION_ID for each run of a service.
  if (unit === undefined || env['INVOCATION_ID'] === undefined)
    return { operator: `cd '${folder}' && ${command}` }
  return {
    stop: `systemctl stop ${unit}`,
    operator: `cd '${folder}' && runuser -u ${user} -- ${command}`,
    start: `systemctl start ${unit}`,
  }
}

function surroundings(): Surroundings {
  const file = '/proc/self/cgroup'
  return {
    env: process.env,
    cgroup: existsSync(file) ? readFileSync(file, 'utf8') : '',
    folder: process.cwd(),
    user: userInfo().username,
  }
}
