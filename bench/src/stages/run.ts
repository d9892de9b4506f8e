import type { Protocol } from '@dragoman/core'
import { chat } from '@dragoman/core/protocols'
import type { Stage } from '@dragoman/gateway'
import { createExchange } from '../heap/exchange.ts'
import { describeMachine, fixed, formatTable, quickOf } from '../table.ts'

/** Microseconds per request that three empty stages may add. */
export const STAGES_BAR = 5
const STAGES = 3

export interface StagesOptions {
  readonly rounds: number
  /** Calls in one window. */
  readonly calls: number
  readonly warmUp: number
}

export interface StagesResult {
  /** Microseconds of a call without stages, and with three that do nothing. */
  readonly without: number
  readonly withStages: number
}

/** Has every hook, and does nothing in any of them. */
export const emptyStage: Stage = {
  afterAdmission() {},
  beforeRoute() {},
  beforeCall() {},
  onAttempt() {},
  aroundAnswer() {},
  onSettle() {},
}

/** Prints what three empty stages add to a call. Fails above the bar. */
export async function printStages(pace: 'quick' | 'full'): Promise<void> {
  console.log(await describeMachine())
  const rounds = pace === 'quick' ? 20 : 100
  const { without, withStages } = await measureStages({ rounds, calls: 1000, warmUp: 20 })
  const added = withStages - without
  const rows = [
    ['without stages', fixed(without, 1)],
    [`with ${STAGES} empty stages`, fixed(withStages, 1)],
  ]
  console.log(formatTable('A relayed call inside one process', ['', 'µs per request'], rows))
  console.log(`\n${STAGES} empty stages add ${fixed(added, 2)} µs per request; at most ${STAGES_BAR} are allowed.`)
  if (added > STAGES_BAR) process.exitCode = 1
}

/**
 * Windows of both gateways take turns. The time of each is the upper end of its quickest quarter of windows: other load on the
 * machine only makes a window slower.
 */
export async function measureStages({ rounds, calls, warmUp }: StagesOptions): Promise<StagesResult> {
  const gateways = [
    callsOf(chat, []),
    callsOf(
      chat,
      Array.from({ length: STAGES }, () => ({ ...emptyStage })),
    ),
  ] as const
  const times: [number[], number[]] = [[], []]
  for (let round = -warmUp; round < rounds; round++) {
    for (const index of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const time = await timeOf(gateways[index], calls)
      if (round >= 0) times[index].push(time)
    }
  }
  return { without: quickOf(times[0]), withStages: quickOf(times[1]) }
}

function callsOf(protocol: Protocol, stages: readonly Stage[]) {
  return createExchange(protocol, protocol, 0, stages)
}

/** Microseconds of CPU time per call. */
async function timeOf(call: () => unknown, calls: number): Promise<number> {
  const before = process.cpuUsage()
  for (let i = 0; i < calls; i++) await call()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / calls
}
