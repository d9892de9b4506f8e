import { chat } from '@dragoman/core/protocols'
import { describe, expect, it } from 'vitest'
import { mustReadSameAtAnyCut } from './cuts.ts'
import { bytesOf, cutsApart } from './streams.ts'

const EVENTS = [': é\r\n\r\n', 'data: {"choices":[{"delta":{"content":"é"}}]}\n\n', 'data: [DONE]\n\n', 'data: {}']
const bytes = bytesOf(EVENTS.join(''))

describe('cuts apart', () => {
  const lists = cutsApart(bytes)

  it('have every position once', () => {
    expect(lists.flat().sort((one, other) => one - other)).toEqual([...bytes.keys()])
  })

  it('are never two in one event', () => {
    let end = 0
    for (const event of EVENTS) {
      const start = end
      end += bytesOf(event).length
      for (const list of lists) expect(list.filter((at) => at > start && at < end).length).toBeLessThan(2)
    }
  })
})

it('finds a byte that is lost after a cut at any position', () => {
  for (const position of [...bytes.keys()].slice(1, -1)) {
    const planted = { ...chat, relay: { ...chat.relay, tap: losingAt(position) } }
    expect(() => mustReadSameAtAnyCut(planted, EVENTS.join(''))).toThrow('cut at')
  }
})

/** A tap that works when every byte arrives alone. */
function losingAt(position: number): typeof chat.relay.tap {
  return (options) => {
    const real = chat.relay.tap(options)
    let read = 0
    const push = (chunk: Uint8Array) => {
      const rest = read === position && chunk.length > 1 ? chunk.subarray(1) : chunk
      read += chunk.length
      return real.push(rest)
    }
    return { ...real, push }
  }
}
