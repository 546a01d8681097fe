import { z } from 'zod'
import { JOIN_LINK, JOIN_LINK_EXAMPLE, NewJoinLink } from '../../core/accounts/join-links.ts'
import { endpoint } from '../endpoint.ts'
import { List, listSchema } from '../envelope.ts'
import { recordId } from '../../core/identifiers.ts'
import { record } from '../../core/record.ts'
import { paging } from '../wire/query.ts'

const TAG = 'Sub-users'

const names = { state: 'status' } as const
const JoinLinkRecord = record(JOIN_LINK, { id: 'JoinLink', names })
const start = z
  .string()
  .meta({ description: 'The link is `https://t.me/{bot}?start={start}`; lists do not tell it again' })
const link = z.string().nullable().meta({
  description:
    'The link: to the bot of the agent where it has one that works, else to that of the shop; null: not known yet',
})
const NewJoinLinkRecord = record({ ...JOIN_LINK, start, link }, { id: 'NewJoinLink', names })

/** POST /open/app/agent/join-links (rules 2.21). */
export const createJoinLink = endpoint({
  name: 'createJoinLink',
  method: 'POST',
  path: '/open/app/agent/join-links',
  tag: TAG,
  scope: 'sub-users',
  summary: 'Make a registration link',
  description:
    'Whoever opens it in Telegram can register as a sub-user of the agent. The start balance leaves the balance of the agent with ' +
    'each newcomer (unless its funding is `mint`); while the agent cannot pay it, newcomers get none.',
  body: NewJoinLink.extend({
    trial: NewJoinLink.shape.trial.meta({ description: 'What each newcomer starts with' }),
    budget: NewJoinLink.shape.budget.meta({
      description: 'What all start balances may cost; missing or null: no limit',
    }),
    maxUses: NewJoinLink.shape.maxUses.meta({
      description: 'How many can register; missing or null: no limit',
    }),
    days: NewJoinLink.shape.days.meta({
      description: 'After so many days it expires; missing or null: never',
    }),
  }).meta({ id: 'CreateJoinLink' }),
  answer: NewJoinLinkRecord.schema,
  idempotent: true,
  errors: ['agent_required', 'idempotency_conflict'],
  example: {
    body: { trial: 1, budget: 50, maxUses: 100, days: 30 },
    data: NewJoinLinkRecord.show({
      ...JOIN_LINK_EXAMPLE,
      uses: 0,
      spent: 0,
      start: 'join_9Fz0M3Jg1xkq7Qn2bV5cT8yR4uW6eA0sD1fG2hJ3kL4',
      link: 'https://t.me/palace_bot?start=join_9Fz0M3Jg1xkq7Qn2bV5cT8yR4uW6eA0sD1fG2hJ3kL4',
    }),
  },
  async handle({ core, body, idempotencyKey, replayed }, actor) {
    const link = replayed(await core.accounts.createJoinLink(actor, { ...body, requestKey: idempotencyKey }))
    const bot = (await core.bots.ofLink(link.start)) ?? (await core.database.bot())?.username
    const url = bot === undefined ? null : `https://t.me/${bot}?start=${link.start}`
    return NewJoinLinkRecord.show({ ...link, link: url })
  },
})

/** GET /open/app/agent/join-links (rules 2.21). */
export const listJoinLinks = endpoint({
  name: 'listJoinLinks',
  method: 'GET',
  path: '/open/app/agent/join-links',
  tag: TAG,
  scope: 'read',
  summary: 'Registration links',
  description: 'Newest first.',
  query: z.object(paging),
  answer: listSchema(JoinLinkRecord.schema),
  errors: ['agent_required'],
  example: { data: new List([JoinLinkRecord.show(JOIN_LINK_EXAMPLE)], { total: 1, page: 1, pageSize: 20 }) },
  async handle({ core, query }, actor) {
    const { page, pageSize = query.page_size } = query
    const links = await core.accounts.listJoinLinks(actor, { page, pageSize })
    return new List(links.items.map(JoinLinkRecord.show), links)
  },
})

/** DELETE /open/app/agent/join-links/{link_id} (rules 2.21). */
export const revokeJoinLink = endpoint({
  name: 'revokeJoinLink',
  method: 'DELETE',
  path: '/open/app/agent/join-links/:link_id',
  params: { link_id: { description: 'Id of the link', example: 1 } },
  tag: TAG,
  scope: 'sub-users',
  summary: 'Revoke a registration link',
  description: 'Who has registered by it stays.',
  answer: JoinLinkRecord.schema,
  errors: ['agent_required', 'join_link_not_found'],
  example: {
    data: JoinLinkRecord.show({
      ...JOIN_LINK_EXAMPLE,
      state: 'revoked',
      revokedAt: '2026-11-21T17:57:00.123Z',
    }),
  },
  handle: async ({ core, params }, actor) =>
    JoinLinkRecord.show(await core.accounts.revokeJoinLink(actor, recordId(params.link_id))),
})
