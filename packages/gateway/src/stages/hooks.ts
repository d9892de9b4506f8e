import type { Bytes } from '@dragoman/core'
import type { Around } from '../answer-head.ts'
import type { Exchange } from '../exchange.ts'
import type { CallEnd, Stage, StageCall } from './stage.ts'

/** The hooks of all stages, by kind, so that a kind that no stage has costs nothing. */
export interface Hooks {
  readonly stages: number
  readonly afterAdmission: readonly StageHook<NonNullable<Stage['afterAdmission']>>[]
  readonly beforeRoute: readonly NonNullable<Stage['beforeRoute']>[]
  readonly beforeCall: readonly NonNullable<Stage['beforeCall']>[]
  readonly aroundAnswer: readonly StageHook<NonNullable<Stage['aroundAnswer']>>[]
  readonly onSettle: readonly StageHook<NonNullable<Stage['onSettle']>>[]
}

/** A hook, and which of the stages it belongs to. */
interface StageHook<Hook> {
  readonly stage: number
  readonly run: Hook
}

export function collectHooks(stages: readonly Stage[]): Hooks {
  return {
    stages: stages.length,
    afterAdmission: stages.flatMap((stage, index) =>
      stage.afterAdmission === undefined ? [] : { stage: index, run: stage.afterAdmission.bind(stage) },
    ),
    beforeRoute: stages.flatMap((stage) => stage.beforeRoute?.bind(stage) ?? []),
    beforeCall: stages.flatMap((stage) => stage.beforeCall?.bind(stage) ?? []),
    aroundAnswer: stages.flatMap((stage, index) =>
      stage.aroundAnswer === undefined ? [] : { stage: index, run: stage.aroundAnswer.bind(stage) },
    ),
    onSettle: stages.flatMap((stage, index) =>
      stage.onSettle === undefined ? [] : { stage: index, run: stage.onSettle.bind(stage) },
    ),
  }
}

/**
 * Asks every stage to admit the call. `exchange.stages` counts those that have: they are told how it ends. Returns nothing where no
 * stage takes its time. The call may be over when the promise resolves.
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
      // The client left while the stage waited. The stages before it were told then.
      hooks.onSettle.find(({ stage }) => stage === hook.stage)?.run(call, exchange.end)
      return undefined
    })
  }
  exchange.stages = hooks.stages
  return undefined
}

/** Runs the hooks of one kind, one after the other, and goes on unless the call is over by then. */
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

/** Tells the stages that have admitted a call how its answer begins, and shows them the pieces of it. */
export function createAround({ aroundAnswer }: Hooks, exchange: Exchange, call: StageCall): Around | undefined {
  if (aroundAnswer.length === 0) return undefined
  return (head) => {
    const watches: ((piece: Bytes) => void)[] = []
    for (const { stage, run } of aroundAnswer) {
      if (stage >= exchange.stages) break
      const watch = run(call, head)
      if (typeof watch === 'function') watches.push(watch)
    }
    if (watches.length === 0) return undefined
    return (piece) => {
      for (const watch of watches) watch(piece)
    }
  }
}

/** Tells the stages that have admitted a call how it ended. One that throws keeps no other from being told. */
export function settle(hooks: Hooks, call: StageCall, end: CallEnd, stages: number, from = 0): void {
  const hook = hooks.onSettle[from]
  if (hook === undefined || hook.stage >= stages) return
  try {
    hook.run(call, end)
  } finally {
    settle(hooks, call, end, stages, from + 1)
  }
}
