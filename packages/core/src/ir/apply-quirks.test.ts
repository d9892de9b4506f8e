import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../lib/json.ts'
import { applyQuirks, decodeRenames, encodeRenames, renamedMember } from './apply-quirks.ts'
import { composeLosses } from './compose.ts'
import type { Loss } from './loss.ts'
import type { Quirk } from './quirk.ts'
import type { ModelRequest } from './request.ts'

const PLAIN: ModelRequest = { model: 'm', messages: [{ role: 'user', parts: [] }], settings: {}, delivery: {} }

function apply(quirks: readonly Quirk[], more: Partial<ModelRequest> = {}) {
  const { request, losses } = applyQuirks(quirks, { ...PLAIN, ...more })
  return { ...request, losses: losses.map(({ kind, path }) => `${kind} ${path.join('.')}`) }
}

describe('quirks of requests', () => {
  it('drop values, with what becomes empty, and in every element of a list', () => {
    const { reasoning, tools, losses } = apply([{ verb: 'drop', at: ['reasoning.effort', 'tools.*.strict'] }], {
      reasoning: { effort: 'high' },
      tools: [
        { type: 'function', name: 'a', strict: true },
        { type: 'function', name: 'b' },
        { type: 'function', name: 'c', strict: false },
      ],
    })
    expect(reasoning).toBeUndefined()
    expect(tools).toEqual(['a', 'b', 'c'].map((name) => ({ type: 'function', name })))
    expect(losses).toEqual(['dropped reasoning.effort', 'dropped tools.0.strict', 'dropped tools.2.strict'])
  })

  it('clamp numbers, and lists to their first elements', () => {
    const quirks: readonly Quirk[] = [
      { verb: 'clamp', at: 'settings.temperature', min: 0.1, max: 1 },
      { verb: 'clamp', at: 'settings.topP', min: 0.1 },
      { verb: 'clamp', at: 'settings.stop', max: 2 },
    ]
    const { settings, losses } = apply(quirks, { settings: { temperature: 2, topP: 0, stop: ['a', 'b', 'c', 'd'] } })
    expect(settings).toEqual({ temperature: 1, topP: 0.1, stop: ['a', 'b'] })
    expect(losses).toEqual([
      'changed settings.temperature',
      'changed settings.topP',
      'dropped settings.stop.2',
      'dropped settings.stop.3',
    ])
    expect(apply(quirks, { settings: { temperature: 0.5 } }).losses).toEqual([])
    expect(apply([{ verb: 'clamp', at: 'settings.stop', max: 0 }], { settings: { stop: ['a'] } }).settings).toEqual({})
  })

  it('set defaults, and report them at the first missing member', () => {
    const quirks: readonly Quirk[] = [
      { verb: 'default', at: 'extras.chat.one', to: true },
      { verb: 'default', at: 'extras.chat.two', to: 2 },
      { verb: 'default', at: 'settings.topK', to: 5 },
    ]
    const { extras, settings, losses } = apply(quirks, { settings: { topK: 1 } })
    expect({ extras, settings }).toEqual({ extras: { chat: { one: true, two: 2 } }, settings: { topK: 1 } })
    expect(losses).toEqual(['added extras'])
    expect(apply(quirks, { extras: { chat: { one: false } } }).losses).toEqual([
      'added extras.chat.two',
      'added settings.topK',
    ])
  })

  it('refuse a request without a required value, by name', () => {
    const quirks: readonly Quirk[] = [{ verb: 'require', at: 'settings.maxTokens' }]
    expect(() => apply(quirks)).toThrow('settings.maxTokens is required by this model.')
    expect(apply(quirks, { settings: { maxTokens: 1 } }).losses).toEqual([])
  })

  it('keep only the first of values that cannot be combined', () => {
    const quirks: readonly Quirk[] = [
      { verb: 'exclude', at: ['settings.temperature', 'settings.topP', 'settings.topK'] },
    ]
    expect(apply(quirks, { settings: { topP: 1, topK: 1 } })).toMatchObject({
      settings: { topP: 1 },
      losses: ['dropped settings.topK'],
    })
  })

  it('replace values by a table, by steps, and at another path', () => {
    const words: Quirk = { verb: 'replace', at: 'reasoning.effort', values: { minimal: 'low' } }
    expect(apply([words], { reasoning: { effort: 'minimal' } })).toMatchObject({ reasoning: { effort: 'low' } })
    expect(apply([words], { reasoning: { effort: 'constructor' } }).losses).toEqual([])
    const steps: Quirk = {
      verb: 'replace',
      at: 'reasoning.budget',
      steps: [
        [10, 'low'],
        [20, 'high'],
      ],
      as: 'reasoning.effort',
    }
    for (const [budget, effort] of [[10, 'low'] as const, [11, 'high'] as const, [99, 'high'] as const])
      expect(apply([steps], { reasoning: { budget } }).reasoning).toEqual({ effort })
    expect(apply([steps], { reasoning: { budget: 1, effort: 'max' } })).toMatchObject({
      reasoning: { effort: 'max' },
      losses: ['dropped reasoning.budget'],
    })
  })

  it('instruct the model if there is no member', () => {
    const schema = { dialect: 'json-schema', value: { type: 'object' } } as const
    const { messages, losses } = apply([{ verb: 'instruct', at: 'output.schema.value', text: 'As {}, $& please.' }], {
      output: { format: 'json', schema },
    })
    expect(messages[1]).toEqual({ role: 'system', parts: [{ type: 'text', text: 'As {"type":"object"}, $& please.' }] })
    expect(losses).toEqual(['dropped output.schema.value', 'added messages.1'])
  })

  it('declare the tools of a history without tools, and none may be called (trap 128)', () => {
    const quirks: readonly Quirk[] = [{ verb: 'declare', at: 'tools' }]
    const call = (name: string, by: 'client' | 'server' = 'client') =>
      ({ type: 'tool-call', id: 'c', name, arguments: {}, by }) as const
    const parts = [call('look'), call('run'), call('look'), call('web_search', 'server')]
    const history = { messages: [{ role: 'assistant', parts }] } as const
    const { tools, toolChoice, losses } = apply(quirks, history)
    expect(tools).toEqual([
      { type: 'function', name: 'look' },
      { type: 'function', name: 'run' },
    ])
    expect(toolChoice).toEqual({ mode: 'none' })
    expect(losses).toEqual(['added tools', 'added toolChoice'])
    expect(apply(quirks, { ...history, tools: [{ type: 'function', name: 'other' }] }).losses).toEqual([])
    expect(apply(quirks).losses).toEqual([])
  })

  it('apply only when and unless their conditions hold', () => {
    const drop = { verb: 'drop', at: 'settings.topK' } as const
    const settings = { topK: 1 }
    const dropped = (quirk: Quirk, more: Partial<ModelRequest> = {}) =>
      apply([quirk], { settings, ...more }).losses.length
    expect(dropped({ ...drop, when: 'tools' })).toBe(0)
    expect(dropped({ ...drop, when: 'tools' }, { tools: [] })).toBe(1)
    expect(dropped({ ...drop, unless: { 'reasoning.on': false } })).toBe(1)
    expect(dropped({ ...drop, unless: { 'reasoning.on': false } }, { reasoning: { on: false } })).toBe(0)
    expect(dropped({ ...drop, when: ['tools', { 'delivery.stream': true }] }, { tools: [] })).toBe(0)
  })
})

