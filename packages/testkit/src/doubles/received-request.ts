import { camelMembers } from './camel-members.ts'
import { isWire, type Wire } from './refuse.ts'

/** A request as an upstream understood it, independent of any protocol. */
export interface ReceivedRequest {
  readonly system: string
  readonly turns: readonly HeardTurn[]
  readonly tools: readonly { readonly name: unknown; readonly description: unknown; readonly schema: unknown }[]
  /** The schema of the response. */
  readonly schema: unknown
  readonly maxTokens: unknown
  readonly stop: unknown
}

export interface HeardTurn {
  readonly role: 'user' | 'model'
  readonly text: string
  readonly media: readonly string[]
  readonly calls: readonly { readonly id: unknown; readonly name: unknown; readonly input: unknown }[]
  readonly results: readonly { readonly id: unknown; readonly text: unknown }[]
  /** Signatures and hidden reasoning, in order. */
  readonly seals: readonly unknown[]
}

export function readChat(body: Wire): ReceivedRequest {
  const messages = items(body['messages'])
  const turns = messages
    .filter((one) => !isSystem(one))
    .map((message): HeardTurn => {
      const content = at(message, 'content')
      const isResult = at(message, 'role') === 'tool'
      return {
        role: at(message, 'role') === 'assistant' ? 'model' : 'user',
        text: isResult ? '' : textOf(content),
        media: items(content).flatMap(chatMedia),
        calls: items(at(message, 'tool_calls')).map((call) => ({
          id: at(call, 'id'),
          name: at(call, 'function', 'name'),
          input: JSON.parse(String(at(call, 'function', 'arguments'))) as unknown,
        })),
        results: isResult ? [{ id: at(message, 'tool_call_id'), text: outputIn(textOf(content)) }] : [],
        seals: items(at(message, 'reasoning_details')).flatMap(
          (detail) => at(detail, 'signature') ?? at(detail, 'data') ?? [],
        ),
      }
    })
  return {
    system: messages
      .filter(isSystem)
      .map((one) => textOf(at(one, 'content')))
      .join(''),
    turns: joined(turns),
    tools: items(body['tools']).map((tool) => ({
      name: at(tool, 'function', 'name'),
      description: at(tool, 'function', 'description'),
      schema: at(tool, 'function', 'parameters'),
    })),
    schema: at(body, 'response_format', 'json_schema', 'schema'),
    maxTokens: body['max_completion_tokens'],
    stop: [body['stop'] ?? []].flat(),
  }
}

export function readMessages(body: Wire): ReceivedRequest {
  const messages = items(body['messages'])
  return {
    system: [body['system'], ...messages.filter(isSystem).map((one) => at(one, 'content'))].map(textOf).join(''),
    turns: messages
      .filter((one) => !isSystem(one))
      .map((message) => {
        const content = at(message, 'content')
        const blocks = (type: string) => items(content).filter((block) => at(block, 'type') === type)
        return {
          role: at(message, 'role') === 'assistant' ? 'model' : 'user',
          text: textOf(content),
          media: [...blocks('image'), ...blocks('document')].map((block) => {
            const { type, media_type, data, url } = at(block, 'source') as Record<string, string> // accepted by a strict double
            return type === 'url' ? `${url}` : `${media_type};${data}`
          }),
          calls: blocks('tool_use').map((block) => ({
            id: at(block, 'id'),
            name: at(block, 'name'),
            input: at(block, 'input'),
          })),
          results: blocks('tool_result').map((block) => ({
            id: at(block, 'tool_use_id'),
            text: outputIn(textOf(at(block, 'content'))),
          })),
          seals: items(content).flatMap((block) => at(block, 'signature') ?? at(block, 'data') ?? []),
        }
      }),
    tools: items(body['tools']).map((tool) => ({
      name: at(tool, 'name'),
      description: at(tool, 'description'),
      schema: at(tool, 'input_schema'),
    })),
    schema: at(body, 'output_config', 'format', 'schema'),
    maxTokens: body['max_tokens'],
    stop: body['stop_sequences'] ?? [],
  }
}

export function readResponses(body: Wire): ReceivedRequest {
  const input = typeof body['input'] === 'string' ? [{ role: 'user', content: body['input'] }] : items(body['input'])
  const turns = input
    .filter((item) => !isSystem(item))
    .map((item): HeardTurn => {
      const type = at(item, 'type') ?? 'message'
      const content = at(item, 'content')
      const isMessage = type === 'message'
      const isCall = type === 'function_call'
      return {
        role: isMessage ? (at(item, 'role') === 'assistant' ? 'model' : 'user') : isResult(type) ? 'user' : 'model',
        text: isMessage ? textOf(content) : '',
        media: isMessage ? items(content).flatMap(responsesMedia) : [],
        calls: isCall
          ? [
              {
                id: at(item, 'call_id'),
                name: at(item, 'name'),
                input: JSON.parse(String(at(item, 'arguments'))) as unknown,
              },
            ]
          : [],
        results: isResult(type) ? [{ id: at(item, 'call_id'), text: outputIn(textOf(at(item, 'output'))) }] : [],
        seals: type === 'reasoning' ? [at(item, 'encrypted_content')] : [],
      }
    })
  return {
    system: [body['instructions'], ...input.filter(isSystem).map((item) => at(item, 'content'))].map(textOf).join(''),
    turns: joined(turns),
    tools: items(body['tools']).map((tool) => ({
      name: at(tool, 'name'),
      description: at(tool, 'description'),
      schema: at(tool, 'parameters'),
    })),
    schema: at(body, 'text', 'format', 'schema'),
    maxTokens: body['max_output_tokens'],
    stop: [],
  }
}

