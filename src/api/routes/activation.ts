import { z } from 'zod'
import { publicEndpoint } from '../endpoint.ts'
import { activationPage } from '../wire/activation-page.ts'

/** The page shows who it is for and runs nothing. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** GET /auth/activate (rules 2.7). A link in a mail leads here, so the answer is a page. */
export const activate = publicEndpoint({
  name: 'activate',
  method: 'GET',
  path: '/auth/activate',
  tag: 'Authentication',
  summary: 'Activate an account',
  description:
    'Opened from the activation mail. The link works once, and for 72 hours after the mail. Answers a page for people in both ' +
    'languages: 200 when the account is active now, 410 when the link is not, or no longer, good.',
  query: z.object({
    // Whatever it is, people get a page and not a list of fields.
    token: z.string().max(512).catch('').meta({ description: 'From the mail' }),
  }),
  mediaType: 'text/html',
  statuses: { 410: 'The link is not, or no longer, good' },
  answer: z.string(),
  example: {
    query: { token: 'dGhlIHRva2VuIGZyb20gdGhlIG1haWwgaXMgbG9uZ2Vy' },
    data: activationPage({ username: 'customer' }),
  },
  async handle({ core, query, setHeader, setStatus }) {
    const account = await core.accounts.activate(query.token)
    if (!account) setStatus(410)
    setHeader('content-security-policy', PAGE_POLICY)
    return activationPage(account)
  },
})
