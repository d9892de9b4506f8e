import { describe, expect, it } from 'vitest'
import { createLosses } from '../ir/loss.ts'
import type { CacheMark, Citation } from '../ir/part.ts'
import type { Delivery } from '../ir/request.ts'
import { reportUnsupported, tablesOf, type NodeTables } from './member-tables.ts'
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
  it('reports all that is not written, with the reason of its entry', () => {
    const losses = createLosses()
    const cited = table<Citation>('an acme citation', ['source', 'grounded', 'extras'], { quote: 'acme quotes nobody' })
    reportUnsupported(citation, cited, losses.at('citations', 3), context)
    expect(losses.entries()).toEqual([
      { kind: 'dropped', path: ['citations', 3, 'quote'], reason: 'acme quotes nobody' },
      { kind: 'dropped', path: ['citations', 3, 'range'], reason: 'an acme citation has no range' },
    ])
  })

  it('asks a condition what holds for this upstream', () => {
    const cited = table<Citation>('acme', ['range', 'source', 'grounded', 'extras'], {
      quote: ({ toward }) => (toward === 'client' ? undefined : 'acme takes no quotes back'),
    })
    const [upstream, client] = [createLosses(), createLosses()]
    reportUnsupported(citation, cited, upstream, context)
    reportUnsupported(citation, cited, client, { ...context, toward: 'client' })
    expect(upstream.entries()).toEqual([{ kind: 'dropped', path: ['quote'], reason: 'acme takes no quotes back' }])
    expect(client.entries()).toEqual([])
  })

  it('reports the extras of its own protocol, and leaves those of others to their walker', () => {
    const cited = table<Citation>('acme', ['source', 'grounded', 'range', 'quote'], {
      extras: 'acme citations are plain',
    })
    const [own, foreign] = [createLosses(), createLosses()]
    reportUnsupported(citation, cited, own, context)
    reportUnsupported({ ...citation, extras: { other: { x: 1 } } }, cited, foreign, context)
    expect(own.entries()).toEqual([{ kind: 'dropped', path: ['extras', 'acme'], reason: 'acme citations are plain' }])
    expect(foreign.entries()).toEqual([])
  })

  it('reports nothing for members that are not there', () => {
    const losses = createLosses()
    reportUnsupported({}, table<Delivery>('acme', []), losses, context)
    expect(losses.entries()).toEqual([])
  })

  it('does not compile with a member that the node does not have, or without a node', () => {
    // @ts-expect-error there is no such member
    table<CacheMark>('acme', ['ttl', 'until'])
    // @ts-expect-error there is no such member to give a reason for
    table<Delivery>('acme', [], { until: 'acme has no end' })
    // @ts-expect-error a node is missing: a new node stops every codec that does not say what becomes of it
    const tables: NodeTables = { request: 'whole' }
    expect(tables).toEqual({ request: 'whole' })
  })
})
