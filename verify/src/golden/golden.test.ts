import type { Protocol } from '@dragoman/core'
import { chat, protocols } from '@dragoman/core/protocols'
import { describe, expect, it } from 'vitest'
import { readInputs, type Input } from './input.ts'
import { outputsOf } from './outputs.ts'
import { compare, formatRecord, hashesOf, parseRecord, readRecord, type Recorded } from './record.ts'

const inputs = readInputs()
const make = (given: readonly Input[], known?: readonly Protocol[]): Recorded =>
  new Map(given.map((input) => [input.id, hashesOf(outputsOf(input, known))]))

describe('the golden run', () => {
  it('makes of every input what is recorded', () => {
    expect(compare(readRecord(), make(inputs)).slice(0, 20), 'see docs/architecture.md, "Golden run"').toEqual([])
  })

  it('has all fixtures and at least 2,000 generated inputs', () => {
    expect(inputs.filter(({ id }) => id.startsWith('generated/')).length).toBeGreaterThanOrEqual(2000)
  })

  it('names the input and the output that a planted defect changes', () => {
    const forgetful: Protocol = {
      ...chat,
      request: {
        ...chat.request,
        encode: (request, context) => {
          const { seed, ...body } = chat.request.encode(request, context)
          return body
        },
      },
    }
    const known = protocols.map((protocol) => (protocol === chat ? forgetful : protocol))
    const given = inputs.filter(({ id }) => id.startsWith('sampling/'))
    const found = compare(make(given), make(given, known))
    expect(found).toContainEqual({ id: 'sampling/a-seed/genai-request', output: 'chat.wire', what: 'differs' })
    const outputs = new Set(found.map(({ output }) => output))
    expect(outputs).toEqual(new Set(['chat.wire', 'chat.card.wire']))
  })

  it('keeps a record that reads as it was written, and tells inputs that are new or gone', () => {
    const one = inputs.slice(0, 1)
    const id = one[0]?.id
    const now = make(one)
    const recorded = parseRecord(formatRecord(one, now))
    expect(compare(recorded, now)).toEqual([])
    expect(compare(recorded, new Map())).toEqual([{ id, what: 'is recorded, but not made' }])
    expect(compare(new Map(), now)).toEqual([{ id, what: 'is not recorded' }])
  })
})
