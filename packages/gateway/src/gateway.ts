import { asDragomanError, DragomanError, type Head } from '@dragoman/core'
import { createBodyMemory } from './body-memory.ts'
import type { Gateway, Reply } from './door.ts'
import { enter } from './enter.ts'
import type { Exchange } from './exchange.ts'
import { createMeter } from './meter.ts'
import { createPlaces } from './places.ts'
import { refusalOf } from './refusal.ts'
import { createAnswer } from './reply.ts'
import { fillSettings, type GatewayOptions, type Settings } from './settings.ts'
import { createSlots } from './slots.ts'
import { createSweep } from './sweep.ts'

export function createGateway(options: GatewayOptions): Gateway {
  return composeGateway(fillSettings(options))
}

/** Puts the steps together: match, admit, then the body, resolve, plan, and one of the ways. */
export function composeGateway(settings: Settings): Gateway {
  const places = createPlaces(settings.limits)
  const memory = createBodyMemory(settings.limits.bodies)
  const exchanges = createSlots<Exchange>()
  const sweep = createSweep(settings.clock, settings.deadlines.total, exchanges)
  let closing: Promise<void> | undefined
  let onIdle: (() => void) | undefined

  const begin = (head: Head, reply: Reply): Exchange => {
    const { clock, log, ledger } = settings
    const found = settings.paths.find(head)
    const { protocol } = found
    const requestId = `req_${settings.ids()}`
    const { method, path } = head
    const meter = createMeter({ clock, log, ledger, requestId, method, path, protocol: protocol.name })
    const answer = createAnswer(protocol, meter, reply, () => exchange.matched?.match.framing)
    const exchange: Exchange = {
      head,
      protocol,
      found,
      meter,
      answer,
      matched: undefined,
      caller: undefined,
      running: undefined,
      work: undefined,
      lease: undefined,
      releaseBody() {
        exchange.work?.close()
        exchange.work = undefined
        exchange.lease?.release()
      },
      deadline: Number.POSITIVE_INFINITY,
    }
    const slot = exchanges.take(exchange)
    sweep.start()
    const onOver = (): void => {
      if (exchange.caller !== undefined) places.free(exchange.caller.id)
      exchange.releaseBody()
      exchanges.free(slot)
      if (exchanges.count() > 0) return
      sweep.stop()
      onIdle?.()
    }
    answer.onOver = onOver
    return exchange
  }
  return {
    async open(head, reply) {
      const exchange = begin(head, reply)
      try {
        if (closing !== undefined) throw new DragomanError('unavailable', 'The gateway is shutting down.')
        return await enter(settings, places, memory, exchange)
      } catch (thrown) {
        exchange.answer.fail(asDragomanError(thrown))
        return undefined
      }
    },
    refuse(head, reply, why) {
      begin(head, reply).answer.fail(refusalOf(why, settings.limits.body))
    },
    close(graceMs) {
      closing ??= new Promise((resolve) => {
        onIdle = resolve
        if (exchanges.count() === 0) resolve()
      })
      const error = new DragomanError('unavailable', 'The gateway is shutting down.')
      const callOff = settings.clock.after(graceMs, () => exchanges.each((exchange) => stop(exchange, error)))
      void closing.then(callOff)
      return closing
    },
  }
}

function stop({ running, answer }: Exchange, error: DragomanError): void {
  if (running === undefined) answer.fail(error)
  else running.stop(error)
}
