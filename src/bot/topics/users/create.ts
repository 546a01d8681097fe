import { type Actor, requireAgent } from '../../../core/access/actor.ts'
import type { CreatedSubUser, SubUserOfMany } from '../../../core/accounts/create-sub-users.ts'
import { LIST_COLUMNS, type ListedSubUser, readSubUserList } from '../../../core/accounts/sub-user-list.ts'
import { type BadLine, writeCsv } from '../../../core/csv.ts'
import { InvalidInput, ServiceError } from '../../../core/errors.ts'
import { toNumber, toText } from '../../../core/money.ts'
import { USERS } from '../../actions/users.ts'
import { ask, nextQuestion, type Outcome, type Question } from '../../dialogue/ask.ts'
import { issueText, ruleText } from '../../kit/errors.ts'
import { amountIn } from '../../kit/typed-number.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { viewOf } from '../../session/view-of.ts'
import { withProgress } from '../../session/with-progress.ts'
import type { Texts } from '../../texts/index.ts'
import {
  CHOICE,
  confirmListPrompt,
  confirmUserPrompt,
  createdScreen,
  hasNewPassword,
  listCreatedScreen,
  listPrompt,
  type Part,
  partPrompt,
  PARTS,
} from './create-prompts.ts'

/** Bad lines of a list that are named one by one: a message has its limits. */
const FAULTS_SHOWN = 20

/** An agent creates sub-users: one by questions, or many from a list. */
export function createUsersFeature(): Feature {
  const feature = new Feature()
  feature.onMember(USERS.create, async (ctx, actor) => {
    requireAgent(actor)
    await ask(ctx, parts.username, {})
    return undefined
  })
  feature.onMember(USERS.createMany, async (ctx, actor) => {
    requireAgent(actor)
    await ask(ctx, userList, [])
    return undefined
  })
  return feature
}

/** What is known of a new sub-user; its name from the first answer on. */
type Draft = Partial<SubUserOfMany>

/** A typed balance, in units of the currency; for what is no amount -1, which is refused. */
function balanceIn({ core }: BotContext, text: string): number {
  const micros = amountIn(text, core.currency)
  return micros === undefined ? -1 : toNumber(micros)
}

/** A question for one part. */
function part(name: Part): Question<Draft> {
  return {
    name: `users.new.${name}`,
    prompt: async (ctx, actor, draft) => {
      const { balance } = await ctx.core.accounts.balance(actor)
      return partPrompt(viewOf(ctx), name, draft, balance)
    },
    answer: async (ctx, actor, draft, text) => {
      const user = { ...draft, [name]: name === 'balance' ? balanceIn(ctx, text) : text }
      // All of it is checked, so that what cannot be created is refused at the question that it is about.
      await ctx.core.accounts.planSubUsers(actor, [complete(user)])
      return after(name, user)
    },
    choose: (ctx, actor, draft, choice) => {
      if (choice === CHOICE.skipAll && name !== 'username') return nextQuestion(confirmUser, draft)
      if (choice === CHOICE.skip || choice === CHOICE.make) return after(name, draft)
      return parts[name].answer(ctx, actor, draft, choice)
    },
  }
}

const parts = {
  username: part('username'),
  password: part('password'),
  email: part('email'),
  phone: part('phone'),
  balance: part('balance'),
  remark: part('remark'),
} satisfies Record<Part, Question<Draft>>

function after(name: Part, user: Draft): Outcome {
  const next = PARTS[PARTS.indexOf(name) + 1]
  return next ? nextQuestion(parts[next], user) : nextQuestion(confirmUser, user)
}

const confirmUser: Question<Draft> = {
  name: 'users.new.confirm',
  prompt: async (ctx, actor, draft) => {
    const user = complete(draft)
    return confirmUserPrompt(viewOf(ctx), user, await ctx.core.accounts.planSubUsers(actor, [user]))
  },
  answer: ({ texts }) => ({ problem: texts.users.pressButton }),
  choose: async (ctx, actor, draft, choice) => {
    if (choice !== CHOICE.create) return { problem: ctx.texts.users.pressButton }
    const { users, agentBalanceAfter } = await ctx.core.accounts.createSubUsers(actor, [complete(draft)])
    const [user] = users
    if (!user) throw new Error('no sub-user was created')
    return { screen: createdScreen(viewOf(ctx), user, agentBalanceAfter) }
  },
}

