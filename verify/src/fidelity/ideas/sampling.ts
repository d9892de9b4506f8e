import { fact, type Idea, type Look } from '../fact.ts'
import { at, both, has } from '../look.ts'
import { ask, tune } from '../wire/build.ts'

const config = (member: string, value: unknown): Look => at(`generationConfig.${member}`, value)

/** Sampling settings, each a number or a list. */
export const sampling: readonly Idea[] = [
  {
    name: 'a limit of tokens',
    in: {
      chat: ask.chat({ max_completion_tokens: 512 }),
      messages: ask.messages({ max_tokens: 512 }),
      genai: tune({ maxOutputTokens: 512 }),
      responses: ask.responses({ max_output_tokens: 512 }),
    },
    facts: [
      fact('the limit', /max_?(output_?|completion_?)?tokens/i, {
        chat: at('max_completion_tokens', 512),
        messages: at('max_tokens', 512),
        genai: config('maxOutputTokens', 512),
        responses: at('max_output_tokens', 512),
      }),
    ],
  },
  {
    name: 'a temperature',
    in: {
      chat: ask.chat({ temperature: 0.25 }),
      messages: ask.messages({ temperature: 0.25 }),
      genai: tune({ temperature: 0.25 }),
      responses: ask.responses({ temperature: 0.25 }),
    },
    facts: [
      fact('the temperature', /temperature/i, {
        chat: at('temperature', 0.25),
        messages: at('temperature', 0.25),
        genai: config('temperature', 0.25),
        responses: at('temperature', 0.25),
      }),
    ],
  },
  {
    name: 'a temperature of zero',
    in: {
      chat: ask.chat({ temperature: 0 }),
      messages: ask.messages({ temperature: 0 }),
      genai: tune({ temperature: 0 }),
      responses: ask.responses({ temperature: 0 }),
    },
    facts: [
      fact('the zero', /temperature/i, {
        chat: at('temperature', 0),
        messages: at('temperature', 0),
        genai: config('temperature', 0),
        responses: at('temperature', 0),
      }),
    ],
  },
  {
    name: 'a high temperature',
    in: {
      chat: ask.chat({ temperature: 1.5 }),
      genai: tune({ temperature: 1.5 }),
      responses: ask.responses({ temperature: 1.5 }),
    },
    facts: [
      fact('the temperature', /temperature/i, {
        chat: at('temperature', 1.5),
        messages: { nearly: at('temperature', 1) },
        genai: config('temperature', 1.5),
        responses: at('temperature', 1.5),
      }),
    ],
  },
  {
    name: 'nucleus sampling',
    in: {
      chat: ask.chat({ top_p: 0.9 }),
      messages: ask.messages({ top_p: 0.9 }),
      genai: tune({ topP: 0.9 }),
      responses: ask.responses({ top_p: 0.9 }),
    },
    facts: [
      fact('top p', /top_?p/i, {
        chat: at('top_p', 0.9),
        messages: at('top_p', 0.9),
        genai: config('topP', 0.9),
        responses: at('top_p', 0.9),
      }),
    ],
  },
  {
    name: 'top k',
    in: { messages: ask.messages({ top_k: 40 }), genai: tune({ topK: 40 }) },
    facts: [
      fact('top k', /top_?k/i, {
        chat: 'never',
        messages: at('top_k', 40),
        genai: config('topK', 40),
        responses: 'never',
      }),
    ],
  },
  {
    name: 'stop sequences',
    in: {
      chat: ask.chat({ stop: ['END', 'STOP'] }),
      messages: ask.messages({ stop_sequences: ['END', 'STOP'] }),
      genai: tune({ stopSequences: ['END', 'STOP'] }),
    },
    facts: [
      fact('all of them', /stop/i, {
        chat: at('stop', ['END', 'STOP']),
        messages: at('stop_sequences', ['END', 'STOP']),
        genai: config('stopSequences', ['END', 'STOP']),
        responses: 'never',
      }),
    ],
  },
  {
    name: 'one stop sequence',
    in: { chat: ask.chat({ stop: 'END' }) },
    facts: [
      fact('it', /stop/i, {
        chat: at('stop', ['END']),
        messages: at('stop_sequences', ['END']),
        genai: config('stopSequences', ['END']),
        responses: 'never',
      }),
    ],
  },
  {
    name: 'five stop sequences',
    in: {
      messages: ask.messages({ stop_sequences: ['A', 'B', 'C', 'D', 'E'] }),
      genai: tune({ stopSequences: ['A', 'B', 'C', 'D', 'E'] }),
    },
    facts: [
      fact('the first four', /stop/i, {
        chat: has('stop.*', 'A', 'B', 'C', 'D'),
        messages: has('stop_sequences.*', 'A', 'B', 'C', 'D'),
        genai: has('generationConfig.stopSequences.*', 'A', 'B', 'C', 'D'),
        responses: 'never',
      }),
      fact('the fifth', /stop/i, {
        chat: 'never',
        messages: has('stop_sequences.*', 'E'),
        genai: has('generationConfig.stopSequences.*', 'E'),
        responses: 'never',
      }),
    ],
  },
  {
    name: 'penalties',
    in: {
      chat: ask.chat({ presence_penalty: 0.5, frequency_penalty: -0.5 }),
      genai: tune({ presencePenalty: 0.5, frequencyPenalty: -0.5 }),
    },
    facts: [
      fact('the presence penalty', /presence/i, {
        chat: at('presence_penalty', 0.5),
        messages: 'never',
        genai: config('presencePenalty', 0.5),
        responses: { perhaps: at('presence_penalty', 0.5) },
      }),
      fact('the frequency penalty', /frequency/i, {
        chat: at('frequency_penalty', -0.5),
        messages: 'never',
        genai: config('frequencyPenalty', -0.5),
        responses: { perhaps: at('frequency_penalty', -0.5) },
      }),
    ],
  },
  {
    name: 'a seed',
    in: { chat: ask.chat({ seed: 7 }), genai: tune({ seed: 7 }) },
    facts: [
      fact('the seed', /seed/i, {
        chat: at('seed', 7),
        messages: 'never',
        genai: config('seed', 7),
        responses: 'never',
      }),
    ],
  },
  {
    name: 'log probabilities',
    in: {
      chat: ask.chat({ logprobs: true, top_logprobs: 3 }),
      genai: tune({ responseLogprobs: true, logprobs: 3 }),
      responses: ask.responses({ include: ['message.output_text.logprobs'], top_logprobs: 3 }),
    },
    facts: [
      fact('that they are wanted', /log_?prob/i, {
        chat: at('logprobs', true),
        messages: 'never',
        genai: config('responseLogprobs', true),
        responses: has('include.*', 'message.output_text.logprobs'),
      }),
      fact('how many', /log_?prob/i, {
        chat: at('top_logprobs', 3),
        messages: 'never',
        genai: config('logprobs', 3),
        responses: at('top_logprobs', 3),
      }),
    ],
  },
  {
    name: 'a logit bias',
    in: { chat: ask.chat({ logit_bias: { '50256': -100 } }) },
    facts: [
      fact('the bias', /logit_?bias/i, {
        chat: at('logit_bias', { '50256': -100 }),
        messages: 'never',
        genai: 'never',
        responses: 'never',
      }),
    ],
  },
  {
    name: 'several candidates',
    in: { genai: tune({ candidateCount: 2 }) },
    facts: [
      fact('how many', /candidate|\bn\b/i, {
        chat: at('n', 2),
        messages: 'never',
        genai: config('candidateCount', 2),
        responses: 'never',
      }),
    ],
  },
  {
    name: 'everything at once',
    in: {
      chat: ask.chat({ max_completion_tokens: 9, temperature: 1, top_p: 1, stop: ['x'] }),
      messages: ask.messages({ max_tokens: 9, temperature: 1, top_p: 1, stop_sequences: ['x'] }),
      genai: tune({ maxOutputTokens: 9, temperature: 1, topP: 1, stopSequences: ['x'] }),
    },
    facts: [
      fact('all of it', /temperature|top_?p|stop|tokens/i, {
        chat: both(at('max_completion_tokens', 9), at('temperature', 1), at('top_p', 1), at('stop', ['x'])),
        messages: both(at('max_tokens', 9), at('temperature', 1), at('top_p', 1), at('stop_sequences', ['x'])),
        genai: both(
          config('maxOutputTokens', 9),
          config('temperature', 1),
          config('topP', 1),
          config('stopSequences', ['x']),
        ),
        responses: { nearly: both(at('temperature', 1), at('top_p', 1)) },
      }),
    ],
  },
]
