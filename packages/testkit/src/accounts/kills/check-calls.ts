import type { CallRecord } from '@dragoman/accounts'
import { costOf, EXPECTED_OUTPUT, PRICE } from './plan.ts'
import type { SeenAttempt } from './upstream.ts'

/**
 * Compares the records with what the upstream has seen, call by call; returns what is wrong. A call that was answered costs what the
 * upstream has reported. A call is cut if its instance was killed before the answer, and costs what was expected; if it was killed
 * soon after the answer, both are right, and between two attempts, what was expected of either. No other call is cut.
 */
export function checkCalls(
  records: readonly CallRecord[],
  seen: readonly SeenAttempt[],
  killed: ReadonlySet<number>,
): readonly string[] {
  const recordOf = new Map(records.map((record) => [record.id, record]))
  // The last attempt of each call counts: those before were refused.
  return [...new Map(seen.map((attempt) => [attempt.id, attempt])).values()].flatMap((attempt) => {
    const record = recordOf.get(attempt.id)
    const wrong = record === undefined ? 'no record' : faultOf(record, attempt, killed.has(attempt.pid))
    return wrong === undefined ? [] : [`call ${attempt.id}, ${attempt.plan.do}, ${attempt.state}: ${wrong}`]
  })
}

function faultOf({ outcome, cost }: CallRecord, { plan, state, estimate }: SeenAttempt, isKilled: boolean) {
  if (outcome === 'cut') {
    if (!isKilled) return 'cut, although its instance was not killed'
    const isExpected = cost === estimate || (state === 'broken' && cost === estimate + promptOf(estimate))
    return isExpected ? undefined : `cut for ${cost}, expected were ${estimate}`
  }
  // A client that leaves and an instance that is killed look the same to an upstream.
  if (isKilled && state === 'left' && plan.do !== 'linger') return `${outcome}, although its instance was killed before`
  if (state !== 'answered') return outcome === 'complete' ? 'complete, without an answer' : undefined
  if (outcome !== 'complete') return outcome
  return cost === costOf(plan) ? undefined : `${cost} instead of ${costOf(plan)}`
}

/**
 * The estimated prompt of a first attempt. An upstream that breaks the connection may charge it, so the next attempt is expected to cost as
 * much more; the instance may be killed after it has reserved that, and before the next upstream sees the attempt.
 */
function promptOf(estimate: number): number {
  return estimate - EXPECTED_OUTPUT * PRICE.output
}

/**
 * By how much a budget may be exceeded: on each instance, by what the calls under way at the end of its slice cost beyond what was
 * expected. These are at most the `most` worst ones.
 */
export function allowedOverspend(
  records: readonly CallRecord[],
  seen: readonly SeenAttempt[],
  key: string,
  most: number,
): bigint {
  const attemptOf = new Map(seen.map((attempt) => [attempt.id, attempt]))
  const errorsOf = new Map<number, number[]>()
  for (const { id, cost, key: payer } of records) {
    const attempt = attemptOf.get(id)
    if (attempt === undefined || payer !== key) continue
    const errors = errorsOf.get(attempt.pid) ?? []
    errors.push(Math.max(0, cost - attempt.estimate))
    errorsOf.set(attempt.pid, errors)
  }
  const worst = [...errorsOf.values()].flatMap((errors) => errors.toSorted((one, other) => other - one).slice(0, most))
  return BigInt(worst.reduce((sum, error) => sum + error, 0))
}
