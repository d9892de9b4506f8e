import type { ModelRequest } from '../ir/request.ts'
import { didYouMean } from '../lib/near.ts'

/** What can stand at a path: a value, any JSON, a list of one shape, or an object of these members. */
type Shape = 'value' | 'json' | readonly [Shape] | { readonly [member: string]: Shape }

/** Every member of a node, optional ones included; of a union, the members of all its types. */
type MembersOf<Node> = { readonly [Member in Node extends unknown ? keyof Node : never]: Shape }
type Of<Member extends keyof ModelRequest> = NonNullable<ModelRequest[Member]>

const SETTINGS: MembersOf<Of<'settings'>> = {
  maxTokens: 'value',
  temperature: 'value',
  topP: 'value',
  topK: 'value',
  stop: ['value'],
  presencePenalty: 'value',
  frequencyPenalty: 'value',
  seed: 'value',
  logitBias: 'json',
  logprobs: 'value',
  candidates: 'value',
}

const REASONING: MembersOf<Of<'reasoning'>> = { on: 'value', effort: 'value', budget: 'value', show: 'value' }

const SCHEMA: Shape = { dialect: 'value', value: 'json' }

const OUTPUT: MembersOf<Of<'output'>> = {
  format: 'value',
  schema: SCHEMA,
  name: 'value',
  description: 'value',
  strict: 'value',
  modalities: ['value'],
  speech: 'json',
  image: 'json',
  verbosity: 'value',
}

const TOOL: MembersOf<Of<'tools'>[number]> = {
  type: 'value',
  name: 'value',
  description: 'value',
  schema: SCHEMA,
  strict: 'value',
  cache: 'json',
  format: 'json',
  kind: 'value',
  protocol: 'value',
  version: 'value',
  options: 'json',
  extras: 'json',
}

const TOOL_CHOICE: MembersOf<Of<'toolChoice'>> = { mode: 'value', names: ['value'], parallel: 'value' }

const PART: MembersOf<Of<'messages'>[number]['parts'][number]> = {
  type: 'value',
  text: 'value',
  citations: 'json',
  summary: 'value',
  hidden: 'value',
  kind: 'value',
  source: 'json',
  title: 'value',
  context: 'value',
  cite: 'value',
  detail: 'value',
  clip: 'json',
  transcript: 'value',
  id: 'value',
  name: 'value',
  arguments: 'json',
  by: 'value',
  custom: 'value',
  callId: 'value',
  output: 'json',
  failed: 'value',
  url: 'value',
  age: 'value',
  parts: 'json',
  language: 'value',
  outcome: 'value',
  protocol: 'value',
  value: 'json',
  cache: 'json',
  seal: 'json',
  item: 'value',
  extras: 'json',
}

const MESSAGE: MembersOf<Of<'messages'>[number]> = { role: 'value', parts: [PART], name: 'value', extras: 'json' }

/** The members of a request, by which quirks name what they change. */
const REQUEST: MembersOf<ModelRequest> = {
  model: 'value',
  messages: [MESSAGE],
  tools: [TOOL],
  toolChoice: TOOL_CHOICE,
  settings: SETTINGS,
  reasoning: REASONING,
  output: OUTPUT,
  safety: 'json',
  cachedContent: 'json',
  metadata: 'json',
  delivery: { stream: 'value', usage: 'value', hideReasoning: 'value' } satisfies MembersOf<Of<'delivery'>>,
  routing: 'json',
  extras: 'json',
}

/** Why a path leads nowhere in a request; undefined when it is right. `*` stands for every element of a list. */
export function wrongPath(path: string): string | undefined {
  let shape: Shape = REQUEST
  for (const step of path.split('.')) {
    if (shape === 'json' && step !== '') return undefined
    const members: { readonly [member: string]: Shape } = isList(shape)
      ? { '*': shape[0] }
      : typeof shape === 'object'
        ? shape
        : {}
    const next = Object.hasOwn(members, step) ? members[step] : undefined
    if (next === undefined) return `names no member of a request${didYouMean(step, Object.keys(members))}`
    shape = next
  }
  return undefined
}

function isList(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape)
}
