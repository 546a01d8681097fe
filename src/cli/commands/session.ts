import { Command } from 'commander'
import { wrongUse } from '../../operator/refusal.ts'
import { typedSecret } from '../password.ts'
import type { RemoteService } from '../remote.ts'
import type { Run, Session } from '../run.ts'

/** `log-in`: at the service that `--server` names (rules 14.11). */
export function logInCommand(run: Run): Command {
  return new Command('log-in')
    .description('log in at the service of --server by a link that the chat shows, for 12 hours')
    .argument('[link]', 'the link, or its code; without it, asks for it')
    .action(
      run(async (session, link: string | undefined) => {
        const server = serverOf(session)
        const { token: _secret, ...opened } = await server.logIn(link ?? (await typedSecret(session, 'Link')))
        const { person, role, expires_at: until } = opened
        return { data: opened, text: `Logged in as ${person ?? 'the operator'} (${role}), until ${until}` }
      }),
    )
}

/** `log-out`. */
export function logOutCommand(run: Run): Command {
  return new Command('log-out').description('end the session at the service of --server').action(
    run(async (session) => {
      await serverOf(session).logOut()
      return { data: { logged_out: true }, text: 'Logged out' }
    }),
  )
}

/** `person web-link`: for a person who cannot ask the bot for one. */
export function webLinkCommand(run: Run): Command {
  return new Command('web-link')
    .description('make a link by which the person of --as logs in on the web; it works once, for 5 minutes')
    .action(
      run(async (session) => {
        const core = await session.core()
        const { code, expiresAt } = await core.operator.webLogIns.offer(session.by)
        const link = `${session.publicUrl() ?? ''}/operator/api/log-in?code=${code}`
        return { data: { link, expires_at: expiresAt.toISOString() }, text: link }
      }),
    )
}

function serverOf({ server }: Session): RemoteService {
  if (!server) throw wrongUse('Name the service with --server URL')
  return server
}