export function readGenai(given: Wire): ReceivedRequest {
  const body = camelMembers(given)
  return {
    system: partsText(at(body, 'systemInstruction', 'parts')),
    turns: joined(
      items(body['contents']).map((content): HeardTurn => {
        const parts = items(at(content, 'parts'))
        const having = (field: string) => parts.flatMap((part) => at(part, field) ?? [])
        return {
          role: at(content, 'role') === 'model' ? 'model' : 'user',
          text: partsText(parts),
          media: parts.flatMap((part) => {
            const inline = at(part, 'inlineData')
            if (inline !== undefined) return [`${String(at(inline, 'mimeType'))};${String(at(inline, 'data'))}`]
            const uri = at(part, 'fileData', 'fileUri')
            return typeof uri === 'string' ? [uri] : []
          }),
          calls: having('functionCall').map((call) => ({
            id: at(call, 'id'),
            name: at(call, 'name'),
            input: at(call, 'args'),
          })),
          results: having('functionResponse').map((result) => ({
            id: at(result, 'id'),
            text: outputOf(at(result, 'response')),
          })),
          seals: having('thoughtSignature'),
        }
      }),
    ),
    tools: items(body['tools']).flatMap((tool) =>
      items(at(tool, 'functionDeclarations')).map((one) => ({
        name: at(one, 'name'),
        description: at(one, 'description'),
        schema: at(one, 'parametersJsonSchema') ?? at(one, 'parameters'),
      })),
    ),
    schema: at(body, 'generationConfig', 'responseJsonSchema') ?? at(body, 'generationConfig', 'responseSchema'),
    maxTokens: at(body, 'generationConfig', 'maxOutputTokens'),
    stop: at(body, 'generationConfig', 'stopSequences') ?? [],
  }
}

const TEXTS = ['text', 'input_text', 'output_text']

/** Instructions, which can be anywhere in a conversation. */
function isSystem(message: unknown): boolean {
  return ['system', 'developer'].includes(String(at(message, 'role')))
}

/** Results are separate messages in chat, and chunks are separate contents in genai: consecutive ones of one side are one turn. */
function joined(turns: readonly HeardTurn[]): HeardTurn[] {
  const found: HeardTurn[] = []
  for (const turn of turns) {
    const last = found.at(-1)
    if (last === undefined || last.role !== turn.role) found.push(turn)
    else
      found[found.length - 1] = {
        role: turn.role,
        text: last.text + turn.text,
        media: [...last.media, ...turn.media],
        calls: [...last.calls, ...turn.calls],
        results: [...last.results, ...turn.results],
        seals: [...last.seals, ...turn.seals],
      }
  }
  return found
}

function chatMedia(part: unknown): string[] {
  const url = at(part, 'image_url', 'url') ?? at(part, 'file', 'file_data')
  return typeof url === 'string' ? [url.replace(/^data:(.*);base64,/, '$1;')] : []
}

function responsesMedia(part: unknown): string[] {
  const url = at(part, 'image_url') ?? at(part, 'file_data') ?? at(part, 'file_url')
  return typeof url === 'string' ? [url.replace(/^data:(.*);base64,/, '$1;')] : []
}

function isResult(type: unknown): boolean {
  return type === 'function_call_output'
}

/** The text of a string, or of the text parts of a list. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return items(content)
    .map((part) => (TEXTS.includes(String(at(part, 'type'))) ? String(at(part, 'text')) : ''))
    .join('')
}

function partsText(parts: unknown): string {
  return items(parts)
    .filter((part) => at(part, 'thought') !== true)
    .map((part) => stringOf(at(part, 'text')))
    .join('')
}

/** A result is an object that the client defines: `{ output }` in one SDK, `{ name, content }` or `{ return_value }` in others. */
function outputOf(response: unknown): unknown {
  return at(response, 'output') ?? at(response, 'content') ?? at(response, 'result') ?? at(response, 'return_value')
}

/** The output in a result that a protocol has as text: the text may be such an object. */
function outputIn(text: string): unknown {
  return text.startsWith('{"name":') ? outputOf(JSON.parse(text)) : text
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function items(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((found, key) => (isWire(found) ? found[key] : undefined), value)
}
