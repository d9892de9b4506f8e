import {
  checkCounts,
  DragomanError,
  isObject,
  refuseDepth,
  type CountCodec,
  type JsonObject,
  type Match,
  type ModelRequest,
  type Protocol,
} from '@dragoman/core'
import { readJson } from '../ports/body.ts'
import { fillReferences, referencesOf } from './references.ts'
import { estimateTokens } from './estimate.ts'
import { relayBody } from './relay-body.ts'
import { present, type BodyFacts, type LocalWork, type SentBody, type WorkOptions } from './request-work.ts'

export interface CountFacts extends BodyFacts {
  /** The estimated tokens of the request. */
  readonly estimate: number
}

/** The work on a body to count. It is relayed, never translated. */
export function createCountWork(
  inbound: Protocol,
  match: Match,
  { bytes }: SentBody,
  { counts }: WorkOptions,
): LocalWork<CountFacts, undefined> {
  let held: JsonObject | undefined
  let source: Uint8Array | undefined = bytes
  const decode = (json: JsonObject): ModelRequest => {
    const { request, issuer } = inbound
    return request.decode(request.check(countCodec(inbound).request(json)), { issuer, path: match })
  }
  const read = (json: unknown): CountFacts => {
    const { request, relay } = inbound
    if (!isObject(json)) throw new DragomanError('invalid-request', 'The body must be a JSON object.')
    checkCounts(countCodec(inbound).request(json), request.history, bytes.length, counts)
    const estimate = refuseDepth(() => estimateTokens(decode(json)))
    held = json
    return { peek: relay.peek(json, match), estimate }
  }
  return {
    read() {
      const json = readJson(present(source))
      const references = referencesOf(inbound, json)
      return references === undefined ? read(json) : { peek: { model: '', stream: false }, references, estimate: 0 }
    },
    fill(texts) {
      source = fillReferences(inbound, present(source), texts)
      return read(readJson(source))
    },
    prepare: (route) => relayBody(inbound, { bytes: present(source), json: present(held) }, route),
    decode: () => decode(present(held)),
    close() {
      held = undefined
      source = undefined
    },
  }
}

export function countCodec({ count }: Protocol): CountCodec {
  if (count === undefined) throw new DragomanError('not-found', 'This protocol does not count tokens.')
  return count
}
