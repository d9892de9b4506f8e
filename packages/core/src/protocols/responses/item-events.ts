import { idOf } from './open-item.ts'
import type { ItemEvents } from './item-writer.ts'
import type { Events } from './events.ts'
import type { StreamTokens } from './logprobs.ts'
import { isRaw, THOUGHTS } from './reasoning.ts'
import type { Item } from './schema.ts'

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
