// Types with planted gaps, which `gaps.test.ts` reads.

interface Theirs {
  model: 'known' | (string & {})
  level?: 'low' | 'high' | null
  size: number
  limit?: number
  blocks: (
    | { type: 'text'; text: string; mood?: string }
    | { type: 'image'; source: { url: string } }
    | { type: 'sound' }
    | { type: 'sketch' | 'drawing' }
  )[]
  data: { anything: { at: 'all' } }
  mode: Mode
  name: string
  tree: { type: 'node'; children: { type: 'leaf' }[]; parent?: Theirs['tree'] }
  kept: { whatever: 'it is' }
  counts: { [word: string]: number | 'many' }
  either: string | string[]
}
declare enum Mode {
  On = 'on',
  Off = 'off',
}
interface Ours {
  model: string
  level?: 'low' | (string & {}) | undefined
  size: string
  limit: number
  blocks: ({ type: 'text'; text: string } | { type: 'image'; source: { url: string } } | { type: 'drawing' })[]
  data: { [name: string]: unknown }
  mode?: 'on'
  name: 'Ada' | 'Bob'
  tree: { type: 'node'; children: { readonly type: string }[]; parent?: Ours['tree'] }
  kept?: unknown
  counts: { [word: string]: number }
  either: string
  unread?: unknown
}

export interface Planted {
  theirs: Theirs
  ours: Ours
}
