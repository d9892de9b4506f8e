import { editTopLevel, type JsonObject, type Protocol } from '@dragoman/core'
import type { MediaCodec } from '@dragoman/core/media'
import { dialectOf, type OutgoingBody } from '@dragoman/core/provider'
import { guardEdits } from '../bodies/relay-body.ts'
import type { WorkRoute } from '../bodies/request-work.ts'
import { editForm } from '../bodies/short-form.ts'
import { decodeText } from '../ports/collect.ts'
import { upstreamName } from '../models/route-facts.ts'
import type { MediaBody } from './media-body.ts'

/** The client's own bytes with named members edited. */
export function relayedBody(
  codec: MediaCodec,
  inbound: Protocol,
  { json, short, form }: MediaBody,
  route: WorkRoute,
): { readonly bytes: OutgoingBody; readonly form?: string } {
  const edits = guardEdits(inbound, json, route, editsOf(codec, inbound, json, route))
  if (form !== undefined) return { bytes: editForm(form, form.parts, edits), form: form.type }
  const edited = editTopLevel(short.bytes, edits)
  const filled = short.fill(decodeText(edited))
  return { bytes: typeof filled === 'string' ? edited : filled }
}

/** Without those of conversations for their streams. */
function editsOf(
  codec: MediaCodec,
  inbound: Protocol,
  json: JsonObject,
  { card }: WorkRoute,
): ReturnType<Protocol['relay']['edits']> {
  const name = upstreamName({ card })
  if (codec.edits !== undefined) return codec.edits(json, name, dialectOf(card, inbound.name))
  const { stream: _, ...others } = json
  return inbound.relay.edits(others, name)
}
