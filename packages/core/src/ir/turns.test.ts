import { describe, expect, it } from 'vitest'
import { createLosses, type Losses } from './loss.ts'
import type { Message } from './request.ts'
import type { Part } from './part.ts'
import { arrangeTurns, eachPart } from './turns.ts'

const text = (words: string): Part => ({ type: 'text', text: words })
const result = (callId: string): Part => ({ type: 'tool-result', callId, output: { parts: [] }, by: 'client' })
const user = (...parts: Part[]): Message => ({ role: 'user', parts })
const reported = (losses: Losses): string[] =>
  losses
    .entries()
    .map((loss) => `${loss.kind} ${loss.path.join('.')}${'into' in loss ? ` ${loss.into.join('.')}` : ''}`)

describe('arrangeTurns', () => {
  it('leaves ordered messages unchanged', () => {
    const losses = createLosses()
    const messages = [user(text('a')), user(text('b'))]
    expect(arrangeTurns(messages, losses).map((turn) => turn.parts)).toEqual([[text('a')], [text('b')]])
    expect(losses.entries()).toEqual([])
  })

  it('puts results first in their message and reports what moved (trap 10)', () => {
    const losses = createLosses()
    const [turn] = arrangeTurns([user(text('a'), result('1'), text('b'), result('2'))], losses)
    expect(turn?.parts).toEqual([result('1'), result('2'), text('a'), text('b')])
    expect(reported(losses)).toEqual([
      'moved messages.0.parts.0 messages.0.parts',
      'moved messages.0.parts.2 messages.0.parts',
    ])
  })

  it('merges the results of one turn from several messages (trap 9)', () => {
    const losses = createLosses()
    const turns = arrangeTurns([user(result('1')), user(result('2'), text('a')), user(text('b'))], losses)
    expect(turns.map((turn) => turn.parts)).toEqual([[result('1'), result('2'), text('a')], [text('b')]])
    expect(reported(losses)).toEqual(['merged messages.1 messages.0'])
  })

  it('does not merge across an assistant turn', () => {
    const losses = createLosses()
    const between: Message = { role: 'assistant', parts: [text('mine')] }
    expect(arrangeTurns([user(result('1')), between, user(result('2'))], losses)).toHaveLength(3)
    expect(losses.entries()).toEqual([])
  })

  it('reports the name of a merged message if the first has another', () => {
    const losses = createLosses()
    arrangeTurns(
      [
        { ...user(result('1')), name: 'ann' },
        { ...user(result('2')), name: 'bob' },
      ],
      losses,
    )
    expect(reported(losses)).toContain('dropped messages.1.name')
  })
})

describe('eachPart', () => {
  it('gives the losses of where each part was before it was moved', () => {
    const losses = createLosses()
    const [turn] = arrangeTurns([user(text('a')), user(result('1'))], createLosses())
    const seen: string[] = []
    eachPart(turn!, losses, (part, scope, index) => {
      seen.push(`${index} ${part.type}`)
      scope.dropped(['cache'], 'none')
    })
    expect(seen).toEqual(['0 tool-result', '1 text'])
    expect(reported(losses)).toEqual(['dropped messages.1.parts.0.cache', 'dropped messages.0.parts.0.cache'])
  })
})
