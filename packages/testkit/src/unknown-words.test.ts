import type { Protocol } from '@dragoman/core'
import { protocols } from '@dragoman/core/protocols'
import { chat, genai, messages, responses } from '@dragoman/core/schemas'
import { describe, expect, it } from 'vitest'
import type { AnySchema } from './generators/grammar.ts'
import { samples } from './laws/runs.ts'
import { listsIn, mustTakeUnknown, wordsIn, type Word } from './laws/unknown-words.ts'
import { SUBJECT_OF } from './subjects/subject-of.ts'

const GRAMMAR_OF: { readonly [protocol: string]: AnySchema } = {
  chat: chat.request,
  messages: messages.request,
  genai: genai.request,
  responses: responses.request,
}

/** Each list is tried in a few of the bodies that have one of its words. */
const TIMES = 4

describe.each(protocols)('in a request of $name', (protocol) => {
  const { wires, canon } = subjectOf(protocol)
  const grammar = GRAMMAR_OF[protocol.name] as AnySchema // one per protocol
  const bodies = samples(wires.request, 300).map(canon.request)
  const tried = new Map<AnySchema, number>()

  it('[tr.identity] [tr.losses] an unknown word is kept for the same protocol, and reported toward others', () => {
    for (const body of bodies) {
      for (const word of wordsIn(grammar, body)) {
        const times = tried.get(word.schema) ?? 0
        tried.set(word.schema, times + 1)
        if (times < TIMES) mustTakeUnknown(protocol, subjectOf(protocol), body, word)
      }
    }
  })

  it('every list of words was tried', () => {
    const left = listsIn(grammar).filter((list) => !tried.has(list))
    expect(left.flatMap(valuesOf)).toEqual(UNTRIED_OF[protocol.name])
  })
})

/** Those that the generators do not write, and the results of calls. */
const UNTRIED_OF: { readonly [protocol: string]: readonly string[] } = {
  chat: ['refusal', 'tool', 'function', 'text', 'custom', 'allowed_tools'],
  messages: ['tool_result', 'web_search_tool_result'],
  genai: [],
  responses: ['function_call_output', 'custom_tool_call_output'],
}

function valuesOf({ _zod }: Word['schema']): readonly unknown[] {
  return [...(_zod.values ?? [])]
}

function subjectOf({ name }: Protocol) {
  const subject = SUBJECT_OF[name]
  if (subject === undefined) throw new Error(`no subject for ${name}`)
  return subject
}
