import type { Json, JsonObject } from '@dragoman/core'
import { messages } from '@dragoman/core/schemas'
import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { schemaAt, wireObject, type Hooks } from './grammar.ts'
import { anyBase64, sealValue, text, url, word, writing } from './json.ts'
import { maybe, never } from './record.ts'
import { input, loose } from './wire.ts'

const at = (...path: string[]) => schemaAt(messages.request, ...path)
const block = (type: string, hooks: Hooks) => wireObject(at('messages', 'content', `type=${type}`), hooks)
const source = (block: string, type: string, hooks: Hooks) =>
  wireObject(at('messages', 'content', `type=${block}`, 'source', `type=${type}`), hooks)

/** One or two blocks of an assistant: a search by the upstream comes with its result. */
export function contentBlocks(): Arbitrary<readonly JsonObject[]> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.tuple(textBlock(fc.array(citation(), { minLength: 1, maxLength: 2 }))) },
    {
      weight: 3,
      arbitrary: fc.tuple(signedThought()),
    },
    { weight: 1, arbitrary: fc.tuple(block('redacted_thinking', { data: sealValue() })) },
    { weight: 1, arbitrary: search() },
    { weight: 1, arbitrary: fc.tuple(loose({ type: word().map((name) => `x_${name}`) })) },
  )
}

function signedThought(): Arbitrary<JsonObject> {
  return fc
    .tuple(block('thinking', { thinking: text(), signature: never }), sealValue())
    .map(([thought, signature]) => ({ ...thought, signature }))
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
    .tuple(block('text', { text: writing(), citations: never }), maybe(citations))
    .map(([block, citations]) => (citations === undefined ? block : { ...block, citations }))
}

function image(): Arbitrary<JsonObject> {
  return block('image', {
    source: fc.oneof(source('image', 'base64', { data: anyBase64() }), ...remotes('image')),
  })
}

function remotes(block: string): Arbitrary<JsonObject>[] {
  return [source(block, 'url', { url: url() }), source(block, 'file', {})]
}

function document(): Arbitrary<JsonObject> {
  return block('document', {
    source: fc.oneof(
      source('document', 'base64', { data: anyBase64() }),
      source('document', 'text', { media_type: fc.constant('text/plain'), data: writing() }).map(withMediaType),
      source('document', 'content', { content: fc.oneof<Arbitrary<Json>[]>(writing(), texts()) }),
      ...remotes('document'),
    ),
    title: writing(),
    context: writing(),
    citations: loose({ enabled: fc.boolean() }),
  })
}

/** Encoders always write it. */
function withMediaType(source: JsonObject): JsonObject {
  return { media_type: 'text/plain', ...source }
}

function texts(): Arbitrary<readonly JsonObject[]> {
  return fc.array(textBlock(fc.constant(undefined)), { minLength: 1, maxLength: 2 })
}

function searchResult(): Arbitrary<JsonObject> {
  const nullable = fc.option(word(), { freq: 3 })
  return fc
    .tuple(
      block('search_result', {
        content: texts(),
        citations: loose({ enabled: fc.boolean() }),
        source: never,
        title: never,
      }),
      nullable,
      nullable,
    )
    .map(([result, source, title]) => ({ ...result, source, title }))
}

export function toolUse(name: Arbitrary<string>): Arbitrary<JsonObject> {
  return block('tool_use', { id: word().map((id) => `toolu_${id}`), name, input: input() })
}

export function toolResult(): Arbitrary<JsonObject> {
  const content = fc.oneof<Arbitrary<Json>[]>(
    writing(),
    fc.array(fc.oneof(textBlock(fc.constant(undefined)), image(), searchResult()), { minLength: 1, maxLength: 2 }),
  )
  return block('tool_result', { tool_use_id: never, content, is_error: fc.boolean() })
}

function search(): Arbitrary<readonly JsonObject[]> {
  const inside = (type: string, hooks: Hooks) =>
    wireObject(at('messages', 'content', 'type=web_search_tool_result', 'content', `type=${type}`), hooks)
  const hit = inside('web_search_result', {
    url: url(),
    title: writing(),
    encrypted_content: sealValue(),
    page_age: word(),
  })
  const failure = inside('web_search_tool_result_error', { error_code: fc.constant('max_uses_exceeded') })
  const call = fc
    .tuple(block('server_tool_use', { id: never, name: fc.constant('web_search'), input: never }), input())
    .map(([use, input]) => ({ ...use, input }))
  const found = block('web_search_tool_result', {
    tool_use_id: never,
    content: fc.oneof<Arbitrary<Json>[]>(fc.array(hit, { maxLength: 2 }), failure),
  })
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
