import { z } from 'zod'
import { ServiceError } from '../../core/errors.ts'
import { FALLBACK_LANGUAGE } from '../../core/languages.ts'
import { SessionRecord } from '../../core/people/web-log-ins.ts'
import { SESSION_COOKIE } from '../authentication.ts'
import { type Endpoint, operatorEndpoint, publicEndpoint } from '../endpoint.ts'
import { logInPage } from './log-in-page.ts'

const TAG = 'Authentication'
const MAX_CODE = 100
const EXAMPLE = SessionRecord.show({
  person: 'Olga',
  role: 'finance',
  permissions: ['money', 'payments', 'profit'],
  expiresAt: '2026-11-21T05:57:00.123Z',
})
const TOKEN = 'prs_dGhlIHRva2VuIG9mIGEgc2Vzc2lvbiwgMzIgYnl0ZXM'
const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
const PATH = '/log-in'
const Code = z.string().max(MAX_CODE)

/** POST /session: a program opens the link of a chat. */
const logIn = publicEndpoint({
  name: 'logIn',
  method: 'POST',
  path: '/session',
  tag: TAG,
  summary: 'Log in by the code of a link',
  description:
    'The code is what follows `code=` in the link that the chat shows. It works once, for 5 minutes.',
  body: z.object({ code: Code }),
  answer: SessionRecord.schema.extend({
    token: z.string().meta({ description: 'For `Authorization: Bearer`' }),
  }),
  errors: ['token_invalid'],
  example: { body: { code: 'bm9ib2R5IGtub3dzIGl0' }, data: { ...EXAMPLE, token: TOKEN } },
  async handle({ core, body, program }) {
    const { token, session } = await core.people.openLogIn(body.code, program)
    return { ...SessionRecord.show(session), token }
  },
})

const whoAmI = operatorEndpoint({
  name: 'session',
  method: 'GET',
  path: '/session',
  tag: TAG,
  summary: 'Who is logged in, and what that allows',
  answer: SessionRecord.schema,
  handle: (_call, { session }) => Promise.resolve(SessionRecord.show(session)),
})

const logOut = operatorEndpoint({
  name: 'logOut',
  method: 'DELETE',
  path: '/session',
  tag: TAG,
  summary: 'Log out',
  answer: z.null(),
  async handle({ core, setHeader }, { token }) {
    await core.people.endLogIn(token)
    setHeader('set-cookie', cookie('', new Date(0)))
    return null
  },
})

const Query = z.object({ code: Code.catch('').meta({ description: 'From the link' }) })
const STATUSES = {
  303: 'Logged in: the browser goes on to the interface',
  410: 'The link is not, or no longer, good',
}

/** GET /log-in: the page behind the link. It changes nothing, as programs that examine messages open links, too. */
const openLink = publicEndpoint({
  name: 'logInPage',
  method: 'GET',
  path: PATH,
  tag: TAG,
  summary: 'The page behind the link that the chat shows',
  query: Query,
  mediaType: 'text/html',
  answer: z.string(),
  example: { query: { code: 'bm9ib2R5IGtub3dzIGl0' }, data: logInPage(FALLBACK_LANGUAGE, true) },
  handle({ language, setHeader }) {
    setHeader('content-security-policy', PAGE_POLICY)
    return Promise.resolve(logInPage(language, true))
  },
})

/** POST /log-in: its button. The browser keeps the token in a cookie that no script can read, and that other sites cannot send. */
const pressLogIn = publicEndpoint({
  name: 'confirmLogIn',
  method: 'POST',
  path: PATH,
  tag: TAG,
  summary: 'Log in with a browser',
  query: Query,
  form: true,
  mediaType: 'text/html',
  statuses: STATUSES,
  answer: z.string(),
  example: { query: { code: 'bm9ib2R5IGtub3dzIGl0' }, data: '' },
  async handle({ core, query, language, program, baseUrl, setHeader, setStatus }) {
    setHeader('content-security-policy', PAGE_POLICY)
    const opened = await core.people.openLogIn(query.code, program).catch((error: unknown) => {
      if (error instanceof ServiceError && error.code === 'token_invalid') return undefined
      throw error
    })
    if (!opened) {
      setStatus(410)
      return logInPage(language, false)
    }
    const until = new Date(opened.session.expiresAt)
    setHeader('set-cookie', cookie(opened.token, until, baseUrl.startsWith('https:')))
    setHeader('location', `${baseUrl}/docs/`)
    setStatus(303)
    return ''
  },
})

function cookie(token: string, until: Date, secure = false): string {
  return `${SESSION_COOKIE}=${token}; Path=/operator; Expires=${until.toUTCString()}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`
}

/** How those who run the shop log in outside of Telegram (rules 14.11). */
export const sessionEndpoints: readonly Endpoint[] = [logIn, whoAmI, logOut, openLink, pressLogIn]
