import type { Message, Part, ModelRequest, ToolResult } from '@dragoman/core'
import { readMagic, type Magic } from './magic.ts'

/** What the conversation asks for now. */
export interface Ask {
  /** The last thing the user said, without magic words. */
  readonly text: string
  readonly magic: Magic
  /** Tool results that wait for an answer, with the name of the tool where it is known. */
  readonly results: readonly { readonly name: string; readonly result: ToolResult }[]
  /** How many times the user has spoken. */
  readonly turn: number
  /** Images and documents in the last message. */
  readonly media: number
}

export function readAsk({ messages }: ModelRequest): Ask {
  const spoken = messages.filter((message) => message.role === 'user' && textOf(message.parts) !== '')
  const { text, magic } = readMagic(textOf(spoken.at(-1)?.parts ?? []))
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
    turn: spoken.length,
    media: open.filter((part) => part.type === 'media').length,
  }
}

/** The messages after the last thing the user said: the tool loop that is under way. */
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