/** A list that is pasted, perhaps in several messages, or sent as a file. */
const userList: Question<readonly ListedSubUser[]> = {
  name: 'users.list',
  takesFile: true,
  prompt: (ctx) => listPrompt(viewOf(ctx)),
  answer: addLines,
}

const confirmList: Question<readonly ListedSubUser[]> = {
  name: 'users.list.confirm',
  takesFile: true,
  prompt: async (ctx, actor, list) => {
    const users = usersOf(list)
    return confirmListPrompt(viewOf(ctx), users, await ctx.core.accounts.planSubUsers(actor, users))
  },
  answer: addLines,
  choose: async (ctx, actor, list, choice) => {
    if (choice !== CHOICE.create) return { problem: ctx.texts.users.pressButton }
    const { createMany } = ctx.texts.users
    const { users, ...plan } = await withProgress(ctx, createMany.working, (tell) =>
      ctx.core.accounts.createSubUsers(actor, usersOf(list), tell),
    )
    return {
      screen: listCreatedScreen(viewOf(ctx), users, plan),
      ...(users.some(hasNewPassword) && {
        attachment: { name: 'users.csv', content: await logInFile(users), lost: createMany.fileLost },
      }),
    }
  },
  working: ({ users }) => users.createMany.working,
}

export const creationQuestions = [...Object.values(parts), confirmUser, userList, confirmList]

/** Adds lines to the list, if all of them are good. */
async function addLines(
  ctx: BotContext,
  actor: Actor,
  list: readonly ListedSubUser[],
  text: string,
): Promise<Outcome> {
  const added = linesOf(ctx.texts, text)
  if ('problem' in added) return added
  const longer = [...list, ...added.lines]
  try {
    await ctx.core.accounts.planSubUsers(actor, usersOf(longer))
  } catch (error) {
    if (error instanceof InvalidInput) return { problem: issuesText(ctx.texts, error, longer) }
    throw error
  }
  return nextQuestion(confirmList, longer)
}

function linesOf(texts: Texts, text: string): { lines: ListedSubUser[] } | { problem: string } {
  try {
    const lines = readSubUserList(text)
    return lines.length > 0 ? { lines } : { problem: texts.users.createMany.empty }
  } catch (error) {
    const bad = error instanceof ServiceError && (error.data?.['errors'] as readonly BadLine[] | undefined)
    if (!bad) throw error
    return {
      problem: faultsText(
        texts,
        bad.map(({ line, message }) => texts.users.createMany.badLine(line, ruleText(texts, message))),
      ),
    }
  }
}

/** What is wrong with which line. */
function issuesText(texts: Texts, { issues }: InvalidInput, list: readonly ListedSubUser[]): string {
  const { createMany, parts: names } = texts.users
  const faults = issues.map((issue) => {
    const [index, field] = issue.path
    const listed = list[Number(index)]
    const problem = issueText(texts, issue)
    return listed
      ? { line: listed.line, text: createMany.badLine(listed.line, problem, names[field as Part]) }
      : { line: 0, text: problem }
  })
  return faultsText(
    texts,
    faults.toSorted((a, b) => a.line - b.line).map(({ text }) => text),
  )
}

function faultsText(texts: Texts, faults: readonly string[]): string {
  const more =
    faults.length > FAULTS_SHOWN ? [texts.users.createMany.moreFaults(faults.length - FAULTS_SHOWN)] : []
  return [texts.users.createMany.notTaken, ...faults.slice(0, FAULTS_SHOWN), ...more].join('\n')
}

function usersOf(list: readonly ListedSubUser[]): SubUserOfMany[] {
  return list.map(({ user }) => user)
}

function complete(draft: Draft): SubUserOfMany {
  return { username: '', ...draft }
}

/** The new accounts as a file for the agent, with the passwords that were made here: they cannot be read again. */
function logInFile(users: readonly CreatedSubUser[]): Promise<string> {
  return writeCsv(LIST_COLUMNS, users, (user) =>
    LIST_COLUMNS.map((column) => (column === 'balance' ? toText(user.balance) : (user[column] ?? ''))),
  )
}
