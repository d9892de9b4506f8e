import { describe, expect, it } from 'vitest'
import { responses } from './endpoints.ts'
import { describeFields, MODELS, useEndpoint, type Field, type Wire } from './fields.ts'

const client = useEndpoint(responses)
const { answer } = client

const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const [weather, time] = ['get_weather', 'get_time'].map((name) => ({
  type: 'function',
  name,
  parameters,
  strict: null,
}))
const tools = [weather, time]
const patch = { type: 'custom', name: 'apply', description: 'Edits.' }
const declared = (tool: Wire): Wire => ({ tools: [tool] })
const bad = (tool: Wire, path: string): [Wire, string] => [declared(tool), `tools.0${path}`]
const group = (...inside: Wire[]): Wire => ({ type: 'namespace', name: 'fs', tools: inside })

const FIELDS: Field[] = [
  {
    title: '[resp.tool.function:in] flat',
    good: [
      declared({ ...weather, description: 'The weather.', strict: false }),
      declared({ type: 'function', name: 'now', parameters: null, strict: null }),
    ],
    bad: [
      bad({ type: 'function' }, '.name'),
      bad({ ...weather, name: '' }, '.name'),
      bad({ ...weather, parameters: 'any' }, '.parameters'),
      bad({ ...weather, strict: 'yes' }, '.strict'),
      [{ tools: 'all' }, 'tools'],
      bad({ type: 5 }, '.type'),
    ],
    unknown: [[declared({ ...weather, defer_loading: true }), 'tools[0].defer_loading']],
  },
  {
    title: '[resp.tool.custom:in] of any text, or with a grammar',
    good: [
      declared(patch),
      declared({ ...patch, format: { type: 'text' } }),
      declared({ ...patch, format: { type: 'grammar', syntax: 'lark', definition: 'start: "a"' } }),
      declared({ ...patch, format: { type: 'grammar', syntax: 'regex', definition: '^a$' } }),
    ],
    bad: [
      bad({ type: 'custom' }, '.name'),
      bad({ ...patch, format: { type: 'grammar', syntax: 'lark' } }, '.format.definition'),
      bad({ ...patch, format: 'text' }, '.format'),
    ],
  },
  {
    title: '[resp.tool.namespace:in] of functions and custom tools',
    good: [declared(group(weather ?? {}, patch)), declared({ ...group(patch), description: 'Files.' })],
    bad: [
      bad({ type: 'namespace', name: 'fs' }, '.tools'),
      bad({ type: 'namespace', tools: [] }, '.name'),
      bad(group({ type: 'function' }), '.tools.0.name'),
    ],
  },
  {
    title: '[resp.tool_choice.mode:in] [resp.tool_choice.named:in] [resp.tool_choice.allowed_tools:in] in its forms',
    bad: [
      [{ tools, tool_choice: 5 }, 'tool_choice'],
      [{ tools, tool_choice: { type: 5 } }, 'tool_choice'],
      [{ tools, tool_choice: { type: 'function' } }, 'tool_choice'],
      [{ tools, tool_choice: { type: 'custom', name: 7 } }, 'tool_choice'],
      [{ tools, tool_choice: { type: 'allowed_tools', mode: 'auto' } }, 'tool_choice'],
      [{ tools, tool_choice: { type: 'allowed_tools', tools: [] } }, 'tool_choice'],
    ],
    unknown: [
      [{ tools, tool_choice: 'maybe' }, 'tool_choice'],
      [{ tools, tool_choice: { type: 'levitation' } }, 'tool_choice.type'],
    ],
  },
  {
    title: '[resp.parallel_tool_calls:in] true or false',
    bad: [[{ tools, parallel_tool_calls: 'no' }, 'parallel_tool_calls']],
  },
]

describe('the tools of Responses', () => {
  describeFields(client, FIELDS)

  describe.each(MODELS)('for %s', (model) => {
    const calls = async (members: Wire, of: readonly Wire[] = tools as Wire[]): Promise<Wire[]> => {
      const input = 'Use both tools for Rome'
      const { output } = await answer({ input, tools: of, ...members }, { model })
      return (output as Wire[]).filter(({ type }) => type === 'function_call' || type === 'custom_tool_call')
    }
    const names = async (members: Wire): Promise<unknown[]> => (await calls(members)).map(({ name }) => name)

    it('[resp.tool.function:in] [resp.tool_choice.mode:in] [resp.parallel_tool_calls:in] decide what is called', async () => {
      expect(await names({})).toEqual(['get_weather', 'get_time'])
      expect(await names({ tool_choice: 'auto', parallel_tool_calls: true })).toEqual(['get_weather', 'get_time'])
      expect(await names({ tool_choice: 'none' })).toEqual([])
      const one = model === 'sim/genai-1' ? ['get_weather', 'get_time'] : ['get_weather'] // genai cannot request one at a time
      expect(await names({ parallel_tool_calls: false })).toEqual(one)
    })

    it('[resp.tool_choice.named:in] [resp.tool_choice.allowed_tools:in] decide among the tools', async () => {
      expect(new Set(await names({ tool_choice: { type: 'function', name: 'get_time' } }))).toEqual(
        new Set(['get_time']),
      )
      const allowed = {
        type: 'allowed_tools',
        mode: 'required',
        tools: tools.map((tool) => ({ type: 'function', name: tool?.name })),
      }
      expect(await names({ tool_choice: allowed })).toEqual(['get_weather', 'get_time'])
    })

    it.each(['web_search', 'web_search_2025_08_26', 'web_search_preview'])(
      '[resp.tool.web_search:in] takes %s, and reports what of it is lost',
      async (type) => {
        const search = { type, search_context_size: 'low', user_location: { type: 'approximate', city: 'Rome' } }
        const { status, headers } = await client.post({ tools: [search] }, { model })
        const changed = headers.get('x-dragoman-losses')?.includes('changed tools[0]') ?? false
        expect([status, changed]).toEqual([200, client.modeFor(model) === 'translate'])
      },
    )

    it('[resp.tool.custom:in] [resp.tool.namespace:in] are called as they are declared', async () => {
      const [custom] = await calls({ tool_choice: { type: 'custom', name: 'apply' } }, [patch])
      expect(custom).toMatchObject({ type: 'custom_tool_call', name: 'apply', input: expect.any(String) as string })
      const [inside] = await calls({ tool_choice: 'required' }, [group(weather ?? {})])
      expect(inside).toMatchObject({ type: 'function_call', namespace: 'fs', name: 'get_weather' })
    })
  })
})
