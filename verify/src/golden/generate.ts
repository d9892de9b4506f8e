import { writeFileSync } from 'node:fs'
import { brotliCompressSync, constants } from 'node:zlib'
import { SUBJECT_OF } from '@dragoman/testkit'
import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { PROTOCOLS, type ProtocolName } from '../fidelity/fact.ts'
import type { JsonObject, JsonValue } from '../fidelity/json.ts'
import { STORED, type Input } from './input.ts'

/** The number of inputs of each kind for every protocol: 2,001 in total. */
const REQUESTS = 300
const DAMAGED = 67
const ANSWERS = 150
const STREAMS = 150

/** Writes new inputs. The whole record changes with them: use `--generate` only for a new protocol. */
export function writeInputs(): void {
  const lines = PROTOCOLS.flatMap(generate).map((input) => JSON.stringify(input))
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 } }
  writeFileSync(STORED, brotliCompressSync(`${lines.join('\n')}\n`, quality))
}

function generate(from: ProtocolName): Input[] {
  const subject = SUBJECT_OF[from]
  if (subject === undefined) throw new Error(`There are no generators for ${from}.`)
  const { request, response, stream } = subject.wires
  const inputs = <T>(
    name: string,
    kind: Input['kind'],
    values: readonly T[],
    wireOf: (value: T) => JsonObject,
  ): Input[] =>
    values.map((value, index) => ({
      id: `generated/${from}-${name}/${`${index + 1}`.padStart(3, '0')}`,
      kind,
      from,
      wire: wireOf(value),
    }))
  return [
    ...inputs('request', 'request', sample(request, REQUESTS), (wire) => wire),
    ...inputs('damaged', 'request', sample(damaged(request), DAMAGED), (wire) => wire),
    ...inputs('response', 'response', sample(response, ANSWERS), (wire) => wire),
    ...inputs('stream', 'stream', sample(stream, STREAMS), ({ frames }) => ({ text: frames.join('') })),
  ]
}

function sample<T>(values: Arbitrary<T>, numRuns: number): readonly T[] {
  return fc.sample(values, { numRuns, seed: 11 })
}

/** Values of the wrong type or range. */
const WRONG: readonly JsonValue[] = [null, true, -1, 1.5, '', 'wrong', [], {}, [null], [{}], { type: 'wrong' }]

/** A request with one value replaced by a wrong one. */
function damaged(requests: Arbitrary<JsonObject>): Arbitrary<JsonObject> {
  return fc.tuple(requests, fc.nat(), fc.constantFrom(...WRONG)).map(([request, pick, wrong]) => {
    const count = countValues(request)
    return replaceValue(request, 1 + (pick % Math.max(1, count - 1)), wrong) as JsonObject // the root is not replaced
  })
}

function countValues(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce((count: number, inner) => count + countValues(inner), 1)
}

/** A copy with another value at the given position, counted from the root, depth first. */
function replaceValue(value: JsonValue, position: number, wrong: JsonValue): JsonValue {
  if (position === 0) return wrong
  if (typeof value !== 'object' || value === null) return value
  let left = position - 1
  const replaceIn = (inner: JsonValue): JsonValue => {
    const size = countValues(inner)
    const replaced = left >= 0 && left < size ? replaceValue(inner, left, wrong) : inner
    left -= size
    return replaced
  }
  if (Array.isArray(value)) return value.map(replaceIn)
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, replaceIn(inner)]))
}
