import type { AgentBot } from '../../../core/bots/agent-bot.ts'
import { AGENTS } from '../../actions/agents.ts'
import { operatorButton } from '../../actions/operator.ts'
import { AGENT_BOTS } from '../../actions/own-bots.ts'
import { backButton } from '../../kit/buttons.ts'
import { pageOf, pager } from '../../kit/pager.ts'
import type { Screen } from '../../kit/screen.ts'
import type { View } from '../../kit/view.ts'
import { html, type Html, lines } from '../../texts/html.ts'
import type { Texts } from '../../texts/index.ts'
import { SIGNS } from './screens.ts'

const BOTS_PER_PAGE = 8
const STATES = Object.keys(SIGNS) as AgentBot['state'][]

/** The bots of all agents, and how many of them are in which state. */
export function agentBotsScreen({ texts }: View, bots: readonly AgentBot[], wanted: number): Screen {
  const { all } = texts.ownBots
  const { items, page, pages } = pageOf(bots, wanted, BOTS_PER_PAGE)
  return {
    text:
      bots.length === 0
        ? all.none
        : lines(
            all.title(bots.length),
            '',
            ...STATES.map((state) => {
              const count = bots.filter((bot) => bot.state === state).length
              return count === 0 ? undefined : all.counted(SIGNS[state], all.short[state], count)
            }),
          ),
    buttons: [
      ...items.map(({ botId: id, name, agent, state }) => [
        { text: all.row(SIGNS[state], name, agent), name, data: AGENT_BOTS.bot.data({ id }) },
      ]),
      ...pager(texts, page, pages, (to) => AGENT_BOTS.list.data({ page: to })),
      [{ text: texts.buttons.refresh, data: AGENT_BOTS.list.data({ page }) }],
      [backButton(texts, AGENTS.list.data()), operatorButton(texts)],
    ],
  }
}

/** The bot of an agent, in the operator's chats. Nothing here comes from its token. */
export function agentBotScreen({ texts }: View, bot: AgentBot): Screen {
  const { all, buttons } = texts.ownBots
  const { botId: id, username, name, agent, agentId, agentStatus, ownerId, managed, state } = bot
  const isRunning = ['pending', 'active'].includes(state)
  return {
    text: lines(
      html`🤖 <b>${name}</b> · @${username}`,
      all.agent(agent),
      '',
      operatorStateText(texts, bot),
      all.since(texts.dateTime(new Date(bot.stateAt))),
      agentStatus === 'active' ? undefined : all.agentOut,
      '',
      managed ? all.managed : all.pasted,
      all.ids(id, ownerId),
      all.created(texts.dateTime(new Date(bot.createdAt))),
    ),
    buttons: [
      [
        isRunning
          ? { text: buttons.pause, data: AGENT_BOTS.pause.data({ id }), style: 'danger' }
          : { text: buttons.resume, data: AGENT_BOTS.resume.data({ id }), style: 'success' },
        { text: buttons.remove, data: AGENT_BOTS.askRemove.data({ id }), style: 'danger' },
      ],
      // Whoever has stopped it, the operator can see to it that nobody else lets it go on.
      isRunning || state === 'halted' ? [] : [{ text: buttons.pause, data: AGENT_BOTS.pause.data({ id }) }],
      [
        { text: buttons.open, url: `https://t.me/${username}` },
        { text: all.openAgent, data: AGENTS.agent.data({ id: agentId }) },
      ],
      [{ text: texts.buttons.refresh, data: AGENT_BOTS.bot.data({ id }) }],
      [backButton(texts, AGENT_BOTS.list.data()), operatorButton(texts)],
    ],
  }
}

/** What a bot does now, for those who run the shop. */
export function operatorStateText(
  { ownBots }: Texts,
  { state, reason }: Pick<AgentBot, 'state' | 'reason'>,
): Html {
  const text = `${SIGNS[state]} ${ownBots.all.states[state]}`
  return reason === '' ? html`${text}` : html`${text} (${reason})`
}

export function removeAgentBotScreen({ texts }: View, { botId: id, username, agent }: AgentBot): Screen {
  const { all, buttons } = texts.ownBots
  return {
    text: all.askRemove(username, agent),
    buttons: [
      [{ text: buttons.remove, data: AGENT_BOTS.remove.data({ id }), style: 'danger' }],
      [backButton(texts, AGENT_BOTS.bot.data({ id })), operatorButton(texts)],
    ],
  }
}
