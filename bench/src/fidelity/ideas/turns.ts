import { fact, type Fact, type Idea } from '../fact.ts'
import { either, has, inOrder, lacks, contains } from '../look.ts'
import { ask, show } from '../wire/build.ts'

const INSTRUCTION = /^(system|developer)$/

/** A turn with plain text. */
const turn = (name: string, role: 'user' | 'assistant', text: string): Fact =>
  fact(name, /text|parts/i, {
    chat: has('messages.*', { role, content: contains(text) }),
    messages: has('messages.*', { role, content: contains(text) }),
    genai: has('contents.*', { role: role === 'user' ? 'user' : 'model', parts: contains(text) }),
  })

const instructed = (name: string, text: string): Fact =>
  fact(name, /system/i, {
    chat: has('messages.*', { role: INSTRUCTION, content: contains(text) }),
    messages: has('system.*', { type: 'text', text: contains(text) }),
    genai: has('systemInstruction.parts.*', { text: contains(text) }),
  })

const NOTHING: Fact = fact('no empty text is made of it', /nothing/, {
  // Chat allows an empty turn.
  chat: () => 'kept',
  messages: lacks('messages.*.content.*', { type: 'text', text: '' }),
  genai: lacks('contents.*.parts.*', { text: '' }),
})

const dialogue = ['one', 'two', 'three']

/** Roles and their order. */
export const turns: readonly Idea[] = [
  {
    name: 'a question',
    in: { chat: ask.chat(), messages: ask.messages(), genai: ask.genai() },
    facts: [turn('the words', 'user', 'Hello')],
  },
  {
    name: 'a question in two parts',
    in: {
      chat: show.chat({ type: 'text', text: 'first' }, { type: 'text', text: 'second' }),
      messages: show.messages({ type: 'text', text: 'first' }, { type: 'text', text: 'second' }),
      genai: show.genai({ text: 'first' }, { text: 'second' }),
    },
    facts: [
      fact('both, in order', /text|parts/i, {
        chat: inOrder('messages.*.content.*', { text: 'first' }, { text: 'second' }),
        messages: inOrder('messages.*.content.*', { text: 'first' }, { text: 'second' }),
        genai: inOrder('contents.*.parts.*', { text: 'first' }, { text: 'second' }),
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
    },
    facts: [
      turn('what the model said', 'assistant', 'two'),
      fact('the order of the turns', /messages|turn/i, {
        chat: inOrder('messages.*.content', contains('one'), contains('two'), contains('three')),
        messages: inOrder('messages.*.content', contains('one'), contains('two'), contains('three')),
        genai: inOrder('contents.*.parts', contains('one'), contains('two'), contains('three')),
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
    },
    facts: [
      fact('it is the last word', /messages|prefill/i, {
        chat: has('messages.1', { role: 'assistant', content: contains('Dear') }),
        messages: has('messages.1', { role: 'assistant', content: contains('Dear') }),
        genai: has('contents.1', { role: 'model', parts: contains('Dear') }),
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
    },
    facts: [turn('the first', 'user', 'first'), turn('the second', 'user', 'second')],
  },
  {
    name: 'words of many scripts',
    in: {
      chat: ask.chat({ messages: [{ role: 'user', content: 'naïve 🦊 水 \u0000\t"' }] }),
      messages: ask.messages({ messages: [{ role: 'user', content: 'naïve 🦊 水 \u0000\t"' }] }),
      genai: ask.genai({ contents: [{ role: 'user', parts: [{ text: 'naïve 🦊 水 \u0000\t"' }] }] }),
    },
    facts: [turn('every character', 'user', 'naïve 🦊 水 \u0000\t"')],
  },
  {
    name: 'a turn without a role',
    in: { genai: ask.genai({ contents: [{ parts: [{ text: 'Hello' }] }] }) },
    facts: [turn('it is the user who speaks', 'user', 'Hello')],
  },
  {
    name: 'an instruction',
    in: {
      chat: ask.chat({
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Hello' },
        ],
      }),
      messages: ask.messages({ system: 'Be brief.' }),
      genai: ask.genai({ systemInstruction: { parts: [{ text: 'Be brief.' }] } }),
    },
    facts: [instructed('the words', 'Be brief.'), turn('the question beside it', 'user', 'Hello')],
  },
  {
    name: 'an instruction by a developer',
    in: {
      chat: ask.chat({
        messages: [
          { role: 'developer', content: [{ type: 'text', text: 'Be brief.' }] },
          { role: 'user', content: 'Hello' },
        ],
      }),
    },
    facts: [instructed('the words', 'Be brief.')],
  },
  {
    name: 'instructions in two parts',
    in: {
      chat: ask.chat({
        messages: [
          {
            role: 'system',
            content: [
              { type: 'text', text: 'Be brief.' },
              { type: 'text', text: 'Be kind.' },
            ],
          },
          { role: 'user', content: 'Hello' },
        ],
      }),
      messages: ask.messages({
        system: [
          { type: 'text', text: 'Be brief.' },
          { type: 'text', text: 'Be kind.' },
        ],
      }),
      genai: ask.genai({ systemInstruction: { parts: [{ text: 'Be brief.' }, { text: 'Be kind.' }] } }),
    },
    facts: [instructed('the first', 'Be brief.'), instructed('the second', 'Be kind.')],
  },
  {
    name: 'an instruction late in the conversation',
    in: {
      chat: ask.chat({
        messages: [
          { role: 'user', content: 'Hello' },
          { role: 'system', content: 'Now in French.' },
          { role: 'user', content: 'Go on' },
        ],
      }),
    },
    facts: [
      // The others have instructions only at the start: there, or at the original position.
      fact('the words', /system|role/i, {
        chat: has('messages.*', { content: contains('Now in French.') }),
        messages: {
          nearly: either(has('system.*', contains('Now in French.')), has('messages.*', contains('Now in French.'))),
        },
        genai: {
          nearly: either(
            has('systemInstruction', contains('Now in French.')),
            has('contents.*', contains('Now in French.')),
          ),
        },
      }),
    ],
  },
  {
    name: 'the name of a speaker',
    in: { chat: ask.chat({ messages: [{ role: 'user', name: 'ada', content: 'Hello' }] }) },
    facts: [fact('the name', /name/i, { chat: has('messages.*', { name: 'ada' }), messages: 'never', genai: 'never' })],
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
    },
    facts: [
      fact('its words', /refusal/i, {
        chat: has('messages.*', { role: 'assistant', refusal: 'I must not.' }),
        messages: { nearly: has('messages.*', { role: 'assistant', content: contains('I must not.') }) },
        genai: { nearly: has('contents.*', { role: 'model', parts: contains('I must not.') }) },
      }),
    ],
  },
]
