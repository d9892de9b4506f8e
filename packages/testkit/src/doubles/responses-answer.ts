import { framesOf } from './frames.ts'
import { isFuture, isWire, list, nonEmpty, object, oneOf, refuse, string, whole, type Wire } from './refuse.ts'
import { acceptItem } from './responses-items.ts'

/** Throws if a client could not read this response: the official SDK, the AI SDK, the Agents SDK or codex. */
export function acceptResponsesResponse(body: unknown): void {
  const response = object(body, 'body')
  acceptHead(response, 'body')
  oneOf(response['status'], ['completed', 'incomplete', 'in_progress', 'queued', 'cancelled'], 'status')
  for (const [index, item] of list(response['output'], 'output').entries())
    acceptItem(item, `output[${index}]`, 'answer')
  acceptUsage(response['usage'])
}

function acceptHead(response: Wire, path: string): void {
  nonEmpty(response['id'], `${path}.id`)
  oneOf(response['object'], ['response'], `${path}.object`)
  whole(response['created_at'], 0, Infinity, `${path}.created_at`)
  string(response['model'], `${path}.model`)
  for (const member of [
    'error',
    'incomplete_details',
    'instructions',
    'metadata',
    'parallel_tool_calls',
    'tool_choice',
    'tools',
  ])
    if (response[member] === undefined) refuse(`${path}.${member}`, 'the types of the official SDK promise it')
  if (response['store'] !== false) refuse(`${path}.store`, 'nothing is stored')
}

/** Codex fails without all three counts. */
function acceptUsage(usage: unknown): void {
  if (usage === null) return
  const counts = object(usage, 'usage')
  for (const member of ['input_tokens', 'output_tokens', 'total_tokens'])
    whole(counts[member], 0, Infinity, `usage.${member}`)
  whole(object(counts['input_tokens_details'], 'usage')['cached_tokens'], 0, Infinity, 'usage.cached_tokens')
  whole(object(counts['output_tokens_details'], 'usage')['reasoning_tokens'], 0, Infinity, 'usage.reasoning_tokens')
}

/** Throws if the accumulator of the official SDK would throw, or if a client would lose something. */
export function acceptResponsesStream(text: string): void {
  const stream = createReading()
  for (const [index, frame] of framesOf(text).entries()) {
    const path = `event ${index}`
    const event = object(JSON.parse(frame.data), path)
    if (frame.event !== event['type']) refuse(path, `the event line says ${frame.event ?? 'nothing'}`)
    if (event['type'] !== 'keepalive' && event['sequence_number'] !== index)
      refuse(path, `must have the number ${index}`)
    stream.read(event, path)
  }
  stream.end()
}

/** The members of an item that deltas append to. */
const GROWS: { readonly [type: string]: readonly [list: string | undefined, member: string, index: string] } = {
  'response.output_text.delta': ['content', 'text', 'content_index'],
  'response.refusal.delta': ['content', 'refusal', 'content_index'],
  'response.reasoning_text.delta': ['content', 'text', 'content_index'],
  'response.reasoning_summary_text.delta': ['summary', 'text', 'summary_index'],
  'response.function_call_arguments.delta': [undefined, 'arguments', ''],
  'response.custom_tool_call_input.delta': [undefined, 'input', ''],
}
const STEPS =
  /^response\.(output_text\.done|output_text\.annotation\.added|refusal\.done|reasoning_text\.done|reasoning_summary_text\.done|reasoning_summary_part\.done|function_call_arguments\.done|custom_tool_call_input\.done|(web_search|image_generation|code_interpreter)_call\.\w+|code_interpreter_call_code\.(delta|done))$/

