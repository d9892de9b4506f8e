import type { Message, Part, ModelRequest, ToolResult } from '@dragoman/core'
import { readMagic, type Magic } from './magic.ts'

/** What the current request asks the model to do. */
export interface Prompt {
  /** The last text of the user, without magic words. */
  readonly text: string
  readonly magic: Magic
  /** Tool results without an answer, with the name of the tool if it is known. */
  readonly results: readonly { readonly name: string; readonly result: ToolResult }[]
  /** The number of user turns with text. */
  readonly turn: number
  /** The number of images and documents in the last message. */
  readonly media: number
}

export function readPrompt({ messages }: ModelRequest): Prompt {
  const turns = messages.filter((message) => message.role === 'user' && textOf(message.parts) !== '')
  const { text, magic } = readMagic(textOf(turns.at(-1)?.parts ?? []))
  const last = messages.findLast(({ role }) => role === 'user' || role === 'assistant')
  const open = last?.role === 'user' ? last.parts : []
  const names = callNames(messages)
  return {
    text,
    magic,
    results: open.flatMap((part) => {
      if (part.type !== 'tool-result') return []
      return [{ name: part.name ?? names.get(part.callId ?? '') ?? 'the tool', result: part }]
    }),
    turn: turns.length,
    media: open.filter((part) => part.type === 'media').length,
  }
}

/** The messages after the last text of the user: the current tool loop. */
export function currentLoop(messages: readonly Message[]): readonly Message[] {
  const start = messages.findLastIndex((message) => message.role === 'user' && textOf(message.parts) !== '')
  return messages.slice(start + 1)
}

export function textOf(parts: readonly Part[]): string {
  return parts
    .flatMap((part) => (part.type === 'text' ? part.text : []))
    .join('\n')
    .trim()
}

function callNames(messages: readonly Message[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const { parts } of messages) {
    for (const part of parts) if (part.type === 'tool-call' && part.id !== undefined) names.set(part.id, part.name)
  }
  return names
}
