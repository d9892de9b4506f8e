import {
  createLosses,
  type Candidate,
  type Part,
  type Protocol,
  type ModelResponse,
  type ToolCall,
} from '@dragoman/core'
import { eventsOf, foldOf } from '../generators/stream.ts'
import { understood } from './crossing.ts'
import { normal, normalArguments, same, show } from './same.ts'
import { bytesOf, decodeStream, encodeStream } from './streams.ts'
import { createExchange, sent, type Subject, type WireStream } from './subject.ts'

/**
 * Fold: a response that is written as a stream and one that is written whole are read as the same response. The arguments of calls are
 * JSON here: a protocol that holds them parsed cannot express other text, and in a stream it notices that too late.
 */
export function mustFold(
  protocol: Protocol,
  subject: Subject,
  response: ModelResponse,
  sizes: readonly number[],
): void {
  const events = eventsOf(
    { ...response, candidates: response.candidates.map((one) => alike(withJson(one), subject)) },
    sizes,
    'usual',
  )
  const meant = foldOf(events)
  const whole = createExchange(protocol, subject, { toward: 'client' })
  const body = sent(protocol.response.encode(meant, whole.encode(createLosses())))
  const piecemeal = createExchange(protocol, subject, { toward: 'client' })
  const text = encodeStream(protocol, events, piecemeal.encode(createLosses()))
  const one = normal(understood(protocol.response.decode(body, whole.decode), subject, whole))
  const read = foldOf(decodeStream(protocol, [bytesOf(text)], piecemeal.decode))
  const other = normal(understood(read, subject, piecemeal))
  if (!same(one, other))
    throw new Error(`whole and stream differ\n whole  ${show(one)}\n stream ${show(other)}\n text ${text}`)
}

function alike(candidate: Candidate, subject: Subject): Candidate {
  return { ...candidate, parts: subject.alike?.(candidate.parts) ?? candidate.parts }
}

function withJson(candidate: Candidate): Candidate {
  return {
    ...candidate,
    parts: candidate.parts.map((part) => (isUnreadable(part) ? { ...part, arguments: '{}' } : part)),
  }
}

function isUnreadable(part: Part): part is ToolCall {
  return part.type === 'tool-call' && part.custom === undefined && typeof normalArguments(part.arguments) === 'string'
}

/** An upstream's stream is read as the response that it would have given without streaming. */
export function mustFoldWire(protocol: Protocol, subject: Subject, stream: WireStream): void {
  const { decode } = createExchange(protocol, subject, { toward: 'client' })
  const one = normal(protocol.response.decode(stream.answer, decode))
  const other = normal(foldOf(decodeStream(protocol, [bytesOf(stream.frames.join(''))], decode)))
  if (!same(one, other)) throw new Error(`whole and stream differ\n whole  ${show(one)}\n stream ${show(other)}`)
}
