import { z } from 'zod'
import { TrafficMoveInput } from '../../core/traffic/adjust-sub-account-traffic.ts'
import { NewSubAccount } from '../../core/traffic/create-sub-account.ts'
import { SubAccountPasswordInput } from '../../core/traffic/set-sub-account-password.ts'
import { SubAccountStatusInput } from '../../core/traffic/set-sub-account-status.ts'
import {
  SUB_ACCOUNT_EXAMPLE,
  SUB_ACCOUNT_STATUSES,
  shownSubAccount,
  SubAccountSchema,
} from '../../core/traffic/sub-account.ts'
import { InvalidInput } from '../../core/errors.ts'
import { endpoint } from '../endpoint.ts'
import { List, listSchema } from '../envelope.ts'
import { ProductNo } from '../wire/numbers.ts'
import { recordId } from '../../core/identifiers.ts'
import { Traffic } from '../../core/record.ts'
import { toGigabytes } from '../../core/bytes.ts'
import { changes, idOfRecord, paging } from '../wire/query.ts'

const PATH = '/open/app/dynamic/sub-accounts'
const example = shownSubAccount(SUB_ACCOUNT_EXAMPLE)
const SUB_ACCOUNT_ID = { description: 'Id of the sub-account', example: 1 } as const
/** Settings that all of these endpoints share (rules 6.9): variant A has none of them. */
const COMMON = { variants: ['B'], tag: 'Dynamic sub-accounts' } as const

const Query = z.object({
  ...paging,
  ...changes,
  user_id: idOfRecord.optional().meta({ description: 'Of the traffic of this user' }),
  product_no: z.string().max(64).optional(),
  productNo: z.string().max(64).optional().meta({ description: 'Same as `product_no`' }),
  status: z.enum(SUB_ACCOUNT_STATUSES).optional().meta({ description: 'Sub-accounts in this state only' }),
  keyword: z.string().max(200).optional().meta({ description: 'Part of the username or the remark' }),
})

export const listSubAccounts = endpoint({
  name: 'listSubAccounts',
  ...COMMON,
  method: 'GET',
  path: PATH,
  scope: 'read',
  summary: 'Sub-accounts with their traffic as it stands',
  description: 'Newest first. Own ones and, for an agent, those of its direct sub-users.',
  query: Query,
  answer: listSchema(SubAccountSchema),
  example: {
    query: { product_no: 'DYN-1' },
    data: new List([example], { total: 1, page: 1, pageSize: 20 }),
  },
  async handle({ core, query }, actor) {
    const { page, status, keyword } = query
    const accounts = await core.traffic.listSubAccounts(actor, {
      page,
      status,
      keyword,
      pageSize: query.pageSize ?? query.page_size,
      userId: query.user_id,
      productNo: query.product_no ?? query.productNo,
      updatedSince: query.updated_since,
    })
    return new List(accounts.items.map(shownSubAccount), accounts)
  },
})

const { shape } = NewSubAccount
const CreateBody = NewSubAccount.extend({
  productNo: ProductNo,
  product_no: ProductNo,
  userId: shape.userId.meta({
    description: 'Whose traffic: the caller’s, or that of a direct sub-user of the calling agent',
  }),
  username: shape.username.meta({
    description: '3-32 letters, digits and underscores, unique at the gateway; made up when missing',
  }),
  password: shape.password.meta({
    description: '6-50 letters, digits and `._~-`; made up when missing',
  }),
  amount: shape.amount.meta({ description: 'GB to begin with, from the main account' }),
}).meta({ id: 'CreateSubAccount' })

export const createSubAccount = endpoint({
  name: 'createSubAccount',
  ...COMMON,
  method: 'POST',
  path: PATH,
  scope: 'traffic',
  summary: 'Create a sub-account',
  description:
    'A credential of its own at the gateway, with a part of the traffic of the main account. `productNo` is required: a dynamic ' +
    'product of which the user has bought.',
  body: CreateBody,
  answer: SubAccountSchema,
  errors: [
    'agent_required',
    'not_direct_sub_user',
    'account_disabled',
    'sub_user_not_found',
    'product_not_found',
    'username_taken',
    'traffic_not_available',
    'idempotency_conflict',
  ],
  idempotent: true,
  example: {
    body: { productNo: 'DYN-1', username: 'crawler_2', amount: 2 },
    data: { ...example, id: 2, username: 'crawler_2', used_traffic: 0, remaining_traffic: 2 },
  },
  async handle({ core, body, idempotencyKey, replayed }, actor) {
    const productNo = body.productNo ?? body.product_no
    if (!productNo) throw InvalidInput.of('productNo', 'required')
    const wanted = { ...body, productNo, requestKey: idempotencyKey }
    return shownSubAccount(replayed(await core.traffic.createSubAccount(actor, wanted)))
  },
})

