import type { AgentPriceTerms } from '../../../core/catalog/price-limits.ts'
import type { AgentOverview } from '../../../core/accounts/list-agents.ts'
import { adjusted } from '../../../core/accounts/plan-adjustment.ts'
import { AGENTS } from '../../actions/agents.ts'
import { CUSTOMERS } from '../../actions/customers.ts'
import { operatorButton } from '../../actions/operator.ts'
import { AGENT_BOTS } from '../../actions/own-bots.ts'
import type { Prompt } from '../../dialogue/prompt.ts'
import { amount, balanceText, figure, signed } from '../../kit/format.ts'
import { pageOf, pager } from '../../kit/pager.ts'
import type { Screen } from '../../kit/screen.ts'
import { promptScreen } from '../../kit/simple-screens.ts'
import type { View } from '../../kit/view.ts'
import { type Html, lines } from '../../texts/html.ts'
import type { Texts } from '../../texts/index.ts'

const AGENTS_PER_PAGE = 8

/** @param haveBots whether agents may have bots of their own */
export function agentsScreen(
  { texts, currency }: View,
  agents: readonly AgentOverview[],
  { terms, haveBots }: { readonly terms: AgentPriceTerms; readonly haveBots: boolean },
  wanted: number,
): Screen {
  const { agents: words } = texts
  const { items, page, pages } = pageOf(agents, wanted, AGENTS_PER_PAGE)
  return {
    text: lines(
      agents.length === 0 ? words.none : words.title(agents.length),
      '',
      words.priceTerms(terms.limit, amount(terms.step, currency)),
    ),
    buttons: [
      ...items.map(({ id, username, status, balance }) => [
        {
          text: words.button(status === 'active' ? '👤' : '🚫', username, balanceText(balance, currency)),
          name: username,
          data: AGENTS.agent.data({ id }),
        },
      ]),
      ...pager(texts, page, pages, (to) => AGENTS.list.data({ page: to })),
      [{ text: words.buttons.create, data: AGENTS.create.data() }],
      [{ text: words.buttons.priceTerms, data: AGENTS.priceTerms.data() }],
      haveBots ? [{ text: texts.ownBots.all.button, data: AGENT_BOTS.list.data() }] : [],
      [operatorButton(texts)],
    ],
  }
}

const LIMITS = [2, 5, 10, 20]
/** Rounding steps of markups to choose from, in micros. */
const STEPS = [1, 10_000, 100_000]

/** Asks for the bounds within which agents set prices. */
export function priceTermsPrompt(view: View, { limit, step }: AgentPriceTerms): Prompt {
  const { texts, currency } = view
  const { agents } = texts
  const { text, buttons } = promptScreen(
    texts,
    agents.askPriceTerms(limit, amount(step, currency)),
    AGENTS.list.data(),
  )
  return {
    text,
    buttons: [
      LIMITS.map((times) => ({ text: `×${times}`, answer: `×${times}` })),
      STEPS.map((micros) => ({ text: figure(micros), answer: `+${figure(micros)}` })),
      ...buttons,
    ],
  }
}

/** @param note outcome of the last change */
export function agentScreen({ texts, currency }: View, agent: AgentOverview, note?: Html): Screen {
  const { agents: words } = texts
  const { id, username, level, funding, status, balance, users, usersBalance } = agent
  return {
    text: lines(
      ...(note ? [note, '' as const] : []),
      words.agent(username),
      words.states[status],
      words.balance(balanceText(balance, currency)),
      words.level(level),
      words.funding(words.fundings[funding]),
      words.users(users, balanceText(usersBalance, currency)),
    ),
    buttons: [
      [
        { text: words.buttons.adjust, data: AGENTS.adjust.data({ id }) },
        { text: words.buttons.level, data: AGENTS.level.data({ id }) },
      ],
      [
        { text: words.buttons.link, data: AGENTS.link.data({ id }) },
        status === 'active'
          ? { text: words.buttons.disable, data: AGENTS.askDisable.data({ id }), style: 'danger' }
          : { text: words.buttons.enable, data: AGENTS.enable.data({ id, on: true }), style: 'success' },
      ],
      [{ text: words.buttons.funding, data: AGENTS.askFunding.data({ id }) }],
      [{ text: words.buttons.account, data: CUSTOMERS.customer.data({ id }) }],
      [{ text: texts.buttons.back, data: AGENTS.list.data() }, operatorButton(texts)],
    ],
  }
}

export const askNewScreen = (texts: Texts): Screen =>
  promptScreen(texts, texts.agents.askNew, AGENTS.list.data())

export function confirmNewPrompt({ agents, buttons }: Texts, typed: string): Prompt {
  return {
    text: agents.confirmNew(typed),
    buttons: [
      [{ text: agents.buttons.createNow, answer: 'create', style: 'success' }],
      [{ text: buttons.cancel, data: AGENTS.list.data() }],
    ],
  }
}

export const askLevelScreen = (texts: Texts, { id, username, level }: AgentOverview): Screen =>
  promptScreen(texts, texts.agents.askLevel(username, level), AGENTS.agent.data({ id }))

/** Asks whether to disable an agent; says what it can no longer do, and that its sub-users go on. */
export function askDisableScreen({ agents, buttons }: Texts, { id, username, users }: AgentOverview): Screen {
  return {
    text: agents.askDisable(username, users),
    buttons: [
      [{ text: agents.buttons.disable, data: AGENTS.enable.data({ id, on: false }), style: 'danger' }],
      [{ text: buttons.cancel, data: AGENTS.agent.data({ id }) }],
    ],
  }
}

/**
 * Asks whether to change the funding, the source of the money for sub-users.
 *
 * @param inTheWay whether deleted sub-users still hold newly created money, which blocks the change
 */
export function askFundingScreen(
  { agents, buttons }: Texts,
  { id, username, funding }: AgentOverview,
  inTheWay: boolean,
): Screen {
  const mint = funding === 'transfer'
  return {
    text: lines(
      agents.askFunding(username, mint),
      ...(inTheWay ? ['' as const, agents.deletedHaveMoney] : []),
    ),
    buttons: [
      inTheWay
        ? [
            {
              text: agents.buttons.clear,
              data: CUSTOMERS.change.data({ change: 'clear', subject: String(id) }),
            },
          ]
        : [
            {
              text: agents.buttons.changeFunding,
              data: AGENTS.setFunding.data({ id, mint }),
              style: 'primary',
            },
          ],
      [{ text: buttons.cancel, data: AGENTS.agent.data({ id }) }],
    ],
  }
}

export const askAdjustScreen = (
  { texts, currency }: View,
  { id, username, balance }: AgentOverview,
): Screen =>
  promptScreen(
    texts,
    texts.agents.askAdjust(username, balanceText(balance, currency)),
    AGENTS.agent.data({ id }),
  )

/** @param change in micros */
export function confirmAdjustPrompt(
  { texts, currency }: View,
  { id, username, balance }: AgentOverview,
  change: number,
  remark: string,
): Prompt {
  const { agents, buttons, customers } = texts
  return {
    text: lines(
      agents.confirmAdjust(
        username,
        signed(change, currency),
        balanceText(balance, currency),
        balanceText(adjusted(balance, change), currency),
        remark,
      ),
      '',
      customers.changes.adjust.aboutPaid,
    ),
    buttons: [
      [{ text: agents.buttons.adjustNow, answer: 'adjust', style: 'success' }],
      [{ text: customers.changes.adjust.paid(change > 0 ? 'in' : 'out'), answer: 'paid', style: 'success' }],
      [{ text: buttons.cancel, data: AGENTS.agent.data({ id }) }],
    ],
  }
}
