/** Log-ins that everybody knows (rules 9.4), with the balances that they begin with; they exist in the sandbox only. */
export const DEMO_ACCOUNTS = {
  agent: { username: 'agent', password: 'agent-demo', balance: 1000 },
  customer: { username: 'customer', password: 'customer-demo', balance: 50 },
} as const
