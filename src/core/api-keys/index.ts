import { binding } from '../binding.ts'
import type { Essentials } from '../jobs/essentials.ts'
import { createApiKey, getApiKey, listApiKeys, revokeApiKey } from './manage-api-keys.ts'

/** The keys with which programs act for an account. */
export function apiKeysPart(deps: Essentials) {
  const bind = binding(deps)
  return {
    create: bind(createApiKey),
    list: bind(listApiKeys),
    get: bind(getApiKey),
    revoke: bind(revokeApiKey),
  }
}
