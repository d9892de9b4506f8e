import { describe, expect, it } from 'vitest'
import { createLosses } from '../ir/loss.ts'
import type { CacheMark, Citation } from '../ir/part.ts'
import type { Delivery } from '../ir/request.ts'
import { reportUnsupported, tablesOf, UNSUPPORTED, WRITTEN, type NodeTables, type WrittenOf } from './member-tables.ts'
import type { Encoding } from './context.ts'

const table = tablesOf('acme')
const context: Encoding = { issuer: 'acme', toward: 'upstream', id: () => 'made', now: 0 }
const quote = 'a quote'
const citation: Citation = {
  quote,
  range: [0, 1],
  source: { kind: 'url', url: 'u' },
  extras: { acme: { x: 1 } },
}

describe('a table over the members of a node', () => {
  it('reports what is unsupported, with the reason of its entry', () => {
    const losses = createLosses()
    const cited = table<Citation, 'source' | 'grounded' | 'extras'>('an acme citation', {
      range: UNSUPPORTED,
      quote: 'acme quotes nobody',
    })
    reportUnsupported(citation, cited, losses.at('citations', 3), context)
    expect(losses.entries()).toEqual([
      { kind: 'dropped', path: ['citations', 3, 'range'], reason: 'an acme citation has no range' },
      { kind: 'dropped', path: ['citations', 3, 'quote'], reason: 'acme quotes nobody' },
    ])
  })

  it('asks a condition what holds for this upstream', () => {
    const cited = table<Citation, 'range' | 'source' | 'grounded' | 'extras'>('acme', {
      quote: ({ toward }) => (toward === 'client' ? undefined : 'acme takes no quotes back'),
    })
    const [upstream, client] = [createLosses(), createLosses()]
    reportUnsupported(citation, cited, upstream, context)
    reportUnsupported(citation, cited, client, { ...context, toward: 'client' })
    expect(upstream.entries()).toEqual([{ kind: 'dropped', path: ['quote'], reason: 'acme takes no quotes back' }])
    expect(client.entries()).toEqual([])
  })

  it('reports the extras of its own protocol, and leaves those of others to their walker', () => {
    const members = { range: UNSUPPORTED, quote: WRITTEN, extras: 'acme citations are plain' }
    const cited = table<Citation, 'source' | 'grounded'>('acme', { ...members, range: WRITTEN })
    const [own, foreign] = [createLosses(), createLosses()]
    reportUnsupported(citation, cited, own, context)
    reportUnsupported({ ...citation, extras: { other: { x: 1 } } }, cited, foreign, context)
    expect(own.entries()).toEqual([{ kind: 'dropped', path: ['extras', 'acme'], reason: 'acme citations are plain' }])
    expect(foreign.entries()).toEqual([])
  })

  it('reports nothing for members that are not there', () => {
    const losses = createLosses()
    const members = { stream: UNSUPPORTED, usage: UNSUPPORTED, hideReasoning: UNSUPPORTED, obfuscation: UNSUPPORTED }
    reportUnsupported({}, table<Delivery>('acme', members), losses, context)
    expect(losses.entries()).toEqual([])
  })

  it('does not compile without an entry for every member, or with one too many', () => {
    // @ts-expect-error usage is missing: a new member of a node stops every codec that does not say what becomes of it
    table<Delivery, 'stream' | 'hideReasoning' | 'obfuscation'>('acme', {})
    // @ts-expect-error there is no such member
    table<CacheMark, 'ttl' | 'until'>('acme', {})
    // @ts-expect-error it is called written, and has a reason why it is not
    table<Delivery, 'stream' | 'usage' | 'obfuscation'>('acme', { hideReasoning: UNSUPPORTED, usage: UNSUPPORTED })
    // @ts-expect-error a node is missing: so does a new node
    const tables: NodeTables = { request: 'whole' }
    expect(tables).toEqual({ request: 'whole' })
  })

  it('does not compile with a decoder that leaves out what is written, or that the wire has no type for', () => {
    type Written = WrittenOf<Delivery, 'stream' | 'usage'>
    const wire: { readonly [member: string]: unknown } = {}
    // @ts-expect-error usage is missing
    const less: Written = { stream: true }
    // @ts-expect-error the schema of the wire says nothing of it
    const untyped: Written = { stream: true, usage: wire['usage'] }
    expect([less, untyped]).toEqual([{ stream: true }, { stream: true }])
  })
})
