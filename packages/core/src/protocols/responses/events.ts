import type { Emit } from '../../ir/stream.ts'
import { idOf } from './open-item.ts'
import type { ItemEvents } from './item-writer.ts'
import type { StreamTokens } from './logprobs.ts'
import { isRaw, THOUGHTS } from './reasoning.ts'
import type { Item } from './schema.ts'

/** Writes and numbers the events of one stream. */
export interface Events {
  send(type: string, members: object): void
  /** Sends an event with a response that is JSON already. */
  sendResponse(type: string, response: string): void
  /** Writes deltas of this type. `address` and `tail` have all other members. */
  line(type: string, address: object, tail?: object): (text: string) => void
}

export function createEvents(write: Emit<string>): Events {
  let sequence = 0
  return {
    send(type, members) {
      const rest = JSON.stringify(members).slice(1, -1)
      write(`${headOf(type)}${sequence++},${rest}}\n\n`)
    },
    sendResponse: (type, response) => write(`${headOf(type)}${sequence++},"response":${response}}\n\n`),
    line(type, address, tail = {}) {
      const head = headOf(type)
      const middle = `,${JSON.stringify(address).slice(1, -1)},"delta":`
      const rest = JSON.stringify(tail).slice(1, -1)
      const end = `${rest === '' ? '' : `,${rest}`}}\n\n`
      return (text) => write(head + sequence++ + middle + JSON.stringify(text) + end)
    },
  }
}

function headOf(type: string): string {
  return `event: ${type}\ndata: {"type":"${type}","sequence_number":`
}

export function createItemEvents(events: Events, tokens: StreamTokens): ItemEvents {
  const added = (item: Item, output_index: number): void => {
    tokens.endText()
    events.send('response.output_item.added', { output_index, item })
  }
  return {
    opened({ wire }, part, index) {
      const mark = part.type === 'reasoning' && !part.summary && !isRaw(part) ? { encrypted_content: THOUGHTS } : {}
      added({ ...started(wire), ...mark }, index) // of its kind
    },
    began: (item, index) => added(shellOf(item), index),
    filled(item, output_index) {
      const item_id = idOf(item) ?? ''
      for (const [type, members] of textEvents(item))
        events.send(`response.${type}`, { item_id, output_index, ...members })
    },
    ended: (item, output_index) => events.send('response.output_item.done', { output_index, item }),
  }
}

function started<I extends Item>(item: I): I {
  return 'status' in item ? { ...item, status: 'in_progress' } : item
}

/** An item before its text has come. */
function shellOf(item: Item): Item {
  const shell = started(item)
  if (item.type === 'function_call') return { ...shell, arguments: '' } // of this kind
  if (item.type === 'custom_tool_call') return { ...shell, input: '' } // of this kind
  if (item.type === 'code_interpreter_call') return { ...shell, code: '', outputs: null } // of this kind
  if (item.type === 'image_generation_call') return { ...shell, result: null } // of this kind
  return shell // as it was
}

/** The events between the start and the end of an item that comes whole. */
function textEvents(item: Item): readonly (readonly [type: string, members?: object])[] {
  switch (item.type) {
    case 'function_call':
      return [
        ['function_call_arguments.delta', { delta: item.arguments }],
        ['function_call_arguments.done', { arguments: item.arguments, name: item.name }],
      ]
    case 'custom_tool_call':
      return [
        ['custom_tool_call_input.delta', { delta: item.input }],
        ['custom_tool_call_input.done', { input: item.input }],
      ]
    case 'web_search_call':
      return [['web_search_call.in_progress'], ['web_search_call.searching'], ['web_search_call.completed']]
    case 'code_interpreter_call':
      return [
        ['code_interpreter_call.in_progress'],
        ['code_interpreter_call_code.delta', { delta: item.code ?? '' }],
        ['code_interpreter_call_code.done', { code: item.code ?? '' }],
        ['code_interpreter_call.interpreting'],
        ['code_interpreter_call.completed'],
      ]
    case 'image_generation_call':
      return [
        ['image_generation_call.in_progress'],
        ['image_generation_call.generating'],
        ['image_generation_call.completed'],
      ]
    default:
      return []
  }
}
