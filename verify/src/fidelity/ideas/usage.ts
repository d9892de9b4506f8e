import { fact, type Idea, type Look } from '../fact.ts'
import { objectOf, type JsonObject, type JsonValue } from '../json.ts'
import { at, pick } from '../look.ts'
import { answer } from '../wire/build.ts'

export const used = {
  chat: (usage: JsonObject) => answer.chat({ body: { usage } }),
  messages: (usage: JsonObject) => answer.messages({ body: { usage } }),
  genai: (usageMetadata: JsonObject) => answer.genai({ body: { usageMetadata } }),
  responses: (usage: JsonObject) => answer.responses({ body: { usage } }),
}

const READ = 'usage.input_tokens_details'

/** The sum of some members; absent ones count as zero. */
const sum =
  (path: string, members: readonly string[], total: number): Look =>
  (body: JsonValue) => {
    const [usage] = pick(body, path)
    if (usage == null) return 'gone'
    return members.reduce((before, member) => before + Number(objectOf(usage)[member] ?? 0), 0) === total
      ? 'kept'
      : 'wrong'
  }

/** All input tokens: chat and genai include cached tokens, messages counts them separately. */
export const input = (count: number) =>
  fact('all tokens read', /usage|input|prompt/i, {
    chat: at('usage.prompt_tokens', count),
    messages: sum('usage', ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'], count),
    genai: sum('usageMetadata', ['promptTokenCount', 'toolUsePromptTokenCount'], count),
    responses: at('usage.input_tokens', count),
  })

/** All output tokens: genai counts reasoning separately, the others include it. */
const output = (count: number) =>
  fact('all tokens written', /usage|output|completion/i, {
    chat: at('usage.completion_tokens', count),
    messages: at('usage.output_tokens', count),
    genai: sum('usageMetadata', ['candidatesTokenCount', 'thoughtsTokenCount'], count),
    responses: at('usage.output_tokens', count),
  })

/** Usage. */
export const usage: readonly Idea[] = [
  {
    name: 'tokens',
    in: {
      chat: used.chat({ prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 }),
      messages: used.messages({ input_tokens: 100, output_tokens: 50 }),
      genai: used.genai({ promptTokenCount: 100, candidatesTokenCount: 50, totalTokenCount: 150 }),
      responses: used.responses({ input_tokens: 100, output_tokens: 50, total_tokens: 150 }),
    },
    facts: [
      input(100),
      output(50),
      fact('the total', /usage|total/i, {
        chat: at('usage.total_tokens', 150),
        messages: sum('usage', ['input_tokens', 'output_tokens'], 150),
        genai: at('usageMetadata.totalTokenCount', 150),
        responses: at('usage.total_tokens', 150),
      }),
    ],
  },
  {
    name: 'cached tokens',
    in: {
      chat: used.chat({
        prompt_tokens: 100,
        completion_tokens: 50,
        total_tokens: 150,
        prompt_tokens_details: { cached_tokens: 80 },
      }),
      messages: used.messages({ input_tokens: 20, output_tokens: 50, cache_read_input_tokens: 80 }),
      genai: used.genai({
        promptTokenCount: 100,
        candidatesTokenCount: 50,
        totalTokenCount: 150,
        cachedContentTokenCount: 80,
      }),
      responses: used.responses({
        input_tokens: 100,
        output_tokens: 50,
        total_tokens: 150,
        input_tokens_details: { cached_tokens: 80 },
      }),
    },
    facts: [
      input(100),
      fact('the cached ones', /usage|cache/i, {
        chat: at('usage.prompt_tokens_details.cached_tokens', 80),
        messages: at('usage.cache_read_input_tokens', 80),
        genai: at('usageMetadata.cachedContentTokenCount', 80),
        responses: at(`${READ}.cached_tokens`, 80),
      }),
    ],
  },
  {
    name: 'tokens put into caches',
    in: {
      messages: used.messages({
        input_tokens: 20,
        output_tokens: 50,
        cache_creation_input_tokens: 30,
        cache_read_input_tokens: 50,
        cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 },
      }),
    },
    facts: [
      input(100),
      output(50),
      fact('the cached ones', /usage|cache/i, {
        chat: at('usage.prompt_tokens_details.cached_tokens', 50),
        messages: at('usage.cache_read_input_tokens', 50),
        genai: at('usageMetadata.cachedContentTokenCount', 50),
        responses: at(`${READ}.cached_tokens`, 50),
      }),
      fact('those put there', /usage|cache/i, {
        chat: { perhaps: at('usage.prompt_tokens_details.cache_write_tokens', 30) },
        messages: at('usage.cache_creation_input_tokens', 30),
        genai: 'never',
        responses: { perhaps: at(`${READ}.cache_write_tokens`, 30) },
      }),
      fact('for how long', /usage|cache/i, {
        chat: 'never',
        messages: at('usage.cache_creation', { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 }),
        genai: 'never',
        responses: 'never',
      }),
    ],
  },
  {
    name: 'tokens put into a cache of Responses',
    in: {
      responses: used.responses({
        input_tokens: 100,
        output_tokens: 50,
        total_tokens: 150,
        input_tokens_details: { cached_tokens: 50, cache_write_tokens: 30 },
      }),
    },
    facts: [
      input(100),
      fact('those put there', /usage|cache/i, {
        chat: { perhaps: at('usage.prompt_tokens_details.cache_write_tokens', 30) },
        messages: at('usage.cache_creation_input_tokens', 30),
        genai: 'never',
        responses: at(`${READ}.cache_write_tokens`, 30),
      }),
    ],
  },
  {
    name: 'tokens of thoughts',
    in: {
      chat: used.chat({
        prompt_tokens: 100,
        completion_tokens: 50,
        total_tokens: 150,
        completion_tokens_details: { reasoning_tokens: 30 },
      }),
      messages: used.messages({
        input_tokens: 100,
        output_tokens: 50,
        output_tokens_details: { thinking_tokens: 30 },
      }),
      genai: used.genai({
        promptTokenCount: 100,
        candidatesTokenCount: 20,
        thoughtsTokenCount: 30,
        totalTokenCount: 150,
      }),
      responses: used.responses({
        input_tokens: 100,
        output_tokens: 50,
        total_tokens: 150,
        output_tokens_details: { reasoning_tokens: 30 },
      }),
    },
    facts: [
      output(50),
      fact('those of thoughts', /usage|reasoning|thought/i, {
        chat: at('usage.completion_tokens_details.reasoning_tokens', 30),
        messages: at('usage.output_tokens_details.thinking_tokens', 30),
        genai: at('usageMetadata.thoughtsTokenCount', 30),
        responses: at('usage.output_tokens_details.reasoning_tokens', 30),
      }),
      fact('the total', /usage|total/i, {
        chat: at('usage.total_tokens', 150),
        messages: sum('usage', ['input_tokens', 'output_tokens'], 150),
        genai: at('usageMetadata.totalTokenCount', 150),
        responses: at('usage.total_tokens', 150),
      }),
    ],
  },
  {
    name: 'tokens of thoughts beside the others',
    in: {
      chat: used.chat({
        prompt_tokens: 100,
        completion_tokens: 20,
        total_tokens: 150,
        completion_tokens_details: { reasoning_tokens: 30 },
      }),
    },
    facts: [{ ...output(50), implied: true }],
  },
  {
    name: 'tokens of thoughts among the others',
    in: {
      genai: used.genai({
        promptTokenCount: 100,
        candidatesTokenCount: 50,
        thoughtsTokenCount: 30,
        totalTokenCount: 150,
      }),
    },
    facts: [{ ...output(50), implied: true }],
  },
]
