import type Anthropic from '@anthropic-ai/sdk'
import type { ChatRequest, MessagesRequest } from '@dragoman/core'
import type OpenAI from 'openai'
import type { Gaps, Reasons } from './gaps.test-d.ts'

// Planted gaps, to show that the comparison finds each kind of gap, and nothing else.

interface Theirs {
  model: 'known' | (string & {})
  level?: 'low' | 'high' | null
  size: number
  limit?: number
  blocks: (
    | { type: 'text'; text: string; mood?: string }
    | { type: 'image'; source: { url: string } }
    | { type: 'sound' }
  )[]
  data: { anything: { at: 'all' } }
  mode: 'on' | 'off'
  name: string
  tree: { type: 'node'; children: { type: 'node' }[] }
}
interface Ours {
  model: string
  level?: 'low' | (string & {}) | undefined
  size: string
  limit: number
  blocks: ({ type: 'text'; text: string } | { type: 'image'; source: { url: string } })[]
  data: { [name: string]: unknown }
  mode?: 'on'
  name: 'Ada' | 'Bob'
  tree: { type: 'node'; children: { readonly type: string }[] }
  unread?: unknown
}

export const planted: Reasons<Gaps<Theirs, Ours>> = {
  'body.level=high': 'a value that ours would pass on, but does not know',
  'body.size=number': 'a value of another type',
  'body.limit?': 'a member that ours requires',
  'text.mood': 'a member of one kind',
  'blocks=sound': 'a kind',
  'body.mode=off': 'a value',
  'body.name=string': 'any text, where ours has a list',
}

// @ts-expect-error a gap without a reason
export const silent: Reasons<Gaps<{ mood: string }, { name?: string }>> = {}
export const stale: Reasons<Gaps<{ name: string; mood: string }, { name: string }>> = {
  'body.mood': 'a gap',
  // @ts-expect-error a reason without a gap
  'body.name': 'no gap',
}

// The same in a real grammar: an upgrade that adds a member, a kind or a value.
type NewMember = Gaps<OpenAI.ChatCompletionCreateParams & { mood?: string }, ChatRequest>
type NewKind = Gaps<
  { thinking: Anthropic.ThinkingConfigParam | { type: 'daydream' } },
  Pick<MessagesRequest, 'thinking'>
>
type NewValue = Gaps<{ verbosity: 'low' | 'endless' }, Pick<ChatRequest, 'verbosity'>>
export const upgrade: Reasons<NewMember | NewKind | NewValue> = {
  'body.mood': 'a member',
  'thinking=daydream': 'a kind',
  'body.verbosity=endless': 'a value',
}
