import type { CustomTool, FunctionTool, ModelRequest, ToolCall } from '@dragoman/core'
import { readToolRequest } from './asks-for.ts'
import type { Prompt } from './prompt.ts'
import { digest } from './digest.ts'
import { sample } from './sample.ts'

type Callable = FunctionTool | CustomTool

/** The calls for a question: the tools that it asks for, or one that the request forces. */
export function chooseCalls(request: ModelRequest, prompt: Prompt): readonly ToolCall[] {
  const { mode, names, parallel = true } = request.toolChoice ?? {}
  const allowed = callables(request).filter(({ name }) => names === undefined || names.includes(name))
  if (allowed.length === 0 || mode === 'none') return []
  const chosen = askedFor(allowed, prompt, mode === 'required', parallel)
  const conversation = JSON.stringify(request.messages)
  return chosen.map((tool, index) => ({
    ...callOf(tool, chosen.indexOf(tool) === index ? 0 : index),
    id: `call_${digest(`${index} ${conversation}`).slice(0, 24)}`,
  }))
}

/** A prompt that asks for several calls gets one of each tool, or two of the only one. */
function askedFor(allowed: readonly Callable[], { text, results }: Prompt, isForced: boolean, parallel: boolean) {
  const isAsked = text !== '' && results.length === 0
  if (!isAsked && !isForced) return []
  const request = readToolRequest(
    text,
    allowed.map(({ name }) => name),
  )
  const named = allowed.filter(({ name }) => request.named.includes(name))
  if (named.length === 0 && !request.any && !isForced) return []
  const wanted = named.length > 0 ? named : request.several ? allowed : allowed.slice(0, 1)
  if (!parallel) return wanted.slice(0, 1)
  return wanted.length === 1 && request.several ? [...wanted, ...wanted] : wanted
}

function callables({ tools = [] }: ModelRequest): Callable[] {
  return tools.filter((tool) => tool.type !== 'builtin')
}

/** The arguments are harmless, whatever the tool does: nothing of the prompt is in them. Later variants of the same call have others. */
function callOf(tool: Callable, variant: number): ToolCall {
  const { name } = tool
  if (tool.type === 'custom') return { type: 'tool-call', name, arguments: EXAMPLE, by: 'client', custom: true }
  const input = sample(tool.schema?.value ?? { type: 'object' }, [EXAMPLE], variant)
  return { type: 'tool-call', name, arguments: JSON.stringify(input), by: 'client' }
}

const EXAMPLE = 'example'
