import { z } from 'zod'
import { ROLES } from '../../core/access/actor.ts'
import { PasswordChange } from '../../core/accounts/change-password.ts'
import { ServiceError } from '../../core/errors.ts'
import { Money } from '../../core/record.ts'
import { toNumber } from '../../core/money.ts'
import { endpoint, publicEndpoint } from '../endpoint.ts'

const Credentials = z.object({
  username: z.string().min(1).max(256),
  password: z.string().min(1).max(256),
})

const LoginResult = z.strictObject({
  token: z.string().meta({ description: 'JWT, to be sent as `Authorization: Bearer …`' }),
  token_type: z.string().meta({ description: 'Always `Bearer`' }),
  expires_in: z.int().meta({ description: 'Seconds' }),
  user: z.strictObject({
    id: z.int(),
    username: z.string(),
    balance: Money.schema,
    status: z.string(),
    role: z.enum(ROLES),
  }),
})

/** POST /auth/login (rules 2.2). */
export const logIn = publicEndpoint({
  name: 'logIn',
  method: 'POST',
  path: '/auth/login',
  tag: 'Authentication',
  summary: 'Log in',
  description:
    'Answers the access token for all other calls. After 10 failed log-ins for a username from one network, 30 from one network, or ' +
    '100 for a username (a network is an IPv4 /24 or an IPv6 /48), within 15 minutes further ones are refused with ' +
    '`too_many_attempts` until those age out. Where mail is configured, a new user with an ' +
    'e-mail address gets `account_not_activated` until it has opened the link that was mailed to it; when that has expired, the ' +
    'log-in sends another one.',
  body: Credentials,
  answer: LoginResult,
  errors: ['invalid_credentials', 'account_disabled', 'account_not_activated', 'too_many_attempts'],
  example: {
    body: { username: 'agent', password: 'agent-demo' },
    data: {
      token: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
      token_type: 'Bearer',
      expires_in: 86_400,
      user: { id: 1, username: 'agent', balance: 1000, status: 'active', role: 'agent' },
    },
  },
  async handle({ core, body, address }) {
    const { account, token, expiresIn } = await core.accounts.logIn({ ...body, address })
    const { id, username, status, role } = account
    return {
      token,
      token_type: 'Bearer',
      expires_in: expiresIn,
      user: { id, username, balance: toNumber(account.balance), status, role },
    }
  },
})

/** POST /auth/logout (rules 1.18). */
export const logOut = endpoint({
  name: 'logOut',
  method: 'POST',
  path: '/auth/logout',
  tag: 'Authentication',
  scope: null,
  summary: 'Log out',
  description:
    'Ends the access token with which it is called; others of the account, its API keys and its chats stay logged in.',
  answer: z.null(),
  example: { data: null },
  async handle({ core, token }, actor) {
    if (token === undefined) throw new ServiceError('token_missing')
    await core.accounts.logOut(actor, token)
    return null
  },
})

const NewToken = LoginResult.omit({ user: true })

/** PUT /open/app/user/password (rules 1.18). */
export const changePassword = endpoint({
  name: 'changePassword',
  method: 'PUT',
  path: '/open/app/user/password',
  tag: 'Users',
  scope: null,
  summary: 'Change the own password',
  description:
    'Ends all access tokens of the account, also this one, and its chats are logged out; the answer is a new token. API keys go on. ' +
    'The old password is throttled as at the log-in.',
  body: z.object({
    old_password: PasswordChange.shape.oldPassword.max(256).meta({ description: 'The password until now' }),
    new_password: PasswordChange.shape.newPassword.meta({ description: '6-50 characters' }),
  }),
  answer: NewToken,
  errors: ['invalid_credentials', 'too_many_attempts'],
  example: {
    body: { old_password: 'agent-demo', new_password: 'another-password' },
    data: {
      token: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
      token_type: 'Bearer',
      expires_in: 86_400,
    },
  },
  async handle({ core, body }, actor) {
    const { old_password: oldPassword, new_password: newPassword } = body
    const { token, expiresIn } = await core.accounts.changePasswordForToken(actor, {
      oldPassword,
      newPassword,
    })
    return { token, token_type: 'Bearer', expires_in: expiresIn }
  },
})
