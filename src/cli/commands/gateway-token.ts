import { Command } from 'commander'
import type { Run } from '../run.ts'

/** `gateway token`: what a gateway on another machine needs (rules 12.1). */
export function gatewayTokenCommand(run: Run): Command {
  return new Command('token')
    .description('show the token with which a gateway on another machine identifies itself (GATEWAY_TOKEN)')
    .action(
      run((session) => {
        const token = session.gatewayToken()
        return Promise.resolve({ data: { token }, text: token })
      }),
    )
}
