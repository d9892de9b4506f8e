import { fact, type Idea } from '../fact.ts'
import { isObject, type JsonValue } from '../json.ts'
import { at, has, contains } from '../look.ts'
import { answer, spoken } from '../wire/build.ts'

const TEXT = 'The sky is blue, they say.'
const PART = 'candidates.0.content.parts.*'

const token = (text: string, logprob: number) => ({ token: text, logprob })

/** Probabilities, ratings, and what nobody knows. */
export const details: readonly Idea[] = [
  {
    name: 'log probabilities',
    in: {
      chat: answer.chat({
        choice: {
          logprobs: {
            content: [
              { ...token('Good', -0.1), bytes: null, top_logprobs: [token('Good', -0.1), token('Bad', -2)] },
              { ...token(' day', -0.5), bytes: null, top_logprobs: [token(' day', -0.5)] },
            ],
            refusal: null,
          },
        },
      }),
      genai: answer.genai({
        candidate: {
          avgLogprobs: -0.3,
          logprobsResult: {
            chosenCandidates: [
              { token: 'Good', logProbability: -0.1 },
              { token: ' day', logProbability: -0.5 },
            ],
            topCandidates: [
              {
                candidates: [
                  { token: 'Good', logProbability: -0.1 },
                  { token: 'Bad', logProbability: -2 },
                ],
              },
              { candidates: [{ token: ' day', logProbability: -0.5 }] },
            ],
          },
        },
      }),
      responses: answer.responses({
        output: [
          {
            ...spoken(),
            content: [
              {
                type: 'output_text',
                text: 'Good day',
                annotations: [],
                logprobs: [
                  { ...token('Good', -0.1), bytes: [], top_logprobs: [token('Good', -0.1), token('Bad', -2)] },
                  { ...token(' day', -0.5), bytes: [], top_logprobs: [token(' day', -0.5)] },
                ],
              },
            ],
          },
        ],
      }),
    },
    facts: [
      fact('of the tokens', /log_?prob/i, {
        chat: at('choices.0.logprobs.content.1', token(' day', -0.5)),
        messages: 'never',
        genai: at('candidates.0.logprobsResult.chosenCandidates.1', { token: ' day', logProbability: -0.5 }),
        responses: has('output.*.content.*.logprobs.*', token(' day', -0.5)),
      }),
      fact('of the alternatives', /log_?prob/i, {
        chat: has('choices.0.logprobs.content.0.top_logprobs.*', token('Bad', -2)),
        messages: 'never',
        genai: has('candidates.0.logprobsResult.topCandidates.0.candidates.*', { token: 'Bad', logProbability: -2 }),
        responses: has('output.*.content.*.logprobs.*.top_logprobs.*', token('Bad', -2)),
      }),
    ],
  },
  {
    name: 'safety ratings',
    in: {
      genai: answer.genai({
        candidate: { safetyRatings: [{ category: 'HARM_CATEGORY_HARASSMENT', probability: 'LOW' }] },
      }),
    },
    facts: [
      fact('the ratings', /safety/i, {
        chat: 'never',
        messages: 'never',
        genai: has('candidates.0.safetyRatings.*', { probability: 'LOW' }),
        responses: 'never',
      }),
    ],
  },
  {
    name: 'what nobody knows',
    in: {
      chat: answer.chat({ body: { sparkle: { level: 3 } } }),
      messages: answer.messages({ body: { sparkle: { level: 3 } } }),
      genai: answer.genai({ body: { sparkle: { level: 3 } } }),
      responses: answer.responses({ body: { sparkle: { level: 3 } } }),
    },
    facts: [
      fact('it', /sparkle|extras/i, {
        chat: { perhaps: at('sparkle', { level: 3 }) },
        messages: { perhaps: at('sparkle', { level: 3 }) },
        genai: { perhaps: at('sparkle', { level: 3 }) },
        responses: { perhaps: at('sparkle', { level: 3 }) },
      }),
    ],
  },
  {
    name: 'a kind of block that nobody knows',
    in: {
      messages: answer.messages({
        content: [
          { type: 'text', text: TEXT },
          { type: 'hologram', shape: 'cube' },
        ],
      }),
      genai: answer.genai({ parts: [{ text: TEXT }, { hologram: { shape: 'cube' } }] }),
      responses: answer.responses({ output: [spoken(TEXT), { type: 'hologram', id: 'h_1', shape: 'cube' }] }),
    },
    facts: [
      fact('it', /hologram|opaque|kind|block|part/i, {
        chat: { perhaps: has('choices.0.message', contains('cube')) },
        messages: { perhaps: has('content.*', (block: JsonValue) => isObject(block) && block['type'] === 'hologram') },
        genai: { perhaps: has(PART, { hologram: {} }) },
        responses: { perhaps: has('output.*', contains('cube')) },
      }),
    ],
  },
]
