import { fact, type Fact } from '../fact.ts'
import { listOf, objectOf, textOf, type JsonObject, type JsonValue } from '../json.ts'
import { pick } from '../look.ts'

const typesOf = (body: JsonValue) => pick(body, 'events.*.type').map(textOf)
/** Every block is opened before its deltas and closed once, indexes have no gaps, and nothing follows the end. */
function wellFormed(body: JsonValue): 'kept' | 'wrong' {
  const types = typesOf(body)
  const once = ['message_start', 'message_delta', 'message_stop'].every(
    (type) => types.filter((it) => it === type).length === 1,
  )
  if (!once || types[0] !== 'message_start' || types.at(-1) !== 'message_stop') return 'wrong'
  let open = -1
  let next = 0
  for (const event of pick(body, 'events.*')) {
    const { type, index } = objectOf(event)
    if (type === 'content_block_start') {
      if (open !== -1 || index !== next) return 'wrong'
      open = next++
    } else if (type === 'content_block_delta' && index !== open) return 'wrong'
    else if (type === 'content_block_stop') {
      if (index !== open) return 'wrong'
      open = -1
    }
  }
  return open === -1 ? 'kept' : 'wrong'
}

/** What a reader gets of an item. Words of a refusal may be a text where some clients read nothing else. */
function viewOf(item: JsonValue): JsonObject {
  const { content, ...members } = objectOf(item)
  return { ...members, words: listOf(content).map((part) => objectOf(part)['refusal'] ?? objectOf(part)['text']) }
}

/** Events are numbered, an item is added before anything is said of it, and all views of it agree at the end. */
function orderly(body: JsonValue): 'kept' | 'wrong' {
  const events = pick(body, 'events.*').map(objectOf)
  const types = typesOf(body)
  const ends = types.filter((type) => /^response\.(completed|incomplete|failed)$/.test(type))
  const isNumbered = events.every(({ sequence_number }, index) => sequence_number === index)
  if (types[0] !== 'response.created' || ends.length !== 1 || ends[0] !== types.at(-1) || !isNumbered) return 'wrong'
  const open = new Map<JsonValue, JsonValue>() // the id of each open item, by its position
  const done: JsonValue[] = []
  for (const { type, output_index, item_id, item } of events) {
    const { id } = objectOf(item)
    if (type === 'response.output_item.added') {
      if (open.has(output_index) || output_index !== open.size + done.length) return 'wrong'
      open.set(output_index, id)
    } else if (type === 'response.output_item.done') {
      if (open.get(output_index) !== id || !open.delete(output_index)) return 'wrong'
      done.push(item)
    } else if (item_id !== undefined && item_id !== open.get(output_index)) return 'wrong'
  }
  const output = pick(events.at(-1), 'response.output')[0]
  const isSame = JSON.stringify(listOf(output).map(viewOf)) === JSON.stringify(done.map(viewOf))
  return open.size === 0 && isSame ? 'kept' : 'wrong'
}

/** Facts of every stream: what the clients of a protocol need to read it. */
export const FORM: Fact = fact('a stream that clients can read', /nothing/, {
  chat: (body) => {
    const choices = pick(body, 'events.*.choices.0').map(objectOf)
    const roles = choices.map((choice) => objectOf(choice['delta'])['role'])
    const calls = choices.flatMap((choice) => listOf(objectOf(choice['delta'])['tool_calls'])).map(objectOf)
    const ended = choices.filter((choice) => choice['finish_reason'] != null).length
    const numbered = calls.every((call) => Number.isInteger(call['index']))
    return roles[0] === 'assistant' && ended === 1 && numbered ? 'kept' : 'wrong'
  },
  messages: wellFormed,
  genai: (body) => {
    const reasons = pick(body, 'events.*.candidates.0.finishReason')
    const unnamed = typesOf(body).every((type) => type === '')
    return (reasons.length === 1 || pick(body, 'events.*.promptFeedback').length > 0) && unnamed ? 'kept' : 'wrong'
  },
  responses: orderly,
})