describe('reports of two steps', () => {
  const loss = (kind: 'dropped' | 'changed' | 'added', path: string, to?: unknown): Loss =>
    ({
      kind,
      path: path.split('.'),
      reason: 'r',
      ...(to === undefined ? {} : { to }),
    }) as Loss // as made above
  const composed = (first: readonly Loss[], second: readonly Loss[], original: object = {}) =>
    composeLosses(first, second, original).map((each) => ({ ...each, path: each.path.join('.'), reason: undefined }))

  it.each([
    [[loss('changed', 'a', 1)], [loss('changed', 'a', 2)], [{ kind: 'changed', path: 'a', to: 2 }]],
    [[loss('changed', 'a', 1)], [loss('changed', 'a', 0)], []],
    [[loss('changed', 'a', 1)], [loss('dropped', 'a')], [{ kind: 'dropped', path: 'a' }]],
    [[loss('added', 'b', 1)], [loss('dropped', 'b')], []],
    [[loss('added', 'b', 1)], [loss('changed', 'b', 2)], [{ kind: 'added', path: 'b', to: 2 }]],
    [[loss('added', 'b', { c: 1 })], [loss('added', 'b.d', 2)], [{ kind: 'added', path: 'b', to: { c: 1, d: 2 } }]],
    [[loss('added', 'b', { c: 1 })], [loss('dropped', 'b.c')], []],
    [[loss('dropped', 'a')], [loss('added', 'a', 2)], [{ kind: 'changed', path: 'a', to: 2 }]],
    [[loss('changed', 'x.y', 1)], [loss('dropped', 'x')], [{ kind: 'dropped', path: 'x' }]],
  ])('%j then %j', (first, second, expected) => {
    expect(composed(first, second, { a: 0, x: { y: 0 } })).toEqual(expected)
  })

  it('keep moves of the second together with its edits at the same path', () => {
    const moved: Loss = { kind: 'moved', path: ['a', 0], into: ['b'], reason: 'r' }
    const second = [moved, { kind: 'changed', path: ['a', 0], to: 1, reason: 'r' } as const]
    expect(composeLosses([loss('dropped', 'z')], second, {})).toEqual([loss('dropped', 'z'), ...second])
  })
})

describe('renames', () => {
  const quirks: readonly Quirk[] = [
    { verb: 'rename', at: 'seed', to: 'random_seed' },
    { verb: 'rename', at: 'tool_choice', values: { required: 'any' } },
    { verb: 'rename', at: 'reasoning_effort', values: { none: { thinking: { type: 'disabled' } } } },
    { verb: 'rename', at: 'reasoning.enabled', values: { true: { thinking: { type: 'enabled' } } } },
    { verb: 'rename', at: 'reasoning.max_tokens', to: 'thinking.budget_tokens' },
  ]
  const PAIRS: readonly (readonly [JsonObject, JsonObject])[] = [
    [{ seed: 1 }, { random_seed: 1 }],
    [{ tool_choice: 'required' }, { tool_choice: 'any' }],
    [{ tool_choice: 'auto' }, { tool_choice: 'auto' }],
    [{ tool_choice: { type: 'function' } }, { tool_choice: { type: 'function' } }],
    [{ reasoning_effort: 'none' }, { thinking: { type: 'disabled' } }],
    [
      { reasoning: { enabled: true, max_tokens: 9 }, x: 1 },
      { thinking: { type: 'enabled', budget_tokens: 9 }, x: 1 },
    ],
  ]

  it.each(PAIRS)('write %j as %j, and read it back', (plain, renamed) => {
    expect(encodeRenames(quirks, plain)).toEqual(renamed)
    expect(decodeRenames(quirks, renamed)).toEqual(plain)
    expect(renamedMember(quirks, plain) === undefined).toBe(JSON.stringify(plain) === JSON.stringify(renamed))
  })
})
