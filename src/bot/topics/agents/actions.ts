import { action } from '../../kit/action.ts'
import { flag, pageNumber, wholeNumber } from '../../kit/parameters.ts'

const agent = { id: wholeNumber }

/** Agents in the operator's chats. */
export const AGENTS = {
  list: action('ag', { page: pageNumber }),
  agent: action('agv', agent),
  create: action('agn'),
  /** A link with which the agent sets its password. */
  link: action('agl', agent),
  level: action('age', agent),
  adjust: action('aga', agent),
  enable: action('ags', { ...agent, on: flag }),
} as const
