import { fact, type Fact, type Idea, type ProtocolName } from '../fact.ts'
import type { JsonValue } from '../json.ts'
import { at, either, has } from '../look.ts'
import { ask, show, tune } from '../wire/build.ts'

/** A member of only one protocol. */
const own = (from: ProtocolName, member: string, value: JsonValue): Idea => ({
  name: `${member} of ${from}`,
  in: { [from]: ask[from]({ [member]: value }) },
  facts: [
    fact('it', new RegExp(member.replaceAll('_', '_?'), 'i'), {
      ...NOWHERE,
      ...alike(from, member, value),
      [from]: at(member, value),
    }),
  ],
})

/** Chat and Responses are of one vendor: many members have the same name in both. */
const alike = (from: ProtocolName, member: string, value: JsonValue): Partial<Fact['in']> =>
  from === 'chat' || from === 'responses'
    ? { chat: { perhaps: at(member, value) }, responses: { perhaps: at(member, value) } }
    : {}

/** A member of the generation config that no other protocol has. */
const generation = (member: string, value: JsonValue): Idea => ({
  name: `${member} of genai`,
  in: { genai: tune({ [member]: value }) },
  facts: [fact('it', new RegExp(member, 'i'), { ...NOWHERE, genai: at(`generationConfig.${member}`, value) })],
})

const LONG_USER = `user_${'a'.repeat(64)}_account_${'b'.repeat(36)}_session_${'c'.repeat(36)}`
/** OpenAI allows 128 characters. */
const SHORT = /^.{1,128}$/

const NOWHERE = { chat: 'never', messages: 'never', genai: 'never', responses: 'never' } as const

