import { ShopRole } from '../../generated/prisma/enums.ts'
import { ServiceError } from '../errors.ts'
import { type Operator, roleOf } from './operator.ts'

export const SHOP_ROLES = Object.values(ShopRole)
export type { ShopRole }

/** What a person who runs the shop may be allowed to do. */
export type Permission =
  /** Products, prices, promotion codes. */
  | 'catalogue'
  | 'stock'
  | 'suppliers'
  /** Exits, and the gateway. */
  | 'exits'
  | 'agents'
  | 'broadcasts'
  /** Accounts of customers, and links by which one logs in to them. */
  | 'customers'
  /** Tickets, replacements, tests, credentials of proxies, log-outs. */
  | 'help'
  /** USDT that paid no top-up. */
  | 'payments'
  /** Balances, refunds, payouts. */
  | 'money'
  /** To see what the shop earns. */
  | 'profit'
  /** The machine: failing jobs, backups. */
  | 'machine'
  /** Persons and their roles, and what belongs to the owner alone. */
  | 'people'

/** What each role may do (rules 14.3); everybody may look. Undefined: everything. */
const ALLOWED: { readonly [Role in ShopRole]: readonly Permission[] | undefined } = {
  owner: undefined,
  manager: [
    'catalogue',
    'stock',
    'suppliers',
    'exits',
    'agents',
    'broadcasts',
    'customers',
    'help',
    'machine',
  ],
  support: ['help'],
  finance: ['payments', 'money', 'profit'],
}

/** Each action of the operator that the trail keeps, and the permission that it needs; null: none. The first word says what the action is about. */
export const ACTIONS = {
  'agent.create': 'agents',
  'agent.edit': 'agents',
  'agent.invite': 'agents',
  'agent.clear': 'money',
  /** Bots of agents. */
  'bot.pause': 'agents',
  'bot.resume': 'agents',
  'bot.remove': 'agents',
  'account.edit': 'customers',
  'customer.create': 'customers',
  'customer.disable': 'customers',
  'customer.enable': 'customers',
  'customer.link': 'customers',
  'customer.logout': 'help',
  'customer.move': 'customers',
  'customer.delete': 'customers',
  'balance.adjust': 'money',
  'balance.decline': 'money',
  'product.add': 'catalogue',
  'product.edit': 'catalogue',
  'price.set': 'catalogue',
  'price.remove': 'catalogue',
  /** What agents may ask of their sub-users. */
  'price.limit': 'catalogue',
  'promo.add': 'catalogue',
  'promo.stop': 'catalogue',
  'stock.import': 'stock',
  'stock.update': 'stock',
  'stock.release': 'stock',
  'stock.sale': 'stock',
  'stock.cost': 'stock',
  'usage.import': 'exits',
  'payment.assign': 'payments',
  'payment.ignore': 'payments',
  'payment.reopen': 'payments',
  'payment.refund': 'payments',
  'broadcast.draft': 'broadcasts',
  'broadcast.start': 'broadcasts',
  'broadcast.cancel': 'broadcasts',
  'proxy.check': 'help',
  'proxy.test': 'help',
  'proxy.replace': 'help',
  'proxy.credentials': 'help',
  'proxy.end': 'customers',
  'replacement.decide': 'help',
  'supplier.add': 'suppliers',
  'supplier.edit': 'suppliers',
  'supplier.remove': 'suppliers',
  'supplier.pause': 'suppliers',
  'supplier.resume': 'suppliers',
  'supplier.sync': 'suppliers',
  'supplier.reconcile': 'suppliers',
  'offer.pause': 'suppliers',
  'offer.resume': 'suppliers',
  'call.resolve': 'suppliers',
  'address.free': 'customers',
  'exit.add': 'exits',
  'exit.edit': 'exits',
  'exit.pause': 'exits',
  'exit.resume': 'exits',
  'exit.remove': 'exits',
  'order.refund': 'money',
  'payout.pay': 'money',
  'payout.refuse': 'money',
  'ticket.answer': 'help',
  'ticket.close': 'help',
  'backup.request': 'machine',
  'backup.make': 'machine',
  'job.retry': 'machine',
  'job.drop': 'machine',
  'person.add': 'people',
  'person.edit': 'people',
  'person.remove': 'people',
  'person.invite': 'people',
  'person.uninvite': 'people',
  /** Done by whoever opens the link. */
  'person.join': 'people',
  /** Outside of Telegram, by a link from the person's own chat. */
  'person.log_in': null,
  'person.log_out': null,
  'currency.change': 'people',
  'setup.change': 'people',
} as const satisfies Readonly<Record<string, Permission | null>>

export type OperatorAction = keyof typeof ACTIONS

/** What an action is about: its first word. */
export type ActionGroup = OperatorAction extends `${infer Group}.${string}` ? Group : never
export const ACTION_GROUPS = [
  ...new Set(Object.keys(ACTIONS).map((action) => groupOf(action as OperatorAction))),
]

export function groupOf(action: OperatorAction): ActionGroup {
  return action.slice(0, action.indexOf('.')) as ActionGroup
}

/** What needs a permission: an action, or the permission itself where there is no action. */
export type Deed = OperatorAction | Permission

/** Whether a role includes a permission. */
export function roleHas(role: ShopRole, permission: Permission): boolean {
  return ALLOWED[role]?.includes(permission) ?? true
}

/** Returns all permissions of a role. */
export function permissionsOf(role: ShopRole): readonly Permission[] {
  const all = Object.values<Permission | null>(ACTIONS).filter((permission) => permission !== null)
  return ALLOWED[role] ?? [...new Set<Permission>([...all, 'profit'])].toSorted()
}

/** Returns the roles that include a permission. */
export function rolesWith(permission: Permission): ShopRole[] {
  return SHOP_ROLES.filter((role) => roleHas(role, permission))
}

/** Whether somebody may do something; screens leave out what they may not. */
export function may(by: Operator, deed: Deed): boolean {
  const permission = permissionOf(deed)
  return permission === null || roleHas(roleOf(by), permission)
}

function permissionOf(deed: Deed): Permission | null {
  return deed in ACTIONS ? ACTIONS[deed as OperatorAction] : (deed as Permission)
}

/** @throws not_permitted */
export function requirePermission(by: Operator, deed: Deed): void {
  if (!may(by, deed))
    throw new ServiceError('not_permitted', { data: { role: roleOf(by), permission: permissionOf(deed) } })
}
