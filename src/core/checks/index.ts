import { binding } from '../binding.ts'
import { askedChecks, dueChecks } from './check-due.ts'
import { checkProxy, checksOfProxy } from './check-proxy.ts'
import type { CheckDeps } from './deps.ts'
import type { Echo } from './echo.ts'

/** Checks of proxies, and the echo that their probes ask for. */
export function checksPart(deps: CheckDeps, echo: Echo) {
  const bind = binding(deps)
  return {
    /** Whether proxies can be checked, and whether they are without being asked for. */
    enabled: deps.checks !== undefined,
    regular: deps.checks?.regular ?? false,
    check: bind(checkProxy),
    list: bind(checksOfProxy),
    /** Answers the probes with address and nonce; undefined for a token that the service did not make. */
    echo: echo.answer,
    due: dueChecks(deps),
    asked: askedChecks(deps),
  }
}
