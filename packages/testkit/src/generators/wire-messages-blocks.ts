import type { JsonObject } from '@dragoman/core'
import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { anyBase64, sealValue, text, url, word, writing } from './json.ts'
import { maybe } from './record.ts'
import { input, loose } from './wire.ts'

const cacheControl = () => loose({ type: fc.constant('ephemeral') }, { ttl: fc.constantFrom('5m', '1h') })
export const cached = () => ({ cache_control: cacheControl() })

/** One or two blocks of an assistant: a search by the upstream comes with its result. */
export function contentBlocks(): Arbitrary<readonly JsonObject[]> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.tuple(textBlock(fc.array(citation(), { minLength: 1, maxLength: 2 }))) },
    {
      weight: 3,
      arbitrary: fc.tuple(loose({ type: fc.constant('thinking'), thinking: text(), signature: sealValue() })),
    },
    { weight: 1, arbitrary: fc.tuple(loose({ type: fc.constant('redacted_thinking'), data: sealValue() })) },
    { weight: 1, arbitrary: search() },
    { weight: 1, arbitrary: fc.tuple(loose({ type: word().map((name) => `x_${name}`) })) },
  )
}

export function asked(): Arbitrary<JsonObject> {
  return fc.oneof(
    textBlock(fc.constant(undefined)),
    image(),
    document(),
    searchResult(),
    loose({ type: word().map((name) => `x_${name}`) }),
  )
}

export function textBlock(citations: Arbitrary<readonly JsonObject[] | undefined>): Arbitrary<JsonObject> {
  return fc
    .tuple(loose({ type: fc.constant('text'), text: writing() }, cached()), maybe(citations))
    .map(([block, citations]) => (citations === undefined ? block : { ...block, citations }))
}

function image(): Arbitrary<JsonObject> {
  const mime = fc.constantFrom('image/jpeg', 'image/png', 'image/gif', 'image/webp')
  const source = fc.oneof(loose({ type: fc.constant('base64'), media_type: mime, data: anyBase64() }), remote())
  return loose({ type: fc.constant('image'), source }, cached())
}

function remote(): Arbitrary<JsonObject> {
  return fc.oneof(
    loose({ type: fc.constant('url'), url: url() }),
    loose({ type: fc.constant('file'), file_id: word() }),
  )
}

function document(): Arbitrary<JsonObject> {
  const source = fc.oneof(
    loose({ type: fc.constant('base64'), media_type: fc.constant('application/pdf'), data: anyBase64() }),
    loose({ type: fc.constant('text'), media_type: fc.constant('text/plain'), data: writing() }),
    loose({
      type: fc.constant('content'),
      content: fc.oneof(writing(), fc.array(textBlock(fc.constant(undefined)), { minLength: 1, maxLength: 2 })),
    }),
    remote(),
  )
  const flags = loose({ enabled: fc.boolean() })
  return loose(
    { type: fc.constant('document'), source },
    { title: writing(), context: writing(), citations: flags, ...cached() },
  )
}

function searchResult(): Arbitrary<JsonObject> {
  const nullable = fc.option(word(), { freq: 3 })
  const content = fc.array(textBlock(fc.constant(undefined)), { minLength: 1, maxLength: 2 })
  return loose(
    { type: fc.constant('search_result'), source: nullable, title: nullable, content },
    { citations: loose({ enabled: fc.boolean() }), ...cached() },
  )
}

export function toolUse(name: Arbitrary<string>): Arbitrary<JsonObject> {
  return loose({ type: fc.constant('tool_use'), id: word().map((id) => `toolu_${id}`), name, input: input() }, cached())
}

export function toolResult(): Arbitrary<JsonObject> {
  const content = fc.oneof(
    writing(),
    fc.array(fc.oneof(textBlock(fc.constant(undefined)), image(), searchResult()), { minLength: 1, maxLength: 2 }),
  )
  return loose({ type: fc.constant('tool_result') }, { content, is_error: fc.boolean(), ...cached() })
}

function search(): Arbitrary<readonly JsonObject[]> {
  const hit = loose(
    { type: fc.constant('web_search_result'), url: url(), title: writing(), encrypted_content: sealValue() },
    { page_age: word() },
  )
  const failure = loose({
    type: fc.constant('web_search_tool_result_error'),
    error_code: fc.constant('max_uses_exceeded'),
  })
  const call = loose(
    { type: fc.constant('server_tool_use'), name: fc.constant('web_search'), input: input() },
    cached(),
  )
  const found = loose(
    { type: fc.constant('web_search_tool_result'), content: fc.oneof(fc.array(hit, { maxLength: 2 }), failure) },
    cached(),
  )
  return fc.tuple(word(), call, found).map(([name, call, found]) => {
    const id = `srvtoolu_${name}`
    return [
      { ...call, id },
      { ...found, tool_use_id: id },
    ]
  })
}

function citation(): Arbitrary<JsonObject> {
  const index = fc.nat({ max: 9 })
  const title = fc.option(writing(), { freq: 3 })
  const inDocument = { document_index: index, document_title: title, cited_text: writing() }
  const type = (name: string) => ({ type: fc.constant(name) })
  return fc.oneof(
    loose({ ...type('char_location'), ...inDocument, start_char_index: index, end_char_index: index }),
    loose({ ...type('page_location'), ...inDocument, start_page_number: index, end_page_number: index }),
    loose({ ...type('content_block_location'), ...inDocument, start_block_index: index, end_block_index: index }),
    loose({
      ...type('web_search_result_location'),
      cited_text: writing(),
      url: url(),
      title,
      encrypted_index: sealValue(),
    }),
    loose({
      ...type('search_result_location'),
      cited_text: writing(),
      source: title,
      title,
      search_result_index: index,
      start_block_index: index,
      end_block_index: index,
    }),
  )
}