/** Members of only one protocol, and unknown members. */
export const extras: readonly Idea[] = [
  own('chat', 'metadata', { team: 'search' }),
  own('chat', 'store', true),
  own('chat', 'prompt_cache_key', 'key-1'),
  own('chat', 'prediction', { type: 'content', content: 'Hello' }),
  own('chat', 'modalities', ['text', 'audio']),
  own('chat', 'audio', { voice: 'alloy', format: 'wav' }),
  own('chat', 'sparkle', { level: 3 }),
  own('messages', 'service_tier', 'auto'),
  own('messages', 'container', 'container_1'),
  own('messages', 'mcp_servers', [{ type: 'url', url: 'https://example.com/mcp', name: 'a' }]),
  own('messages', 'context_management', { edits: [{ type: 'clear_tool_uses_20250919' }] }),
  own('messages', 'sparkle', { level: 3 }),
  own('responses', 'max_tool_calls', 3),
  own('responses', 'truncation', 'auto'),
  own('responses', 'client_metadata', { thread: 't-1' }),
  own('responses', 'prompt_cache_key', 'key-1'),
  own('responses', 'metadata', { team: 'search' }),
  own('responses', 'sparkle', { level: 3 }),
  own('genai', 'labels', { team: 'search' }),
  own('genai', 'sparkle', { level: 3 }),
  generation('audioTimestamp', true),
  generation('routingConfig', { autoMode: { modelRoutingPreference: 'BALANCED' } }),
  generation('enableAffectiveDialog', true),
  generation('glitter', { level: 3 }),
  {
    name: 'the tier to be served in',
    in: {
      chat: ask.chat({ service_tier: 'flex' }),
      genai: ask.genai({ serviceTier: 'flex' }),
      responses: ask.responses({ service_tier: 'flex' }),
    },
    facts: [
      fact('the tier', /service_?tier/i, {
        chat: at('service_tier', 'flex'),
        messages: 'never',
        genai: at('serviceTier', 'flex'),
        responses: at('service_tier', 'flex'),
      }),
    ],
  },
  {
    name: 'what to filter',
    in: {
      genai: ask.genai({ safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_ONLY_HIGH' }] }),
    },
    facts: [
      fact('the settings', /safety/i, {
        chat: 'never',
        messages: 'never',
        genai: has('safetySettings.*', { category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_ONLY_HIGH' }),
        responses: 'never',
      }),
    ],
  },
  {
    name: 'who is asking',
    in: {
      chat: ask.chat({ safety_identifier: 'user-1' }),
      messages: ask.messages({ metadata: { user_id: 'user-1' } }),
      responses: ask.responses({ safety_identifier: 'user-1' }),
    },
    facts: [
      fact('the user', /metadata|user/i, {
        chat: either(at('user', 'user-1'), at('safety_identifier', 'user-1')),
        messages: at('metadata.user_id', 'user-1'),
        genai: 'never',
        responses: either(at('user', 'user-1'), at('safety_identifier', 'user-1')),
      }),
    ],
  },
  {
    name: 'who is asking, in a long text',
    in: { messages: ask.messages({ metadata: { user_id: LONG_USER } }) },
    facts: [
      fact('an identifier that is short enough', /metadata|user/i, {
        chat: either(at('user', SHORT), at('safety_identifier', SHORT)),
        messages: at('metadata.user_id', /^.{1,256}$/),
        genai: 'never',
        responses: either(at('user', SHORT), at('safety_identifier', SHORT)),
      }),
    ],
  },
  {
    name: 'who is asking, in the older form of chat',
    in: { chat: ask.chat({ user: 'user-1' }) },
    facts: [
      fact('the user', /user/i, {
        chat: either(at('user', 'user-1'), at('safety_identifier', 'user-1')),
        messages: at('metadata.user_id', 'user-1'),
        genai: 'never',
        responses: either(at('user', 'user-1'), at('safety_identifier', 'user-1')),
      }),
    ],
  },
  {
    name: 'a member of a message that nobody knows',
    in: {
      chat: ask.chat({ messages: [{ role: 'user', content: 'Hello', mood: 'glad' }] }),
      messages: ask.messages({ messages: [{ role: 'user', content: 'Hello', mood: 'glad' }] }),
      responses: ask.responses({ input: [{ role: 'user', content: 'Hello', mood: 'glad' }] }),
    },
    facts: [
      fact('it', /mood|extras/i, {
        chat: { perhaps: has('messages.*', { mood: 'glad' }) },
        messages: { perhaps: has('messages.*', { mood: 'glad' }) },
        genai: 'never',
        responses: { perhaps: has('input.*', { mood: 'glad' }) },
      }),
    ],
  },
  {
    name: 'a member of a part that nobody knows',
    in: {
      chat: show.chat({ type: 'text', text: 'Hello', mood: 'glad' }),
      messages: show.messages({ type: 'text', text: 'Hello', mood: 'glad' }),
      genai: show.genai({ text: 'Hello', mood: 'glad' }),
      responses: show.responses({ type: 'input_text', text: 'Hello', mood: 'glad' }),
    },
    facts: [
      fact('it', /mood|extras/i, {
        chat: { perhaps: has('messages.*.content.*', { mood: 'glad' }) },
        messages: { perhaps: has('messages.*.content.*', { mood: 'glad' }) },
        genai: { perhaps: has('contents.*.parts.*', { mood: 'glad' }) },
        responses: { perhaps: has('input.*.content.*', { mood: 'glad' }) },
      }),
    ],
  },
  {
    name: 'a kind of part that nobody knows',
    in: {
      chat: show.chat({ type: 'text', text: 'Hello' }, { type: 'hologram', shape: 'cube' }),
      messages: show.messages({ type: 'text', text: 'Hello' }, { type: 'hologram', shape: 'cube' }),
      genai: show.genai({ text: 'Hello' }, { hologram: { shape: 'cube' } }),
      responses: show.responses({ type: 'input_text', text: 'Hello' }, { type: 'hologram', shape: 'cube' }),
    },
    facts: [
      fact('it', /hologram|opaque|kind|block|part/i, {
        chat: { perhaps: has('messages.*.content.*', { shape: 'cube' }) },
        messages: { perhaps: has('messages.*.content.*', { shape: 'cube' }) },
        genai: { perhaps: has('contents.*.parts.*', { hologram: { shape: 'cube' } }) },
        responses: { perhaps: has('input.*.content.*', { shape: 'cube' }) },
      }),
    ],
  },
  {
    name: 'a member of a tool that nobody knows',
    in: {
      chat: ask.chat({ tools: [{ type: 'function', function: { name: 'now', mood: 'glad' } }] }),
      messages: ask.messages({ tools: [{ name: 'now', input_schema: { type: 'object' }, mood: 'glad' }] }),
      genai: ask.genai({ tools: [{ functionDeclarations: [{ name: 'now', mood: 'glad' }] }] }),
      responses: ask.responses({
        tools: [{ type: 'function', name: 'now', parameters: null, strict: false, mood: 'glad' }],
      }),
    },
    facts: [
      fact('it', /mood|extras/i, {
        chat: { perhaps: has('tools.*.function', { mood: 'glad' }) },
        messages: { perhaps: has('tools.*', { mood: 'glad' }) },
        genai: { perhaps: has('tools.*.functionDeclarations.*', { mood: 'glad' }) },
        responses: { perhaps: has('tools.*', { mood: 'glad' }) },
      }),
    ],
  },
  {
    name: 'which model',
    in: { chat: ask.chat(), messages: ask.messages(), responses: ask.responses() },
    facts: [
      fact('its id', /model/i, {
        chat: at('model', 'model-1'),
        messages: at('model', 'model-1'),
        genai: 'elsewhere',
        responses: at('model', 'model-1'),
      }),
    ],
  },
  {
    name: 'an answer as a stream',
    in: {
      chat: ask.chat({ stream: true, stream_options: { include_usage: true } }),
      messages: ask.messages({ stream: true }),
      responses: ask.responses({ stream: true }),
    },
    facts: [
      fact('that it is streamed', /stream/i, {
        chat: at('stream', true),
        messages: at('stream', true),
        genai: 'elsewhere',
        responses: at('stream', true),
      }),
    ],
  },
]
