import type { NodeMethod, TronMethod } from './types.ts'

export interface Route {
  readonly method: TronMethod
  /** Parameters in the path itself. */
  readonly parameters: Readonly<Record<string, string>>
}

const NODE_METHODS: readonly string[] = [
  'gettransactioninfobyid',
  'gettransactioninfobyblocknum',
  'gettransactionbyid',
  'getnowblock',
  'getblock',
  'getcontract',
  'triggerconstantcontract',
] satisfies NodeMethod[]

/** Returns the emulated method behind a path; undefined when there is none. */
export function routeOf(verb: string, path: string): Route | undefined {
  const [face, name, argument, ...rest] = path.split('/').slice(1)
  if ((face === 'wallet' || face === 'walletsolidity') && name && argument === undefined)
    return NODE_METHODS.includes(name)
      ? { method: `${face}/${name as NodeMethod}`, parameters: {} }
      : undefined
  if (verb !== 'GET' || face !== 'v1' || !argument) return undefined
  if (name === 'accounts' && rest.join('/') === 'transactions/trc20')
    return { method: 'trc20', parameters: { address: argument } }
  return name === 'transactions' && rest.join('/') === 'events'
    ? { method: 'events', parameters: { txid: argument } }
    : undefined
}
