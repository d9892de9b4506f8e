import { DragomanError, type Feature, type RequestLoss } from '@dragoman/core'
import { clipLossPath } from '../ports/clip.ts'
import type { RoutePolicy } from '../ports/policy.ts'

type LossPolicy = Pick<RoutePolicy, 'onLoss' | 'keep'>

/** The first loss that a policy does not allow; undefined if it allows all of them. */
export function lossAgainst({ onLoss, keep }: LossPolicy, losses: readonly RequestLoss[]): RequestLoss | undefined {
  if (onLoss === undefined || onLoss === 'allow') return undefined
  if (keep === undefined) return losses.find(({ kind }) => kind !== 'added')
  return losses.find(({ features = [] }) => features.some((feature) => keep.includes(feature)))
}

/** Why a route is passed over, or the call refused. */
export function describeAgainst({ keep }: LossPolicy, loss: RequestLoss): string {
  const lost = (loss.features ?? []).filter((feature) => keep?.includes(feature) === true)
  const what = lost.length === 0 ? '' : ` (${lost.join(', ')})`
  return `${clipLossPath(loss, PATH_LIMIT)} would be ${loss.kind}${what}: ${loss.reason}`
}

const PATH_LIMIT = 512

/** The error of a call that must not lose this. */
export function refusedLoss(policy: LossPolicy, loss: RequestLoss): DragomanError {
  const facts = { param: clipLossPath(loss, PATH_LIMIT), code: 'lossy_translation' }
  return new DragomanError('invalid-request', `Strict mode: ${describeAgainst(policy, loss)}.`, facts)
}

/** The error of a call for which every route would lose something. */
export function refusedByAll(reasons: readonly string[]): DragomanError {
  const message = `Every route would lose something that must be kept. ${reasons.join('. ')}.`
  return new DragomanError('invalid-request', message, { code: 'lossy_translation' })
}

/** Whether a policy allows that signatures of the history are left out. */
export function allowsWithoutSeals({ onLoss, keep }: LossPolicy): boolean {
  return onLoss === undefined || onLoss === 'allow' || (keep !== undefined && !keep.includes(SIGNATURES))
}

const SIGNATURES: Feature = 'signatures'
