import type { ReceivedRequest } from '@dragoman/testkit'

type Tool = ReceivedRequest['tools'][number]
type Schema = { readonly [member: string]: unknown }
/** A call without its id. */
export interface ReaderCall {
  readonly call: string
  readonly input: { readonly [name: string]: unknown }
}

const READER = /^read(_?file)?$/i
/** Codex reads files with commands. */
const RUNNER = 'exec_command'

/** Calls of the tool that reads a file, one for each path, with arguments that fit its schema. */
export function readerCalls(tools: readonly Tool[], paths: readonly string[]): ReaderCall[] {
  if (tools.some(({ name }) => name === RUNNER))
    return paths.map((path) => ({ call: RUNNER, input: { cmd: `cat ${path}` } }))
  const tool = tools.find(({ name }) => typeof name === 'string' && READER.test(name))
  if (tool === undefined)
    throw new Error(`no tool for reading files: ${tools.map(({ name }) => String(name)).join(', ')}`)
  return paths.map((path) => ({ call: String(tool.name), input: argumentsOf(tool.schema, path) }))
}

function argumentsOf(schema: unknown, path: string): ReaderCall['input'] {
  const { properties, required } = schema as { properties?: Record<string, Schema>; required?: readonly string[] } // a tool of an agent
  const names = required ?? []
  const entries = names.map((name) => [name, valueOf(name, properties?.[name] ?? {}, path)] as const)
  if (!entries.some(([, value]) => value === path)) throw new Error(`no path among ${names.join(', ')}`)
  return Object.fromEntries(entries)
}

function valueOf(name: string, { type, enum: values }: Schema, path: string): unknown {
  if (/path|file/i.test(name)) return path
  if (Array.isArray(values)) return (values as readonly unknown[])[0]
  const kind = String(Array.isArray(type) ? (type as readonly unknown[])[0] : type).toLowerCase()
  return kind === 'boolean' ? false : kind === 'number' || kind === 'integer' ? 1 : kind === 'array' ? [] : 'hello'
}
