import { z } from 'zod'
import { publicEndpoint } from '../endpoint.ts'
import { activationPage } from '../wire/activation-page.ts'

/** The page shows who it is for, has one button, and runs nothing. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

const PATH = '/auth/activate'
const TAG = 'Authentication'
const STATUSES = { 410: 'The link is not, or no longer, good' }
const Query = z.object({
  // With an invalid token, people still get a page, not a list of fields.
  token: z.string().max(512).catch('').meta({ description: 'From the mail' }),
})
const TOKEN = { token: 'dGhlIHRva2VuIGZyb20gdGhlIG1haWwgaXMgbG9uZ2Vy' }

/** GET /auth/activate (rules 2.7). A link in a mail leads here, so the answer is a page. */
export const activate = publicEndpoint({
  name: 'activate',
  method: 'GET',
  path: PATH,
  tag: TAG,
  summary: 'The page behind the link in an activation mail',
  description:
    'Changes nothing, as programs that examine mails open links, too. Answers a page for people in every language: 200 with a ' +
    'button that activates the account, or with the word that it is active by this link already; 410 when the link is not, or no ' +
    'longer, good.',
  query: Query,
  mediaType: 'text/html',
  statuses: STATUSES,
  answer: z.string(),
  example: { query: TOKEN, data: activationPage({ username: 'customer', state: 'waiting' }) },
  async handle({ core, query, setHeader, setStatus }) {
    const link = await core.accounts.activationLink(query.token)
    if (!link) setStatus(410)
    setHeader('content-security-policy', PAGE_POLICY)
    return activationPage(link)
  },
})

/** POST /auth/activate (rules 2.7): the button of that page. */
export const confirmActivation = publicEndpoint({
  name: 'confirmActivation',
  method: 'POST',
  path: PATH,
  tag: TAG,
  summary: 'Activate an account',
  description:
    'What the button of `activate` does; takes the empty body of a form, too. The link works within 72 hours after the mail. ' +
    'Answers a page for people in every language: 200 when the account is active by this link, however often it is pressed; 410 ' +
    'when the link is not, or no longer, good.',
  query: Query,
  form: true,
  mediaType: 'text/html',
  statuses: STATUSES,
  answer: z.string(),
  example: { query: TOKEN, data: activationPage({ username: 'customer', state: 'activated' }) },
  async handle({ core, query, setHeader, setStatus }) {
    const link = await core.accounts.activate(query.token)
    if (!link) setStatus(410)
    setHeader('content-security-policy', PAGE_POLICY)
    return activationPage(link)
  },
})
