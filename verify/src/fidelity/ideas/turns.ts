import { fact, type Fact, type Idea } from '../fact.ts'
import { has, inOrder, lacks, contains } from '../look.ts'
import { ask, assistant, show } from '../wire/build.ts'

/** A turn with plain text. */
export const turn = (name: string, role: 'user' | 'assistant', text: string): Fact =>
  fact(name, /text|parts/i, {
    chat: has('messages.*', { role, content: contains(text) }),
    messages: has('messages.*', { role, content: contains(text) }),
    genai: has('contents.*', { role: role === 'user' ? 'user' : 'model', parts: contains(text) }),
    responses: has('input.*', { role, content: contains(text) }),
  })

const NOTHING: Fact = fact('no empty text is made of it', /nothing/, {
  // Chat allows an empty turn.
  chat: () => 'kept',
  messages: lacks('messages.*.content.*', { type: 'text', text: '' }),
  genai: lacks('contents.*.parts.*', { text: '' }),
  responses: lacks('input.*.content.*', { text: '' }),
})

const dialogue = ['one', 'two', 'three']

/** Roles and their order. */
export const turns: readonly Idea[] = [
  {
    name: 'a question',
    in: { chat: ask.chat(), messages: ask.messages(), genai: ask.genai(), responses: ask.responses() },
    facts: [turn('the words', 'user', 'Hello')],
  },
  {
    name: 'a question in two parts',
    in: {
      chat: show.chat({ type: 'text', text: 'first' }, { type: 'text', text: 'second' }),
      messages: show.messages({ type: 'text', text: 'first' }, { type: 'text', text: 'second' }),
      genai: show.genai({ text: 'first' }, { text: 'second' }),
      responses: show.responses({ type: 'input_text', text: 'first' }, { type: 'input_text', text: 'second' }),
    },
    facts: [
      fact('both, in order', /text|parts/i, {
        chat: inOrder('messages.*.content.*', { text: 'first' }, { text: 'second' }),
        messages: inOrder('messages.*.content.*', { text: 'first' }, { text: 'second' }),
        genai: inOrder('contents.*.parts.*', { text: 'first' }, { text: 'second' }),
        responses: inOrder('input.*.content.*', { text: 'first' }, { text: 'second' }),
      }),
    ],
  },
  {
    name: 'a dialogue',
    in: {
      chat: ask.chat({
        messages: dialogue.map((content, index) => ({ role: index === 1 ? 'assistant' : 'user', content })),
      }),
      messages: ask.messages({
        messages: dialogue.map((content, index) => ({ role: index === 1 ? 'assistant' : 'user', content })),
      }),
      genai: ask.genai({
        contents: dialogue.map((text, index) => ({ role: index === 1 ? 'model' : 'user', parts: [{ text }] })),
      }),
      responses: ask.responses({
        input: dialogue.map((text, index) => (index === 1 ? assistant(text) : { role: 'user', content: text })),
      }),
    },
    facts: [
      turn('what the model said', 'assistant', 'two'),
      fact('the order of the turns', /messages|turn/i, {
        chat: inOrder('messages.*.content', contains('one'), contains('two'), contains('three')),
        messages: inOrder('messages.*.content', contains('one'), contains('two'), contains('three')),
        genai: inOrder('contents.*.parts', contains('one'), contains('two'), contains('three')),
        responses: inOrder('input.*.content', contains('one'), contains('two'), contains('three')),
      }),
    ],
  },
  {
    name: 'the beginning of the answer',
    in: {
      chat: ask.chat({
        messages: [
          { role: 'user', content: 'Hello' },
          { role: 'assistant', content: 'Dear' },
        ],
      }),
      messages: ask.messages({
        messages: [
          { role: 'user', content: 'Hello' },
          { role: 'assistant', content: 'Dear' },
        ],
      }),
      genai: ask.genai({
        contents: [
          { role: 'user', parts: [{ text: 'Hello' }] },
          { role: 'model', parts: [{ text: 'Dear' }] },
        ],
      }),
      responses: ask.responses({ input: [{ role: 'user', content: 'Hello' }, assistant('Dear')] }),
    },
    facts: [
      fact('it is the last word', /messages|prefill/i, {
        chat: has('messages.1', { role: 'assistant', content: contains('Dear') }),
        messages: has('messages.1', { role: 'assistant', content: contains('Dear') }),
        genai: has('contents.1', { role: 'model', parts: contains('Dear') }),
        responses: has('input.1', { role: 'assistant', content: contains('Dear') }),
      }),
    ],
  },
  {
    name: 'two questions in a row',
    in: {
      chat: ask.chat({
        messages: [
          { role: 'user', content: 'first' },
          { role: 'user', content: 'second' },
        ],
      }),
      messages: ask.messages({
        messages: [
          { role: 'user', content: 'first' },
          { role: 'user', content: 'second' },
        ],
      }),
      genai: ask.genai({
        contents: [
          { role: 'user', parts: [{ text: 'first' }] },
          { role: 'user', parts: [{ text: 'second' }] },
        ],
      }),
      responses: ask.responses({ input: ['first', 'second'].map((content) => ({ role: 'user', content })) }),
    },
    facts: [turn('the first', 'user', 'first'), turn('the second', 'user', 'second')],
  },
  {
    name: 'words of many scripts',
    in: {
      chat: ask.chat({ messages: [{ role: 'user', content: 'naïve 🦊 水 \u0000\t"' }] }),
      messages: ask.messages({ messages: [{ role: 'user', content: 'naïve 🦊 水 \u0000\t"' }] }),
      genai: ask.genai({ contents: [{ role: 'user', parts: [{ text: 'naïve 🦊 水 \u0000\t"' }] }] }),
      responses: ask.responses({ input: 'naïve 🦊 水 \u0000\t"' }),
    },
    facts: [turn('every character', 'user', 'naïve 🦊 水 \u0000\t"')],
  },
  {
    name: 'a turn without a role',
    in: { genai: ask.genai({ contents: [{ parts: [{ text: 'Hello' }] }] }) },
    facts: [turn('it is the user who speaks', 'user', 'Hello')],
  },
  {
    name: 'the name of a speaker',
    in: { chat: ask.chat({ messages: [{ role: 'user', name: 'ada', content: 'Hello' }] }) },
    facts: [
      fact('the name', /name/i, {
        chat: has('messages.*', { name: 'ada' }),
        messages: 'never',
        genai: 'never',
        responses: 'never',
      }),
    ],
  },
  {
    name: 'an answer without words',
    in: {
      chat: ask.chat({
        messages: [
          { role: 'user', content: 'Hello' },
          { role: 'assistant', content: '' },
          { role: 'user', content: 'Well?' },
        ],
      }),
    },
    facts: [NOTHING, turn('what was asked then', 'user', 'Well?')],
  },
  {
    name: 'a refusal in the history',
    in: {
      chat: ask.chat({
        messages: [
          { role: 'user', content: 'Hello' },
          { role: 'assistant', content: null, refusal: 'I must not.' },
          { role: 'user', content: 'Why?' },
        ],
      }),
      responses: ask.responses({
        input: [
          { role: 'user', content: 'Hello' },
          { type: 'message', role: 'assistant', content: [{ type: 'refusal', refusal: 'I must not.' }] },
          { role: 'user', content: 'Why?' },
        ],
      }),
    },
    facts: [
      fact('its words', /refusal/i, {
        chat: has('messages.*', { role: 'assistant', refusal: 'I must not.' }),
        messages: { nearly: has('messages.*', { role: 'assistant', content: contains('I must not.') }) },
        genai: { nearly: has('contents.*', { role: 'model', parts: contains('I must not.') }) },
        responses: has('input.*.content.*', { type: 'refusal', refusal: 'I must not.' }),
      }),
    ],
  },
]
