import {
  badKey,
  failure,
  json,
  LACK_OF_RESOURCES,
  liteNode,
  nodeError,
  suspendedWithKey,
  webPage,
  type Answer,
} from './answers.ts'
import type { Fault, FaultKind } from './types.ts'

/** What becomes of a request: an answer, and how it travels. */
export interface Outcome {
  readonly answer: Answer
  readonly delivery?: Extract<FaultKind, { kind: 'hang' | 'drop' | 'drip' | 'oversize' }>
}

/**
 * Returns the answer with all faults of this request.
 *
 * @param v1 whether TronGrid's own interface was asked, and not the node's
 * @param good the answer without faults
 */
export function outcomeOf(faults: readonly Fault[], v1: boolean, good: () => Answer): Outcome {
  const [refusal] = faults.flatMap((fault) => refusalOf(fault, v1) ?? [])
  const delivery = faults.find(isDelivery)
  return { answer: refusal ?? faults.reduce(spoiled, good()), ...(delivery && { delivery }) }
}

function isDelivery(fault: FaultKind): fault is NonNullable<Outcome['delivery']> {
  return ['hang', 'drop', 'drip', 'oversize'].includes(fault.kind)
}

/** Returns the refusal that a fault puts in place of the answer; undefined where it puts none. */
function refusalOf(fault: FaultKind, v1: boolean): Answer | undefined {
  switch (fault.kind) {
    case 'status':
      return { ...failure(fault.status, v1), ...(fault.body !== undefined && { body: fault.body }) }
    case 'suspended':
      return suspendedWithKey(fault.seconds ?? 30)
    case 'bad-key':
      return badKey
    case 'html':
      return webPage('Welcome to openresty!')
    case 'redirect':
      return { ...webPage('302 Found'), status: 302, headers: { location: fault.to } }
    case 'node-error':
      return nodeError(fault.error ?? LACK_OF_RESOURCES)
    case 'lite-node':
      return liteNode
    default:
      return undefined
  }
}

/** Puts one fault into the body of a good answer. */
function spoiled(answer: Answer, fault: FaultKind): Answer {
  switch (fault.kind) {
    case 'empty':
      return { ...answer, body: '' }
    case 'truncated':
      return { ...answer, body: answer.body.slice(0, answer.body.length / 2) }
    case 'wrong-id':
      return json(withOtherId(JSON.parse(answer.body) as object), answer.status)
    case 'edit':
      return json(fault.edit(JSON.parse(answer.body) as never), answer.status)
    default:
      return answer
  }
}

function withOtherId(answer: { id?: string; txID?: string }): object {
  const other = 'f'.repeat(64)
  return {
    ...answer,
    ...(answer.id !== undefined && { id: other }),
    ...(answer.txID !== undefined && { txID: other }),
  }
}
