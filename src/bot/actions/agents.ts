import { action } from '../kit/action.ts'
import { flag, pageNumber, wholeNumber } from '../kit/parameters.ts'

const agent = { id: wholeNumber }

/** Agents in the operator's chats. */
export const AGENTS = {
  list: action('ag', { page: pageNumber }),
  agent: action('agv', agent),
  create: action('agn', {}, 'agent.create'),
  /** What agents may ask of their sub-users. */
  priceTerms: action('agp', {}, 'price.limit'),
  /** A link with which the agent sets its password. */
  link: action('agl', agent, 'agent.invite'),
  level: action('age', agent, 'agent.edit'),
  adjust: action('aga', agent, 'balance.adjust'),
  askFunding: action('agf', agent, 'agent.edit', 'money'),
  setFunding: action('agfs', { ...agent, mint: flag }, 'agent.edit', 'money'),
  askDisable: action('agd', agent, 'agent.edit'),
  enable: action('ags', { ...agent, on: flag }, 'agent.edit'),
} as const
