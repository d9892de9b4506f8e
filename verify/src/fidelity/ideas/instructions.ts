import { fact, type Fact, type Idea } from '../fact.ts'
import { either, has, contains } from '../look.ts'
import { ask } from '../wire/build.ts'
import { turn } from './turns.ts'

const INSTRUCTION = /^(system|developer)$/

const instructed = (name: string, text: string): Fact =>
  fact(name, /system/i, {
    chat: has('messages.*', { role: INSTRUCTION, content: contains(text) }),
    messages: has('system.*', { type: 'text', text: contains(text) }),
    genai: has('systemInstruction.parts.*', { text: contains(text) }),
    responses: either(
      has('instructions.*', { text: contains(text) }),
      has('input.*', { role: INSTRUCTION, content: contains(text) }),
    ),
  })

/** Instructions, at the start and later. */
export const instructions: readonly Idea[] = [
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
      responses: ask.responses({ instructions: 'Be brief.' }),
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
      responses: ask.responses({
        input: [
          { role: 'developer', content: 'Be brief.' },
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
      responses: ask.responses({
        input: [
          {
            role: 'system',
            content: [
              { type: 'input_text', text: 'Be brief.' },
              { type: 'input_text', text: 'Be kind.' },
            ],
          },
          { role: 'user', content: 'Hello' },
        ],
      }),
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
      responses: ask.responses({
        input: [
          { role: 'user', content: 'Hello' },
          { role: 'system', content: 'Now in French.' },
          { role: 'user', content: 'Go on' },
        ],
      }),
    },
    facts: [
      // Some have instructions only at the start: there, or at the original position.
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
        responses: has('input.*', { role: INSTRUCTION, content: contains('Now in French.') }),
      }),
    ],
  },
]
