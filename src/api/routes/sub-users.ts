import { z } from 'zod'
import { AdjustmentInput, SubUserAdjustmentRecord } from '../../core/accounts/adjust-balance.ts'
import { NewSubUser } from '../../core/accounts/create-account.ts'
import { AccountEdit } from '../../core/accounts/edit-sub-user-account.ts'
import { StatusChange } from '../../core/accounts/set-sub-user-status.ts'
import { NEW_SUB_USER_EXAMPLE, SUB_USER_EXAMPLE, USER_STATUSES } from '../../core/accounts/sub-user.ts'
import type { ErrorCode } from '../../core/errors.ts'
import { endpoint } from '../endpoint.ts'
import { List, listSchema } from '../envelope.ts'
import { recordId } from '../../core/identifiers.ts'
import { Money } from '../../core/record.ts'
import { toNumber } from '../../core/money.ts'
import { changes, flag, paging } from '../wire/query.ts'
import { subUserSchema, toSubUser } from '../wire/sub-user.ts'

const TAG = 'Sub-users'
/** Refusals of everything that is done to one sub-user. */
const TARGET_ERRORS: readonly ErrorCode[] = ['agent_required', 'not_direct_sub_user', 'sub_user_not_found']

const CreateBody = NewSubUser.extend({
  username: NewSubUser.shape.username.meta({
    description: '3-50 characters without spaces, unique without regard to case',
  }),
  email: NewSubUser.shape.email.meta({
    description: 'Where the service sends mail, the account is activated by a link that is mailed there',
  }),
  phone: NewSubUser.shape.phone.meta({ description: '11 digits' }),
  balance: NewSubUser.shape.balance.meta({ description: 'Initial balance; comes from the agent' }),
}).meta({ id: 'CreateUser' })

/** POST /open/app/user/v2 (rules 2.8). */
export const createSubUser = endpoint({
  name: 'createSubUser',
  method: 'POST',
  path: '/open/app/user/v2',
  tag: TAG,
  scope: 'sub-users',
  summary: 'Create a sub-user',
  description:
    'The initial balance leaves the balance of the agent (unless its funding is `mint`). Answers the sub-user record.',
  body: CreateBody,
  answer: subUserSchema,
  idempotent: true,
  errors: ['agent_required', 'username_taken', 'insufficient_balance', 'idempotency_conflict'],
  example: {
    body: { username: 'newcomer', password: 'newcomer-demo', phone: '13800138000', balance: 50 },
    data: (variant) => toSubUser(NEW_SUB_USER_EXAMPLE, variant),
  },
  async handle({ core, body, variant, idempotencyKey, replayed }, actor) {
    const user = await core.accounts.createSubUser(actor, { ...body, requestKey: idempotencyKey })
    return toSubUser(replayed(user), variant)
  },
})

const SubUserQuery = z.object({
  ...paging,
  ...changes,
  search: z
    .string()
    .max(100)
    .optional()
    .meta({ description: 'Part of the username, e-mail address or phone number' }),
  status: z.enum(USER_STATUSES).optional().meta({ description: 'Users in this state only' }),
  includeDeleted: flag
    .default(false)
    .meta({ description: 'Whether to include deleted accounts; `status=deleted` shows them anyway' }),
})

/** GET /open/app/agent/sub-users (rules 2.9). */
export const listSubUsers = endpoint({
  name: 'listSubUsers',
  method: 'GET',
  path: '/open/app/agent/sub-users',
  tag: TAG,
  scope: 'read',
  summary: 'Direct sub-users with their balances',
  description: 'Newest first.',
  query: SubUserQuery,
  answer: (variant) => listSchema(subUserSchema(variant)),
  errors: ['agent_required'],
  example: {
    query: { search: 'cust', status: 'active' },
    data: (variant) => new List([toSubUser(SUB_USER_EXAMPLE, variant)], { total: 1, page: 1, pageSize: 20 }),
  },
  async handle({ core, query, variant }, actor) {
    const { page, search, status, includeDeleted } = query
    const users = await core.accounts.listSubUsers(actor, {
      page,
      search,
      status,
      includeDeleted,
      pageSize: query.pageSize ?? query.page_size,
      updatedSince: query.updated_since,
    })
    return new List(
      users.items.map((user) => toSubUser(user, variant)),
      users,
    )
  },
})

/** GET /open/app/agent/sub-users/{user_id} (rules 5.29). */
export const getSubUser = endpoint({
  name: 'getSubUser',
  method: 'GET',
  path: '/open/app/agent/sub-users/:user_id',
  params: { user_id: { description: 'Id of the direct sub-user', example: 2 } },
  tag: TAG,
  scope: 'read',
  summary: 'A direct sub-user with its balance',
  description: 'A deleted one, too.',
  answer: subUserSchema,
  errors: TARGET_ERRORS,
  example: { data: (variant) => toSubUser(SUB_USER_EXAMPLE, variant) },
  handle: async ({ core, params, variant }, actor) =>
    toSubUser(await core.accounts.getSubUser(actor, recordId(params.user_id)), variant),
})