function createReading() {
  const done: Wire[] = []
  let head: Wire | undefined
  let open: { readonly item: Wire; readonly texts: Map<string, string>; readonly index: number } | undefined
  let isOver = false
  const refused = new Set<string>() // parts that came as refusals
  const openAt = (event: Wire, path: string) => {
    if (open === undefined) return refuse(path, 'no item is open')
    if (event['output_index'] !== open.index) refuse(`${path}.output_index`, `must be ${open.index}`)
    return open
  }
  const addPart = (event: Wire, path: string, member: string) => {
    const { item, texts } = openAt(event, path)
    if (event['item_id'] !== item['id']) refuse(`${path}.item_id`, 'is that of another item')
    const key = `${member} ${String(event[`${member}_index`])}`
    if (texts.has(key)) refuse(path, 'the part was there')
    texts.set(key, '')
  }
  return {
    read(event: Wire, path: string): void {
      const type = string(event['type'], `${path}.type`)
      if (type === 'keepalive') return
      if (isOver) refuse(path, 'something after the end')
      if (head === undefined && type !== 'response.created') refuse(path, 'must begin with response.created')
      const grows = GROWS[type]
      if (type === 'response.created' || type === 'response.in_progress') {
        const response = object(event['response'], path)
        acceptHead(response, path)
        if (head !== undefined && head['id'] !== response['id']) refuse(path, 'the id has changed')
        if (list(response['output'], path).length > 0) refuse(path, 'the output must be empty at the start')
        head = response
      } else if (type === 'response.output_item.added') {
        if (open !== undefined) refuse(path, 'an item inside an item')
        const item = object(event['item'], `${path}.item`)
        if (!isFuture(item['type'])) nonEmpty(item['id'], `${path}.item.id`)
        if (event['output_index'] !== done.length) refuse(`${path}.output_index`, `must be ${done.length}`)
        open = { item, texts: new Map(), index: done.length }
      } else if (type === 'response.content_part.added') addPart(event, path, 'content')
      else if (type === 'response.reasoning_summary_part.added') addPart(event, path, 'summary')
      else if (type === 'response.content_part.done') openAt(event, path)
      else if (grows !== undefined) {
        const { item, texts } = openAt(event, path)
        if (event['item_id'] !== item['id']) refuse(`${path}.item_id`, 'is that of another item')
        const [member, , index] = grows
        const key = member === undefined ? 'call' : `${member} ${String(event[index])}`
        if (member !== undefined && !texts.has(key)) refuse(path, 'a delta for a part that was not added')
        if (type === 'response.refusal.delta') refused.add(`${open?.index ?? 0} ${String(event[index])}`)
        texts.set(key, (texts.get(key) ?? '') + string(event['delta'], `${path}.delta`))
      } else if (type === 'response.output_item.done') {
        const { item, texts, index } = openAt(event, path)
        const whole = acceptItem(event['item'], `${path}.item`, 'answer')
        if (whole['id'] !== item['id']) refuse(`${path}.item.id`, 'has changed')
        mustMatch(whole, texts, path)
        done[index] = whole
        open = undefined
      } else if (type === 'response.completed' || type === 'response.incomplete') {
        if (open !== undefined) refuse(path, 'ends inside an item')
        const response = object(event['response'], path)
        if (response['id'] !== head?.['id']) refuse(path, 'the id has changed')
        acceptResponsesResponse(response)
        if (`response.${String(response['status'])}` !== type) refuse(path, 'the event and the status differ')
        const output = list(response['output'], path)
        if (withoutTokens(output) !== withoutTokens(done)) refuse(path, 'the output differs from its items')
        if (refusalsOf(output).join() !== [...refused].join()) refuse(path, 'its refusals are not those of the deltas')
        isOver = true
      } else if (!STEPS.test(type)) refuse(`${path}.type`, `unknown event ${type}`)
    },
    end(): void {
      if (!isOver) refuse('stream', 'stream ended without a terminal event')
    },
  }
}

/** Deltas add up to the whole item. */
function mustMatch(item: Wire, texts: ReadonlyMap<string, string>, path: string): void {
  for (const [key, text] of texts) {
    const [member = '', index] = key.split(' ')
    const parts = member === 'call' ? undefined : list(item[member], `${path}.item.${member}`)
    const part: unknown = parts === undefined ? item : parts[Number(index)]
    const texts = isWire(part) ? [part['text'], part['refusal'], part['arguments'], part['input']] : []
    if (!texts.includes(text)) refuse(path, `the deltas of ${key} are not the text of the item`)
  }
}

function partsOf(item: unknown): readonly Wire[] {
  const content = isWire(item) && item['type'] === 'message' ? item['content'] : []
  return Array.isArray(content) ? content.filter(isWire) : []
}

function isRefusal(part: Wire): boolean {
  return part['type'] === 'refusal'
}

/** The positions of refusals. */
function refusalsOf(output: readonly unknown[]): string[] {
  return output.flatMap((item, index) =>
    partsOf(item).flatMap((part, position) => (isRefusal(part) ? [`${index} ${position}`] : [])),
  )
}

/** Log probabilities may come after their item. */
function withoutTokens(output: unknown): string {
  return JSON.stringify(output, (key, value: unknown) => (key === 'logprobs' ? undefined : value))
}
