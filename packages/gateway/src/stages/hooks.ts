import { DragomanError } from '@dragoman/core'
import type { Bytes } from '@dragoman/core/provider'
import type { Around } from '../call/answer-head.ts'
import type { Exchange } from '../call/exchange.ts'
import { guarded, type Report } from '../ports/report.ts'
import type { CallEnd, Hooks, Stage, StageCall } from '../call/stage.ts'

/** Hooks that only watch never throw: what they throw is reported. */
export function collectHooks(own: readonly Stage[], given: readonly Stage[], report: Report): Hooks {
  const stages = [...own, ...given]
  return {
    stages: stages.length,
    wantsRecords: given.some((stage) => stage.onSettle !== undefined),
    afterAdmission: stages.flatMap((stage, index) =>
      stage.afterAdmission === undefined ? [] : { stage: index, run: stage.afterAdmission.bind(stage) },
    ),
    beforeRoute: stages.flatMap((stage) => stage.beforeRoute?.bind(stage) ?? []),
    beforeCall: stages.flatMap((stage) => stage.beforeCall?.bind(stage) ?? []),
    onAttempt: stages.flatMap((stage) =>
      stage.onAttempt === undefined ? [] : guarded('onAttempt', report, stage.onAttempt.bind(stage)),
    ),
    aroundAnswer: stages.flatMap((stage, index) =>
      stage.aroundAnswer === undefined ? [] : { stage: index, run: stage.aroundAnswer.bind(stage) },
    ),
    onSettle: stages.flatMap((stage, index) =>
      stage.onSettle === undefined
        ? []
        : { stage: index, run: guarded('onSettle', report, stage.onSettle.bind(stage)) },
    ),
  }
}

/**
 * Runs `afterAdmission` of every stage. `exchange.stages` counts the stages that the call has passed: only these are notified of its end.
 * Returns undefined if all hooks are synchronous. The call may be over when the promise resolves.
 */
export function passAdmission(hooks: Hooks, exchange: Exchange, call: StageCall, from = 0): Promise<void> | undefined {
  for (let index = from; index < hooks.afterAdmission.length; index++) {
    const hook = hooks.afterAdmission[index]
    if (hook === undefined) break
    exchange.stages = hook.stage
    const passing = hook.run(call)
    if (!(passing instanceof Promise)) continue
    return passing.then(() => {
      if (exchange.end === undefined) return passAdmission(hooks, exchange, call, index + 1)
      // The client left while this hook was waiting. The stages before it have been notified.
      hooks.onSettle.find(({ stage }) => stage === hook.stage)?.run(call, exchange.end)
      return undefined
    })
  }
  exchange.stages = hooks.stages
  return undefined
}

/** Runs the hooks of one kind in order, then `proceed`, unless the call is over by then. */
export function runHooks<Call extends StageCall>(
  hooks: readonly ((call: Call) => void | Promise<void>)[],
  call: Call,
  exchange: Exchange,
  proceed: () => void,
  fail: (thrown: unknown) => void,
  from = 0,
): void {
  for (let index = from; index < hooks.length; index++) {
    const passing = hooks[index]?.(call)
    if (!(passing instanceof Promise)) continue
    const resume = (): void => {
      if (!exchange.answer.over) runHooks(hooks, call, exchange, proceed, fail, index + 1)
    }
    void passing.then(resume).catch(fail)
    return
  }
  proceed()
}

/** Creates the function that runs `aroundAnswer` of the stages that a call has passed. */
export function createAround(
  { aroundAnswer }: Hooks,
  exchange: Exchange,
  call: StageCall,
  report: Report,
): Around | undefined {
  if (aroundAnswer.length === 0) return undefined
  return (head) => {
    const watches: ((piece: Bytes) => void)[] = []
    for (const { stage, run } of aroundAnswer) {
      if (stage >= exchange.stages) break
      const watch: unknown = run(call, head)
      if (typeof watch === 'function') watches.push(createWatch(watch as (piece: Bytes) => unknown, report)) // its type, unless it is a promise
      else if (watch instanceof Promise) watch.catch((thrown: unknown) => report('aroundAnswer', thrown))
    }
    if (watches.length === 0) return undefined
    return (piece) => {
      for (const watch of watches) watch(piece)
    }
  }
}

/** Shows the pieces of an answer to a stage. It can refuse the rest of it; after any other error it receives nothing more. */
function createWatch(watch: (piece: Bytes) => unknown, report: Report): (piece: Bytes) => void {
  let isBroken = false
  const fail = (thrown: unknown): void => {
    isBroken = true
    report('aroundAnswer', thrown)
  }
  return (piece) => {
    if (isBroken) return
    try {
      const result = watch(piece)
      if (result instanceof Promise) result.catch(fail)
    } catch (thrown) {
      if (DragomanError.isInstance(thrown)) throw thrown
      fail(thrown)
    }
  }
}

/** Runs `onSettle` of the stages that a call has passed. */
export function settle({ onSettle }: Hooks, call: StageCall, end: CallEnd, stages: number): void {
  for (const { stage, run } of onSettle) if (stage < stages) run(call, end)
}
