import type { Json, JsonObject } from '@dragoman/core'
import { genai } from '@dragoman/core/schemas'
import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { schemaAt, wireObject, type Hooks } from './grammar.ts'
import { anyBase64, key, sealValue, text, word, writing } from './json.ts'
import { never } from './record.ts'
import { input, loose, strict } from './wire.ts'

/** What stands in the data member of a part, as the grammar says. */
const data = (member: string, hooks: Hooks) => wireObject(schemaAt(genai.request, 'contents', 'parts', member), hooks)

const signed = () => ({ thoughtSignature: sealValue() })

export function textPart(): Arbitrary<JsonObject> {
  return loose({ text: writing() }, signed())
}

export function thought(): Arbitrary<JsonObject> {
  return fc.oneof(
    { weight: 4, arbitrary: loose({ text: writing(), thought: fc.constant(true) }, signed()) },
    {
      weight: 1,
      arbitrary: loose({ text: fc.constant(''), thought: fc.constant(true), thoughtSignature: sealValue() }),
    },
    // Go's SDK leaves out an empty text.
    { weight: 1, arbitrary: strict({ thought: fc.constant(true), thoughtSignature: sealValue() }) },
  )
}

/** Inline data or a URI, with a time range and a resolution. */
export function mediaPart(): Arbitrary<JsonObject> {
  const mime = fc.constantFrom('image/png', 'application/pdf', 'audio/wav', 'video/mp4', 'text/plain', 'image/gif')
  const displayName = writing()
  const file = fc
    .tuple(data('fileData', { mimeType: never, fileUri: fileUri(), displayName }), mime)
    .map(([fileData, mimeType]) => ({ mimeType, ...fileData }))
  const media = fc.oneof(
    loose({ inlineData: data('inlineData', { mimeType: mime, data: anyBase64(), displayName }) }, signed()),
    loose({ fileData: file }, signed()),
    loose({ fileData: loose({ fileUri: fc.constant('https://www.youtube.com/watch?v=x') }) }),
  )
  const clip = data('videoMetadata', {
    startOffset: fc.constant('1.5s'),
    endOffset: fc.constant('30s'),
    fps: fc.integer({ min: 1, max: 24 }),
  })
  return fc
    .tuple(media, fc.option(clip, { freq: 1 }), fc.option(resolution(), { freq: 2 }))
    .map(([part, videoMetadata, mediaResolution]) => ({
      ...part,
      ...(videoMetadata === null ? {} : { videoMetadata }),
      ...(mediaResolution === null ? {} : { mediaResolution }),
    }))
}

function fileUri(): Arbitrary<string> {
  return fc.oneof(
    word().map((name) => `https://example.com/${name}.bin`),
    word().map((name) => `gs://bucket/${name}`),
    word().map((name) => `https://generativelanguage.googleapis.com/v1beta/files/${name}`),
  )
}

/** A word in requests, an object in responses; both spellings of the level. */
function resolution(): Arbitrary<Json> {
  const level = fc.constantFrom('LOW', 'MEDIUM', 'HIGH', 'MEDIA_RESOLUTION_LOW', 'MEDIA_RESOLUTION_ULTRA_HIGH')
  return fc.oneof<Arbitrary<Json>[]>(level, loose({ level }, { numTokens: fc.nat({ max: 3000 }) }))
}

export function codePart(): Arbitrary<JsonObject> {
  return fc.oneof(
    loose({ executableCode: data('executableCode', { language: fc.constant('PYTHON'), code: text() }) }, signed()),
    loose({
      codeExecutionResult: data('codeExecutionResult', {
        outcome: fc.constantFrom('OUTCOME_OK', 'OUTCOME_FAILED'),
        output: text(),
      }),
    }),
  )
}

/** A part of an unknown kind. */
export function futurePart(): Arbitrary<JsonObject> {
  return word().map((name) => ({ [`x_${name}`]: { some: 'thing' } }))
}

export function callPart(): Arbitrary<JsonObject> {
  return loose({ functionCall: data('functionCall', { id: never, args: input() }) }, signed())
}

/** Plain text, an error, or an object of the function; with media. */
export function resultMembers(): Arbitrary<JsonObject> {
  const own = fc.dictionary(key(), text(), { maxKeys: 2, noNullPrototype: true })
  const response = fc.oneof<Arbitrary<Json>[]>(
    text().map((output) => ({ output })),
    text().map((error) => ({ error })),
    own.map((error) => ({ error })),
    fc.constantFrom<Json>({ error: 5 }, { output: 5 }, { output: 'x', error: null }, { result: { output: 'x' } }),
    own,
  )
  const media = loose({
    inlineData: loose({ mimeType: fc.constant('image/png'), data: anyBase64() }, { displayName: word() }),
  })
  return loose(
    { response },
    {
      parts: fc.array(media, { minLength: 1, maxLength: 2 }),
      scheduling: fc.constant('SILENT'),
      willContinue: fc.boolean(),
    },
  )
}
