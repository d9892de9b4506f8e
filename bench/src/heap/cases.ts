import type { Protocol } from '@dragoman/core'
import { protocols } from '@dragoman/core/protocols'
import { requestCase, responseCase, streamCase } from '../converters/cases.ts'
import { longRequest } from '../corpus/requests.ts'
import { wireRequest } from '../corpus/wire.ts'
import { createExchange, type Operation } from './exchange.ts'

export interface HeapCase {
  readonly name: string
  /** The number of operations in one window. */
  readonly operations: number
  /** Prepares everything that is not measured. */
  readonly prepare: () => Operation
}

const TOKENS = 100
/** A stream counts as a hundred small operations. */
const OPERATIONS = 500
const STREAMS = 200

/** Every converter, and every mode of a call through the gateway. */
export function listCases(): HeapCase[] {
  const pairs = protocols.flatMap((client) => protocols.map((upstream) => ({ client, upstream })))
  return [
    ...pairs
      .filter(({ client, upstream }) => client !== upstream)
      .flatMap((pair) => converterCases(pair.client, pair.upstream)),
    ...pairs.flatMap(({ client, upstream }) => gatewayCases(client, upstream)),
  ]
}

function converterCases(client: Protocol, upstream: Protocol): HeapCase[] {
  const pair = `${client.name} → ${upstream.name}`
  const cases = {
    request: () => requestCase('typical request', client, upstream, wireRequest(client, longRequest())),
    response: () => responseCase(client, upstream),
    stream: () => streamCase(client, upstream, TOKENS),
  }
  return Object.entries(cases).map(([what, make]) => ({
    name: `converter ${pair}, ${what}`,
    operations: what === 'stream' ? STREAMS : OPERATIONS,
    prepare() {
      const [first] = make().works
      if (first === undefined) throw new Error(`No operation for ${pair}, ${what}.`)
      return first.work
    },
  }))
}

function gatewayCases(client: Protocol, upstream: Protocol): HeapCase[] {
  const pair = `${client.name} → ${upstream.name}`
  return [
    { name: `gateway ${pair}, whole`, operations: OPERATIONS, prepare: () => createExchange(client, upstream, 0) },
    { name: `gateway ${pair}, stream`, operations: STREAMS, prepare: () => createExchange(client, upstream, TOKENS) },
  ]
}
