import type { Kind, ProtocolName } from '../fact.ts'
import { isObject, listOf, objectOf, type JsonObject, type JsonValue } from '../json.ts'

/** Reduces alternative spellings of a protocol to one, so that a look needs to know only one. */
export function spell(protocol: ProtocolName, kind: Kind, body: JsonObject): JsonObject {
  return kind === 'request' ? REQUEST[protocol](body) : kind === 'error' ? body : RESPONSE[protocol](body)
}

const REQUEST: { readonly [Name in ProtocolName]: (body: JsonObject) => JsonObject } = {
  chat: (body) => ({
    ...body,
    messages: listOf(body['messages']).map((message) => withParts(message, 'content')),
    ...(typeof body['stop'] === 'string' ? { stop: [body['stop']] } : {}),
    ...(body['max_tokens'] != null && body['max_completion_tokens'] == null
      ? { max_completion_tokens: body['max_tokens'] }
      : {}),
  }),
  messages: (body) => ({
    ...withParts(body, 'system'),
    messages: listOf(body['messages']).map((message) => {
      const spelled = withParts(message, 'content')
      return { ...spelled, content: listOf(spelled['content']).map((block) => withParts(block, 'content')) }
    }),
  }),
  genai: (body) => ({
    ...body,
    contents: listOf(body['contents']).map((content) => ({ role: 'user', ...objectOf(content) })),
  }),
  responses: ({ input, ...body }) => ({
    ...withParts(body, 'instructions', 'input_text'),
    input: (typeof input === 'string' ? [{ role: 'user', content: input }] : listOf(input)).map((item) => {
      const type = objectOf(item)['role'] === 'assistant' ? 'output_text' : 'input_text'
      return withParts(withParts(item, 'content', type), 'output', type)
    }),
  }),
}

const RESPONSE: { readonly [Name in ProtocolName]: (body: JsonObject) => JsonObject } = {
  chat: (body) => body,
  messages: (body) => body,
  responses: (body) => body,
  genai: (body) => ({
    ...body,
    candidates: listOf(body['candidates']).map((given) => {
      const candidate = objectOf(given)
      const reason = candidate['finishReason']
      return typeof reason === 'string'
        ? { ...candidate, finishReason: reason.replace('FINISH_REASON_', '') }
        : candidate
    }),
  }),
}

/** A plain string is one text part. */
function withParts(value: JsonValue, member: string, type = 'text'): JsonObject {
  const node = isObject(value) ? value : {}
  const content = node[member]
  return typeof content === 'string' ? { ...node, [member]: [{ type, text: content }] } : node
}
