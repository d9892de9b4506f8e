import { TEXT_MEMBER } from '../ir/tool.ts'
import type { Part, ToolCall } from '../ir/part.ts'
import type { ModelResponse } from '../ir/response.ts'
import type { Emit, StreamEvent } from '../ir/stream.ts'
import { createStringMember, type StringMember } from '../lib/json-pieces.ts'

/**
 * Calls of custom tools, from upstreams whose tools take JSON: the request had a function with the text as its only member. The caller
 * gets the text.
 */
export function withCustomCalls(response: ModelResponse, custom: ReadonlySet<string>): ModelResponse {
  const candidates = response.candidates.map((candidate) => ({
    ...candidate,
    parts: candidate.parts.map((part) => (isCustomCall(part, custom) ? customCall(part) : part)),
  }))
  return { ...response, candidates }
}

/** The same for a stream: the text of the call is taken out of the JSON piece by piece. */
export function createCustomCalls(emit: Emit<StreamEvent>, custom: ReadonlySet<string>): Emit<StreamEvent> {
  let open: StringMember | undefined
  const grow = (text: string): void => {
    if (text !== '') emit({ type: 'block-delta', text })
  }
  return (event) => {
    switch (event.type) {
      case 'block-start': {
        if (!isCustomCall(event.part, custom)) return emit(event)
        const { arguments: text, ...call } = customCall(event.part)
        open = createStringMember(TEXT_MEMBER)
        emit({ ...event, part: { ...call, arguments: '' } })
        return grow(typeof text === 'string' ? text : JSON.stringify(text))
      }
      case 'block-delta':
        return open === undefined ? emit(event) : grow(open.add(event.text))
      case 'block-patch': {
        if (open === undefined || event.block !== undefined || event.arguments === undefined) return emit(event)
        const { arguments: _object, ...others } = event // text that was not a JSON object: the caller has received it
        return emit(others)
      }
      case 'block-end':
        if (open !== undefined) grow(open.rest())
        open = undefined
        return emit(event)
      default:
        emit(event)
    }
  }
}

function isCustomCall(part: Part, custom: ReadonlySet<string>): part is ToolCall {
  return part.type === 'tool-call' && part.by === 'client' && part.custom === undefined && custom.has(part.name)
}

function customCall(part: ToolCall): ToolCall {
  return { ...part, arguments: textOf(part.arguments), custom: true }
}

/** A call that the model wrote in another form is also its text. */
function textOf(given: ToolCall['arguments']): string {
  if (typeof given !== 'string') {
    const { [TEXT_MEMBER]: text } = given
    return typeof text === 'string' ? text : JSON.stringify(given)
  }
  const member = createStringMember(TEXT_MEMBER)
  return member.add(given) + member.rest()
}
