import { DragomanError, type Match, type Protocol } from '@dragoman/core'
import { present, type LocalWork, type WorkOptions } from '../bodies/request-work.ts'
import { prepareFor } from '../operations/prepare-for.ts'
import type { JsonOperation, OperationCall } from '../operations/operation.ts'
import type { KindOf, MediaKind } from './media-kind.ts'
import { readMediaBody, type MediaFacts } from './media-work.ts'

export interface MediaOperationOptions {
  /** The name that protocols use in `Match.operation`. */
  readonly name: string
  /** The member of a protocol with the codec. */
  readonly codec: keyof Protocol
  /** The kinds of media that its calls can be. */
  readonly kinds: readonly MediaKind[]
  /** Chooses one of them; by default the first. */
  readonly kindOf?: KindOf
}

/**
 * An operation for media that one JSON body asks for. Its calls are routed, tried again, limited, metered and explained like those of
 * conversations.
 */
export function mediaOperation({ name, codec, kinds, kindOf }: MediaOperationOptions): JsonOperation<MediaFacts> {
  const find = (wanted: string): MediaKind => {
    const kind = kinds.find((each) => each.name === wanted)
    if (kind === undefined) throw new DragomanError('internal', `${name} has no calls of the kind ${wanted}.`)
    return kind
  }
  const choose: KindOf = kindOf ?? (() => present(kinds[0]))
  return {
    name,
    body: 'json',
    codec,
    needsKey: true,
    metered: 'usage',
    serves: (route, _inbound, body) => find(body.kind).serves(route),
    createWork: (inbound, match, bytes, options) => createJsonWork(choose, inbound, match, bytes, options),
    ask(call: OperationCall<MediaFacts>, route, next) {
      prepareFor(call, route, next, (prepared) => find(call.body.kind).ask(call, route, prepared, next))
    },
  }
}

function createJsonWork(
  kindOf: KindOf,
  inbound: Protocol,
  match: Match,
  bytes: Uint8Array,
  options: WorkOptions,
): LocalWork<MediaFacts> {
  let source: Uint8Array | undefined = bytes
  let work: LocalWork<MediaFacts> | undefined
  return {
    read() {
      const body = readMediaBody(present(source), inbound.request.history, options)
      source = undefined
      work = kindOf(body.json, inbound).createWork(inbound, match, body, options)
      return work.read()
    },
    prepare: (route) => present(work).prepare(route),
    close() {
      source = undefined
      work?.close()
      work = undefined
    },
  }
}