/** POST /open/app/agent/sub-users/{user_id}/balance (rules 2.15). */
export const adjustSubUserBalance = endpoint({
  name: 'adjustSubUserBalance',
  method: 'POST',
  path: '/open/app/agent/sub-users/:user_id/balance',
  params: { user_id: { description: 'Id of the direct sub-user', example: 2 } },
  tag: TAG,
  scope: 'sub-users',
  summary: 'Adjust the balance of a direct sub-user',
  description:
    'What the sub-user gains leaves the balance of the agent, what is deducted returns to it (unless its funding is `mint`). ' +
    '`balance_below_zero` is about the balance of the sub-user, `insufficient_balance` about that of the agent.',
  body: AdjustmentInput.extend({
    amount: AdjustmentInput.shape.amount.meta({ description: 'Positive adds, negative deducts' }),
  }),
  answer: SubUserAdjustmentRecord.schema,
  idempotent: true,
  errors: [...TARGET_ERRORS, 'insufficient_balance', 'balance_below_zero', 'idempotency_conflict'],
  example: {
    body: { amount: 12.5, remark: 'Paid in cash' },
    data: {
      user_id: 2,
      username: 'customer',
      amount: 12.5,
      old_balance: 37.5,
      new_balance: 50,
      agent_balance: 987.5,
      transaction_no: 'T20261120175700123Q2W3E4R5',
      remark: 'Paid in cash',
    },
  },
  async handle({ core, params, body, idempotencyKey, replayed }, actor) {
    const change = { ...body, requestKey: idempotencyKey }
    const done = replayed(await core.accounts.adjustSubUserBalance(actor, recordId(params.user_id), change))
    return SubUserAdjustmentRecord.show(done)
  },
})

/** PATCH /open/app/agent/sub-users/{user_id}/account (rules 2.10). */
export const editSubUserAccount = endpoint({
  name: 'editSubUserAccount',
  method: 'PATCH',
  path: '/open/app/agent/sub-users/:user_id/account',
  params: { user_id: { description: 'Id of the direct sub-user', example: 3 } },
  tag: TAG,
  scope: 'sub-users',
  summary: 'Edit the log-in of a direct sub-user',
  description:
    'At least one of the two. A new password ends all access tokens and chat log-ins of the user at once. Only the log-in to ' +
    'this service changes, not that of any proxy.',
  body: AccountEdit,
  answer: subUserSchema,
  errors: [...TARGET_ERRORS, 'username_taken'],
  example: {
    body: { username: 'lena_2', password: 'another-password' },
    data: (variant) => toSubUser({ ...SUB_USER_EXAMPLE, id: 3, username: 'lena_2' }, variant),
  },
  async handle({ core, params, body, variant }, actor) {
    return toSubUser(await core.accounts.editSubUserAccount(actor, recordId(params.user_id), body), variant)
  },
})

/** PATCH /open/app/agent/sub-users/{user_id}/status (rules 2.11). */
export const setSubUserStatus = endpoint({
  name: 'setSubUserStatus',
  method: 'PATCH',
  path: '/open/app/agent/sub-users/:user_id/status',
  params: { user_id: { description: 'Id of the direct sub-user', example: 3 } },
  tag: TAG,
  scope: 'sub-users',
  summary: 'Enable or disable a direct sub-user',
  description: 'A disabled user is refused at once, whatever token it has.',
  body: StatusChange,
  answer: subUserSchema,
  errors: TARGET_ERRORS,
  example: {
    body: { status: 'disabled' },
    data: (variant) =>
      toSubUser({ ...SUB_USER_EXAMPLE, id: 3, username: 'lena', status: 'disabled' }, variant),
  },
  async handle({ core, params, body, variant }, actor) {
    return toSubUser(await core.accounts.setSubUserStatus(actor, recordId(params.user_id), body), variant)
  },
})

const DeletionResult = z.strictObject({
  id: z.int(),
  status: z.literal('deleted'),
  returned_balance: Money.schema.meta({ description: 'What went back to the agent' }),
})

/** DELETE /open/app/agent/sub-users/{user_id} (rules 2.12). */
export const deleteSubUser = endpoint({
  name: 'deleteSubUser',
  method: 'DELETE',
  path: '/open/app/agent/sub-users/:user_id',
  params: { user_id: { description: 'Id of the direct sub-user', example: 3 } },
  tag: TAG,
  scope: 'sub-users',
  summary: 'Delete a direct sub-user',
  description:
    'The record stays, and its username is not free again. The rest of the balance goes back to the agent (unless its funding ' +
    'is `mint`), and so does what is refunded later.',
  answer: DeletionResult,
  errors: TARGET_ERRORS,
  example: { data: { id: 3, status: 'deleted', returned_balance: 37.5 } },
  async handle({ core, params }, actor) {
    const { id, returnedBalance } = await core.accounts.deleteSubUser(actor, recordId(params.user_id))
    return { id, status: 'deleted' as const, returned_balance: toNumber(returnedBalance) }
  },
})
