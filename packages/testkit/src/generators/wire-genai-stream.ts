import type { Json, JsonObject } from '@dragoman/core'
import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import type { WireStream } from '../laws/subject.ts'
import { cuts } from './stream.ts'
import { streamedAnswer } from './wire-genai-answer.ts'
import { piecesOf } from './wire.ts'

/** A response in chunks, and the same response whole: usage grows, calls come whole or in pieces, a chunk may follow the last. */
export function genaiStream(): Arbitrary<WireStream> {
  return fc
    .record({
      answer: streamedAnswer(),
      sizes: cuts(),
      trailing: fc.boolean(),
      early: fc.boolean(),
      partial: fc.boolean(),
    })
    .map(({ answer, sizes, trailing, early, partial }) => {
      const { candidates, usageMetadata, promptFeedback, ...head } = answer
      const [candidate] = (candidates ?? []) as readonly JsonObject[] // as generated
      const { modelVersion, responseId, createTime, ...unknown } = head
      const repeated = Object.fromEntries(
        Object.entries({ modelVersion, responseId, createTime }).filter(([, value]) => value !== undefined),
      ) as JsonObject // members without a value are filtered out
      const counted = usageMetadata === undefined ? {} : { usageMetadata }
      const frame = (chunk: JsonObject) => `data: ${JSON.stringify({ ...chunk, ...repeated })}\n\n`
      const body = { contents: [{ parts: [{ text: 'hi' }] }] }
      if (candidate === undefined) {
        return {
          body,
          frames: [frame({ promptFeedback: promptFeedback ?? null, ...counted, ...unknown })],
          whole: 0,
          answer,
        }
      }
      const begun =
        early && usageMetadata !== undefined ? { usageMetadata: { promptTokenCount: 1, totalTokenCount: 1 } } : {}
      const chunks = chunksOf(candidate, sizes, partial).map((one) => ({ candidates: [{ ...one, index: 0 }] }))
      const last = { candidates: [endOf(candidate)], ...(trailing ? {} : counted) }
      const frames = [
        ...chunks.map((chunk, index) => frame(index === 0 ? { ...chunk, ...begun, ...unknown } : chunk)),
        frame(chunks.length === 0 ? { ...last, ...unknown } : last),
      ]
      const whole = frames.length - 1
      return { body, frames: trailing ? [...frames, frame(counted)] : frames, whole, answer }
    })
}

/** The last chunk: the finish reason, and what occurs once for the whole response. */
function endOf(candidate: JsonObject): JsonObject {
  const { content, citationMetadata: _citations, logprobsResult: _logprobs, ...rest } = candidate
  const { parts: _parts, ...others } = content as JsonObject // as generated
  return { ...rest, content: others, index: 0 }
}

/** A text comes in pieces, with its seal at the end. Its citations come with the last piece. */
function chunksOf(candidate: JsonObject, sizes: readonly number[], partial: boolean): JsonObject[] {
  const { parts } = candidate['content'] as { readonly parts: readonly JsonObject[] } // as generated
  const cited = citationsOf(candidate)
  let bytes = 0
  const chunks = parts.flatMap((part) => {
    const pieces = piecesOfPart(part, sizes, partial).map((piece): JsonObject => ({
      content: { role: 'model', parts: [piece] },
    }))
    if (typeof part['text'] !== 'string' || part['thought'] === true) return pieces
    const from = bytes
    bytes += Buffer.byteLength(part['text'])
    const citations = cited.filter(({ startIndex = 0 }) => Number(startIndex) >= from && Number(startIndex) < bytes)
    if (citations.length === 0) return pieces
    return pieces.map((piece, index) =>
      index === pieces.length - 1 ? { ...piece, citationMetadata: { citations } } : piece,
    )
  })
  return [...chunks, ...tokensOf(candidate['logprobsResult'])]
}

function citationsOf(candidate: JsonObject): readonly JsonObject[] {
  const { citations } = (candidate['citationMetadata'] ?? { citations: [] }) as {
    readonly citations: readonly JsonObject[]
  } // as generated
  return citations
}

function piecesOfPart(part: JsonObject, sizes: readonly number[], partial: boolean): JsonObject[] {
  if (partial && part['functionCall'] !== undefined) return piecesOfCall(part, sizes)
  if (typeof part['text'] !== 'string' || part['text'] === '') return [part]
  const { text, thought, thoughtSignature, ...unknown } = part
  const kind = thought === undefined ? {} : { thought }
  const pieces = piecesOf(text, sizes).map((piece): JsonObject => ({ text: piece, ...kind }))
  const sealed: JsonObject[] = thoughtSignature === undefined ? [] : [{ text: '', ...kind, thoughtSignature }]
  return [...pieces, ...sealed].map((piece, index) => (index === 0 ? { ...unknown, ...piece } : piece))
}

/** A call whose arguments come path by path, with strings in pieces. */
function piecesOfCall(part: JsonObject, sizes: readonly number[]): JsonObject[] {
  const { functionCall, ...beside } = part
  const { args, ...call } = functionCall as JsonObject // as generated
  const values = Object.entries((args ?? {}) as JsonObject) // as generated
  if (values.some(([, value]) => typeof value === 'object' && value !== null)) return [part]
  const partialArgs = values.flatMap(([key, value]) => {
    const jsonPath = `$['${key}']`
    if (typeof value !== 'string')
      return [
        {
          jsonPath,
          ...(typeof value === 'number'
            ? { numberValue: value }
            : value === null
              ? { nullValue: 'NULL_VALUE' }
              : { boolValue: value }),
        },
      ]
    const pieces = value === '' ? [''] : piecesOf(value, sizes)
    return pieces.map((stringValue): JsonObject => ({ jsonPath, stringValue, willContinue: true }))
  })
  return [
    { ...beside, functionCall: { ...call, willContinue: true } },
    ...partialArgs.map((partialArg): JsonObject => ({
      functionCall: { partialArgs: [partialArg], willContinue: true },
    })),
    { functionCall: {} },
  ]
}

/** One token per chunk. */
function tokensOf(result: Json | undefined): JsonObject[] {
  const { chosenCandidates = [], topCandidates } = (result ?? {}) as {
    readonly chosenCandidates?: readonly Json[]
    readonly topCandidates?: readonly Json[]
  } // as generated
  return chosenCandidates.map((token, index) => ({
    logprobsResult: {
      chosenCandidates: [token],
      ...(topCandidates === undefined ? {} : { topCandidates: [topCandidates[index] ?? {}] }),
    },
  }))
}
