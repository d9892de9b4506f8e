import { isWire, type Wire } from './refuse.ts'
import type { Answer, AnswerPart, Seals } from './script.ts'
import type { Received } from './server.ts'

/** An item of an answer: as it is announced, as it is in the end, and the texts that are streamed in between. */
export interface AnswerItem {
  readonly shell: Wire
  readonly whole: Wire
  readonly slots: readonly TextSlot[]
}

/** A text that grows in a stream. */
export interface TextSlot {
  /** The middle of the event's name, such as `output_text`. */
  readonly event: string
  /** The member of the last event that has the whole text. */
  readonly member: string
  readonly text: string
  readonly position: { readonly [index: string]: number }
  /** The part that has to be announced before its text. */
  readonly part?: { readonly name: string; readonly empty: Wire; readonly full: Wire }
}

/** The parts of a script as items. A call of a custom tool, or of a tool in a namespace, is answered in that form. */
export function itemsOf(call: Received, { parts, stop = 'completed' }: Answer, seals: Seals): AnswerItem[] {
  const last = parts.length - 1
  return parts.map((part, index) => {
    const id = `double_${call.number}_${index}`
    const status = stop !== 'completed' && index === last ? 'incomplete' : 'completed'
    if ('text' in part) return messageOf(part.text, `msg_${id}`, status)
    if ('call' in part) return callOf(part, id, status, declaredTools(call.body))
    return reasoningOf(part, `rs_${id}`, seals)
  })
}

function messageOf(text: string, id: string, status: string): AnswerItem {
  const head = { id, type: 'message', role: 'assistant' }
  const empty = { type: 'output_text', text: '', annotations: [], logprobs: [] }
  const full = { ...empty, text }
  return {
    shell: { ...head, status: 'in_progress', content: [] },
    whole: { ...head, status, content: [full] },
    slots: [
      {
        event: 'output_text',
        member: 'text',
        text,
        position: { content_index: 0 },
        part: { name: 'content_part', empty, full },
      },
    ],
  }
}

/** The encrypted content of the announcement is not the final one, as in real streams. */
function reasoningOf(part: Extract<AnswerPart, { reasoning: string }>, id: string, seals: Seals): AnswerItem {
  const { reasoning: text, hidden } = part
  const head = { id, type: 'reasoning' }
  const shell = { ...head, encrypted_content: seals.hide(`the beginning of ${text}`), summary: [] }
  if (hidden) return { shell, whole: { ...head, encrypted_content: seals.hide(text), summary: [] }, slots: [] }
  const full = { type: 'summary_text', text }
  return {
    shell,
    whole: { ...head, encrypted_content: seals.sign(text), summary: [full] },
    slots: [
      {
        event: 'reasoning_summary_text',
        member: 'text',
        text,
        position: { summary_index: 0 },
        part: { name: 'reasoning_summary_part', empty: { ...full, text: '' }, full },
      },
    ],
  }
}

function callOf(
  part: Extract<AnswerPart, { call: string }>,
  id: string,
  status: string,
  tools: readonly DeclaredTool[],
): AnswerItem {
  const tool = tools.find(({ name }) => name === part.call)
  const namespace = tool?.namespace === undefined ? {} : { namespace: tool.namespace }
  const isCustom = tool?.type === 'custom'
  const text = isCustom ? String(part.input['input']) : JSON.stringify(part.input)
  const member = isCustom ? 'input' : 'arguments'
  const type = isCustom ? 'custom_tool_call' : 'function_call'
  const head = { id: `${isCustom ? 'ctc' : 'fc'}_${id}`, type, call_id: part.id, name: part.call, ...namespace }
  return {
    shell: { ...head, status: 'in_progress', [member]: '' },
    whole: { ...head, status, [member]: text },
    slots: [{ event: isCustom ? 'custom_tool_call_input' : 'function_call_arguments', member, text, position: {} }],
  }
}

interface DeclaredTool {
  readonly type: unknown
  readonly name: unknown
  readonly namespace?: string
}

/** The tools of a request: its own, those of its namespaces, and those that appear in its history. */
function declaredTools(body: Wire): DeclaredTool[] {
  const input = Array.isArray(body['input']) ? body['input'] : []
  const lists = [body, ...input.filter(isWire)].map((holder) => holder['tools'])
  return lists.flatMap((tools) => flatTools(tools))
}

function flatTools(tools: unknown, namespace?: string): DeclaredTool[] {
  if (!Array.isArray(tools)) return []
  return tools.filter(isWire).flatMap((tool) => {
    if (tool['type'] === 'namespace') return flatTools(tool['tools'], String(tool['name']))
    return [{ type: tool['type'], name: tool['name'], ...(namespace === undefined ? {} : { namespace }) }]
  })
}
