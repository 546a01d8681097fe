import { API_KEY_SCOPES } from '../../../core/api-keys/api-key.ts'
import { NewApiKey } from '../../../core/api-keys/manage-api-keys.ts'
import { parseInput } from '../../../core/errors.ts'
import { halfWidth } from '../../../core/half-width.ts'
import { randomText } from '../../../core/ids.ts'
import { KEYS } from '../../actions/programs.ts'
import { nextQuestion, type Outcome, type Question } from '../../dialogue/ask.ts'
import { promptScreen } from '../../kit/simple-screens.ts'
import { typedList } from '../../kit/typed-list.ts'
import type { BotContext } from '../../session/context.ts'
import { viewOf } from '../../session/view-of.ts'
import type { Actor } from '../../../core/access/actor.ts'
import { ANYWHERE, type KeyForm, keyFormPrompt, MAKE, newKeyScreen, termOf } from './api-key-screens.ts'

/** Returns the empty form. Its request key makes a repeated last answer create one key only. */
export function newApiKey(): KeyForm {
  return { requestKey: `chat-${randomText(24)}`, name: '', scopes: ['read'], addresses: [], days: null }
}

/** The question for the key's name. */
export const keyName: Question<KeyForm> = {
  name: 'programs.key.name',
  prompt: ({ texts }) => promptScreen(texts, texts.programs.askName, KEYS.list.data({})),
  answer: (_ctx, _actor, form, text) =>
    nextQuestion(keyForm, { ...form, ...parseInput(NewApiKey.pick({ name: true }), { name: text }) }),
}

/** The question for the key's scopes and term; addresses are typed. */
const keyForm: Question<KeyForm> = {
  name: 'programs.key.form',
  prompt: (ctx, _actor, form) => keyFormPrompt(viewOf(ctx), form),
  answer: (_ctx, _actor, form, text) => {
    const typed = { addresses: typedList(halfWidth(text)) }
    const { addresses } = parseInput(NewApiKey.pick({ addresses: true }), typed)
    return nextQuestion(keyForm, { ...form, addresses: addresses?.map(({ cidr }) => cidr) ?? [] })
  },
  choose: (ctx, actor, form, choice) => {
    const scope = API_KEY_SCOPES.find((each) => each === choice)
    const days = termOf(choice)
    if (choice === MAKE) return make(ctx, actor, form)
    if (choice === ANYWHERE) return nextQuestion(keyForm, { ...form, addresses: [] })
    if (days !== undefined) return nextQuestion(keyForm, { ...form, days })
    if (!scope) return { problem: ctx.texts.useButtons }
    const scopes = form.scopes.includes(scope)
      ? form.scopes.filter((each) => each !== scope)
      : [...form.scopes, scope]
    return nextQuestion(keyForm, { ...form, scopes })
  },
}

async function make(ctx: BotContext, actor: Actor, form: KeyForm): Promise<Outcome> {
  if (form.scopes.length === 0) return { problem: ctx.texts.programs.noScope }
  return { screen: newKeyScreen(viewOf(ctx), await ctx.core.apiKeys.create(actor, form)) }
}

export const apiKeyQuestions = [keyName, keyForm]
