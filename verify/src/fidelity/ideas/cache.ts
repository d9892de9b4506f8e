import { fact, type Idea, type Look } from '../fact.ts'
import { at, has } from '../look.ts'
import { ask, show } from '../wire/build.ts'

const MARK = { cache_control: { type: 'ephemeral' } }
const HOUR = { cache_control: { type: 'ephemeral', ttl: '1h' } }
const SCHEMA = { type: 'object', properties: {} }

const BREAKPOINT = has('input.*.content.*', { prompt_cache_breakpoint: { mode: 'explicit' } })

/** Cache marks in chat are an extension of some upstreams. In Responses only some parts have them, and for other times. */
const marked = (name: string, messages: Look, chat: Look) =>
  fact(name, /cache/i, { chat: { perhaps: chat }, messages, genai: 'never', responses: { perhaps: BREAKPOINT } })

/** Cache marks for prefixes. */
export const cache: readonly Idea[] = [
  {
    name: 'a mark on an instruction',
    in: { messages: ask.messages({ system: [{ type: 'text', text: 'Be brief.', ...MARK }] }) },
    facts: [marked('the mark', has('system.*', MARK), has('messages.*.content.*', MARK))],
  },
  {
    name: 'a mark on words',
    in: {
      messages: show.messages({ type: 'text', text: 'Long', ...MARK }),
    },
    facts: [marked('the mark', has('messages.*.content.*', MARK), has('messages.*.content.*', MARK))],
  },
  {
    name: 'a breakpoint of Responses',
    in: {
      responses: show.responses({ type: 'input_text', text: 'Long', prompt_cache_breakpoint: { mode: 'explicit' } }),
    },
    facts: [
      fact('the mark', /cache/i, {
        chat: { perhaps: has('messages.*.content.*', MARK) },
        messages: { perhaps: has('messages.*.content.*', MARK) },
        genai: 'never',
        responses: BREAKPOINT,
      }),
    ],
  },
  {
    name: 'a mark for an hour',
    in: { messages: show.messages({ type: 'text', text: 'Long', ...HOUR }) },
    facts: [marked('how long', has('messages.*.content.*', HOUR), has('messages.*.content.*', HOUR))],
  },
  {
    name: 'a mark on an image',
    in: {
      messages: show.messages({ type: 'image', source: { type: 'url', url: 'https://example.com/cat.png' }, ...MARK }),
    },
    facts: [marked('the mark', has('messages.*.content.*', MARK), has('messages.*.content.*', MARK))],
  },
  {
    name: 'a mark on a tool',
    in: { messages: ask.messages({ tools: [{ name: 'look_up', input_schema: SCHEMA, ...MARK }] }) },
    facts: [marked('the mark', has('tools.*', MARK), has('tools.*', MARK))],
  },
  {
    name: 'marks on a call and its result',
    in: {
      messages: ask.messages({
        messages: [
          { role: 'user', content: 'Hello' },
          { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: 'look_up', input: {}, ...MARK }] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'found', ...MARK }] },
        ],
      }),
    },
    facts: [
      marked(
        'the mark on the call',
        has('messages.1.content.*', MARK),
        has('messages.*', { role: 'assistant', tool_calls: [MARK] }),
      ),
      marked('the mark on the result', has('messages.2.content.*', MARK), has('messages.*', { role: 'tool', ...MARK })),
    ],
  },
  {
    name: 'a prefix that is cached already',
    in: { genai: ask.genai({ cachedContent: 'projects/p/locations/l/cachedContents/1' }) },
    facts: [
      fact('which', /cached/i, {
        chat: 'never',
        messages: 'never',
        genai: at('cachedContent', 'projects/p/locations/l/cachedContents/1'),
        responses: 'never',
      }),
    ],
  },
]
