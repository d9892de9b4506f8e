import type { Json, JsonObject } from '@dragoman/core'
import { many, type Shapes } from './shapes.ts'

/** Requests with calls that carry the seals of the reasoning before them: see `wrapBundle` in core. */
export const sealShapes: Shapes['request'] = {
  'seals on one call': (size) =>
    called(
      [
        thought('a'.repeat(size)),
        carrier(
          0,
          many<Json>(size, () => ({ length: 1, seal: SEAL })),
        ),
      ],
      1,
    ),
  'seals on many calls': (size) =>
    called(
      many(size, (index) => [thought('a'), { text: 'a' }, carrier(index, [{ length: 1, seal: SEAL }, 1])]).flat(),
      size,
    ),
}

const SEAL = { issuer: 'anthropic', value: 'sig' }

function thought(text: string): JsonObject {
  return { text, thought: true }
}

function carrier(index: number, before: readonly Json[]): JsonObject {
  const thoughtSignature = btoa(`dg1.*.${JSON.stringify({ before })}`)
  return { functionCall: { id: `call_${index}`, name: 'f', args: {} }, thoughtSignature }
}

function called(parts: readonly JsonObject[], calls: number): JsonObject {
  const results = many(calls, (index) => ({
    functionResponse: { id: `call_${index}`, name: 'f', response: { output: 'done' } },
  }))
  return {
    contents: [
      { role: 'user', parts: [{ text: 'a' }] },
      { role: 'model', parts },
      { role: 'user', parts: results },
    ],
  }
}
