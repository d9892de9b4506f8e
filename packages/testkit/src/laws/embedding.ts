import {
  createLosses,
  DragomanError,
  type EncodeContext,
  type JsonObject,
  type Losses,
  type Protocol,
} from '@dragoman/core'
import type { EmbeddingAnswer, EmbeddingRequest, MediaCall, MediaCodec } from '@dragoman/core/media'
import type { Arbitrary } from 'fast-check'
import type { EmbeddingKinds } from '../generators/embedding.ts'
import { mustExplain } from './honesty.ts'
import { same, show } from './same.ts'
import { createNoLosses, sent } from './subject.ts'

/** One form of a protocol's requests for embeddings, for the laws. */
export interface EmbeddingForm {
  readonly protocol: Protocol
  readonly operation: string
  /** The owner of unknown members in this form; by default the protocol. */
  readonly owner?: string
  /** The dialect of an upstream that has this form. */
  readonly dialect?: JsonObject
  readonly kinds: EmbeddingKinds
  /** The most embeddings of an answer. */
  readonly most: number
  readonly wires: { readonly request: Arbitrary<JsonObject>; readonly answer: Arbitrary<JsonObject> }
  readonly canon: {
    readonly request: (wire: JsonObject) => { readonly operation: string; readonly body: JsonObject }
    readonly answer: (wire: JsonObject) => JsonObject
  }
  /** Throws if the other side would refuse the body. */
  readonly accepts: {
    request(body: JsonObject, operation: string): void
    answer(body: JsonObject): void
  }
}

export const MODEL = 'some/model'

/** Identity: decoding and encoding a request changes nothing except alternative spellings. */
export function mustKeepEmbedding(form: EmbeddingForm, wire: JsonObject): void {
  const { operation, canon } = form
  const codec = codecOf(form)
  const losses = createNoLosses()
  const request = codec.decode(codec.check(sent(wire), { operation }), decoding(form, operation))
  const call = codec.encode(request, encoding(form, losses, 'upstream'))
  mustBe({ operation: call.operation, body: sent(call.body) }, canon.request(sent(wire)))
  losses.mustBeEmpty()
}

/** Identity of answers. */
export function mustKeepEmbeddings(form: EmbeddingForm, wire: JsonObject): void {
  const { operation, canon } = form
  const codec = codecOf(form)
  const losses = createNoLosses()
  const answer = codec.answer.decode(sent(wire), decoding(form, operation))
  mustBe(
    sent(codec.answer.encode(answer, { ...encoding(form, losses, 'client'), operation })),
    canon.answer(sent(wire)),
  )
  losses.mustBeEmpty()
}

/** Honesty: an upstream understands the request, except for the losses in the report. What cannot be expressed at all is refused. */
export function mustEncodeEmbeddingHonestly(form: EmbeddingForm, request: EmbeddingRequest): void {
  const codec = codecOf(form)
  const losses = createLosses()
  let call: MediaCall
  try {
    call = codec.encode(request, { ...encoding(form, losses, 'upstream'), caller: undefined })
  } catch (error) {
    if (form.kinds.media && DragomanError.isInstance(error) && error.kind === 'unsupported') return
    throw error
  }
  const body = sent(call.body)
  form.accepts.request(body, call.operation)
  const understood = codec.decode(codec.check(body, call), {
    ...decoding(form, call.operation),
    path: { model: request.model },
  })
  mustExplain(losses.entries(), request, understood)
}

/** Honesty of answers, toward a client that asked for embeddings as numbers or as base64. */
export function mustEncodeEmbeddingsHonestly(
  form: EmbeddingForm,
  answer: EmbeddingAnswer,
  asked: string | undefined,
): void {
  const { operation } = form
  const codec = codecOf(form)
  const losses = createLosses()
  const context = { ...encoding(form, losses, 'client'), operation, asked: { encoding: asked } }
  const body = sent(codec.answer.encode(answer, context))
  form.accepts.answer(body)
  const back = codec.answer.decode(body, decoding(form, operation))
  // What was written as base64 is the same embedding.
  const plain = { ...context, asked: { encoding: 'float' }, losses: createNoLosses() }
  const understood =
    asked === 'base64' ? codec.answer.decode(sent(codec.answer.encode(back, plain)), decoding(form, operation)) : back
  mustExplain(losses.entries(), answer, understood)
}

function codecOf({ protocol }: EmbeddingForm): MediaCodec<EmbeddingRequest, EmbeddingAnswer> {
  if (protocol.embedding === undefined) throw new Error(`${protocol.name} has no embeddings`)
  return protocol.embedding
}

function decoding({ protocol, dialect }: EmbeddingForm, operation: string) {
  const path = operation === 'embedding' && protocol.http.base === '/api/v1' ? undefined : { model: MODEL }
  return { issuer: protocol.issuer, dialect, operation, path }
}

function encoding({ protocol, dialect }: EmbeddingForm, losses: Losses, toward: 'upstream' | 'client'): EncodeContext {
  const caller = protocol.name
  return { issuer: protocol.issuer, dialect, losses, toward, caller, id: () => 'new', now: 1_700_000_000 }
}

function mustBe(found: unknown, expected: unknown): void {
  if (!same(found, expected)) throw new Error(`the wire changed\n got      ${show(found)}\n expected ${show(expected)}`)
}
