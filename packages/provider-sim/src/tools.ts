import type { CustomTool, FunctionTool, ModelRequest, ToolCall } from '@dragoman/core'
import type { Prompt } from './prompt.ts'
import { digest } from './digest.ts'
import { sample } from './sample.ts'
import { subjectsOf } from './text.ts'

type Callable = FunctionTool | CustomTool

const SEVERAL = /\b(parallel|several|both)\b|\ball (the )?tools\b/i

/** The calls for a question: the tool that the text names, or else the first; all tools if the text asks for several. */
export function chooseCalls(request: ModelRequest, prompt: Prompt): readonly ToolCall[] {
  const { mode, names, parallel = true } = request.toolChoice ?? {}
  const allowed = callables(request).filter(({ name }) => names === undefined || names.includes(name))
  const asked = prompt.text !== '' && prompt.results.length === 0
  const [first] = allowed
  if (first === undefined || mode === 'none' || (mode !== 'required' && !asked)) return []
  const several = parallel && SEVERAL.test(prompt.text)
  const one = allowed.find(({ name }) => prompt.text.includes(name)) ?? first
  const chosen = !several ? [one] : allowed.length > 1 ? allowed : [one, one]
  const conversation = JSON.stringify(request.messages)
  return chosen.map((tool, index) => ({
    ...callOf(tool, prompt, chosen.indexOf(tool) === index ? 0 : index),
    id: `call_${digest(`${index} ${conversation}`).slice(0, 24)}`,
  }))
}

function callables({ tools = [] }: ModelRequest): Callable[] {
  return tools.filter((tool) => tool.type !== 'builtin')
}

/** Later variants of the same call have other arguments. */
function callOf(tool: Callable, { text }: Prompt, variant: number): ToolCall {
  const { name } = tool
  if (tool.type === 'custom') return { type: 'tool-call', name, arguments: text, by: 'client', custom: true }
  const input = sample(tool.schema?.value ?? { type: 'object' }, subjectsOf(text), variant)
  return { type: 'tool-call', name, arguments: JSON.stringify(input), by: 'client' }
}
