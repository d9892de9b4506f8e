import { asDragomanError, DragomanError, type Head } from '@dragoman/core'
import { createBodyMemory } from './ports/body-memory.ts'
import type { Gateway, Reply } from './call/door.ts'
import { enter } from './enter.ts'
import { fillSettings, type Composition } from './fill-settings.ts'
import { createExchange, leaveQueue, type Exchange } from './call/exchange.ts'
import type { Outcome } from './ports/ports.ts'
import { refusalOf } from './refusal.ts'
import { guarded } from './ports/report.ts'
import type { GatewayOptions, Settings } from './call/settings.ts'
import type { MeterPorts } from './metering/meter.ts'
import { createSlots } from './ports/slots.ts'
import { settle } from './stages/hooks.ts'
import { createSweep } from './sweep.ts'

export function createGateway(options: GatewayOptions): Gateway {
  return composeGateway(fillSettings(options))
}

/** Combines the steps: match, admit, read the body, resolve, plan, and relay or translate. */
export function composeGateway(settings: Composition): Gateway {
  const memory = createBodyMemory(settings.limits.bodies)
  const exchanges = createSlots<Exchange>()
  const ports = meterPorts(settings)
  const sweep = createSweep(settings.clock, settings.deadlines.total, exchanges)
  let closing: Promise<void> | undefined
  let onIdle: (() => void) | undefined
  let aborted = 0

  const leave = (exchange: Exchange, slot: number): void => {
    exchanges.free(slot)
    leaveQueue(exchange)
    exchange.stopWaiting?.()
    exchange.releaseBody()
    if (exchanges.count() > 0) return
    sweep.stop()
    onIdle?.()
  }
  const begin = (head: Head, reply: Reply): Exchange => {
    const exchange = createExchange(settings, ports, head, reply)
    const slot = exchanges.take(exchange)
    sweep.start()
    const onOver = (status: number, outcome: Outcome, error?: DragomanError): void => {
      const { view, meter, stages } = exchange
      const ms = settings.clock.now() - meter.startedAt
      const { usage, cost, record } = meter
      exchange.end = { status, outcome, error: error?.kind, usage, cost, ms, record }
      if (view !== undefined) settle(settings.hooks, view, exchange.end, stages)
      leave(exchange, slot)
    }
    exchange.answer.onOver = onOver
    return exchange
  }
  /** Without an exchange, no protocol can write the error: the caller gets an empty body. */
  const tryBegin = (head: Head, reply: Reply): Exchange | undefined => {
    try {
      return begin(head, reply)
    } catch (thrown) {
      settings.report('call', thrown)
      guarded('door', settings.report, () => reply.whole(500, {}, ''))()
      return undefined
    }
  }
  return {
    open(head, reply) {
      const exchange = tryBegin(head, reply)
      if (exchange === undefined) return undefined
      const fail = (thrown: unknown): undefined => {
        exchange.answer.fail(asDragomanError(thrown))
      }
      try {
        const why = closing === undefined ? settings.outOfService : SHUTTING_DOWN
        if (why !== undefined) throw new DragomanError('unavailable', why)
        const entered = enter(settings, memory, exchange)
        return entered instanceof Promise ? entered.catch(fail) : entered
      } catch (thrown) {
        return fail(thrown)
      }
    },
    breakers: () => settings.routing.health.breakers(),
    refuse(head, reply, why) {
      tryBegin(head, reply)?.answer.fail(refusalOf(why, settings.limits.body))
    },
    close(graceMs) {
      closing ??= new Promise((resolve) => {
        onIdle = resolve
        if (exchanges.count() === 0) resolve()
      })
      const error = new DragomanError('unavailable', SHUTTING_DOWN)
      const callOff = settings.clock.after(graceMs, () => {
        aborted += exchanges.count()
        exchanges.each((exchange) => stop(exchange, error))
      })
      return closing.then(() => {
        callOff()
        return aborted
      })
    },
    calls: () => exchanges.count(),
  }
}

function meterPorts({
  clock,
  log,
  ledger,
  report,
  routing: { health },
  hooks: { wantsRecords },
}: Settings): MeterPorts {
  return { clock, log, ledger, report, health, wantsRecords }
}

const SHUTTING_DOWN = 'The gateway is shutting down.'

function stop({ running, answer }: Exchange, error: DragomanError): void {
  if (running === undefined) answer.fail(error)
  else running.stop(error)
}
