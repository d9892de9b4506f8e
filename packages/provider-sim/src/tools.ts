import type { CustomTool, FunctionTool, ModelRequest, ToolCall } from '@dragoman/core'
import type { Ask } from './ask.ts'
import { digest } from './digest.ts'
import { sample } from './sample.ts'
import { subjectsOf } from './words.ts'

type Callable = FunctionTool | CustomTool

const SEVERAL = /\b(parallel|several|both)\b|\ball (the )?tools\b/i

/** The calls that answer a question: the tool that the text names or else the first, all of them when several are asked for. */
export function chooseCalls(request: ModelRequest, ask: Ask): readonly ToolCall[] {
  const { mode, names, parallel = true } = request.toolChoice ?? {}
  const allowed = callables(request).filter(({ name }) => names === undefined || names.includes(name))
  const asked = ask.text !== '' && ask.results.length === 0
  const [first] = allowed
  if (first === undefined || mode === 'none' || (mode !== 'required' && !asked)) return []
  const several = parallel && SEVERAL.test(ask.text)
  const one = allowed.find(({ name }) => ask.text.includes(name)) ?? first
  const chosen = !several ? [one] : allowed.length > 1 ? allowed : [one, one]
  const conversation = JSON.stringify(request.messages)
  return chosen.map((tool, index) => ({
    ...callOf(tool, ask, chosen.indexOf(tool) === index ? 0 : index),
    id: `call_${digest(`${index} ${conversation}`).slice(0, 24)}`,
  }))
}

function callables({ tools = [] }: ModelRequest): Callable[] {
  return tools.filter((tool) => tool.type !== 'builtin')
}

/** Later variants of the same call have other arguments. */
function callOf(tool: Callable, { text }: Ask, variant: number): ToolCall {
  const { name } = tool
  if (tool.type === 'custom') return { type: 'tool-call', name, arguments: text, by: 'client', custom: true }
  const input = sample(tool.schema?.value ?? { type: 'object' }, subjectsOf(text), variant)
  return { type: 'tool-call', name, arguments: JSON.stringify(input), by: 'client' }
}