export const getSubAccount = endpoint({
  name: 'getSubAccount',
  ...COMMON,
  method: 'GET',
  path: `${PATH}/:id`,
  params: { id: SUB_ACCOUNT_ID },
  scope: 'read',
  summary: 'A sub-account with its traffic as it stands',
  answer: SubAccountSchema,
  errors: ['sub_account_not_found'],
  example: { data: example },
  async handle({ core, params }, actor) {
    return shownSubAccount(await core.traffic.getSubAccount(actor, recordId(params.id)))
  },
})

const Deleted = z.strictObject({
  id: z.int(),
  status: z.literal('deleted'),
  returned_traffic: Traffic.schema.meta({ description: 'What went back to the main account, in GB' }),
})

export const deleteSubAccount = endpoint({
  name: 'deleteSubAccount',
  ...COMMON,
  method: 'DELETE',
  path: `${PATH}/:id`,
  params: { id: SUB_ACCOUNT_ID },
  scope: 'traffic',
  summary: 'Delete a sub-account',
  description: 'What it has not used returns to the main account. Its username is not given out again.',
  answer: Deleted,
  errors: ['sub_account_not_found'],
  example: { data: { id: 1, status: 'deleted', returned_traffic: 1.5 } },
  async handle({ core, params }, actor) {
    const { id, returned } = await core.traffic.deleteSubAccount(actor, recordId(params.id))
    return { id, status: 'deleted' as const, returned_traffic: toGigabytes(returned) }
  },
})

export const adjustSubAccountTraffic = endpoint({
  name: 'adjustSubAccountTraffic',
  ...COMMON,
  method: 'POST',
  path: `${PATH}/:id/traffic`,
  params: { id: SUB_ACCOUNT_ID },
  scope: 'traffic',
  summary: 'Allocate traffic, or take it back',
  description: 'A positive `amount` (GB) goes from the main account to the sub-account, a negative one back.',
  body: TrafficMoveInput.extend({
    amount: TrafficMoveInput.shape.amount.meta({
      description: 'GB with at most 3 decimals, not 0, from -10,000 to 10,000',
    }),
  }).meta({ id: 'TrafficMove' }),
  answer: SubAccountSchema,
  idempotent: true,
  errors: ['sub_account_not_found', 'traffic_not_available', 'idempotency_conflict'],
  example: { body: { amount: 1, remark: 'for October' }, data: example },
  async handle({ core, params, body, idempotencyKey, replayed }, actor) {
    const move = { ...body, requestKey: idempotencyKey }
    return shownSubAccount(
      replayed(await core.traffic.adjustSubAccountTraffic(actor, recordId(params.id), move)),
    )
  },
})

export const setSubAccountStatus = endpoint({
  name: 'setSubAccountStatus',
  ...COMMON,
  method: 'PATCH',
  path: `${PATH}/:id/status`,
  params: { id: SUB_ACCOUNT_ID },
  scope: 'traffic',
  summary: 'Enable or disable a sub-account',
  body: SubAccountStatusInput.meta({ id: 'SubAccountStatus' }),
  answer: SubAccountSchema,
  errors: ['sub_account_not_found'],
  example: { body: { status: 'disabled' }, data: { ...example, status: 'disabled' } },
  async handle({ core, params, body }, actor) {
    return shownSubAccount(await core.traffic.setSubAccountStatus(actor, recordId(params.id), body))
  },
})

export const setSubAccountPassword = endpoint({
  name: 'setSubAccountPassword',
  ...COMMON,
  method: 'PATCH',
  path: `${PATH}/:id/password`,
  params: { id: SUB_ACCOUNT_ID },
  scope: 'traffic',
  summary: 'Change the proxy password of a sub-account',
  body: SubAccountPasswordInput.extend({
    password: SubAccountPasswordInput.shape.password.meta({
      description: '6-50 letters, digits and `._~-`; made up when missing',
    }),
  })
    .prefault({})
    .meta({ id: 'SubAccountPassword' }),
  answer: SubAccountSchema,
  errors: ['sub_account_not_found'],
  example: { body: {}, data: example },
  async handle({ core, params, body }, actor) {
    return shownSubAccount(await core.traffic.setSubAccountPassword(actor, recordId(params.id), body))
  },
})
