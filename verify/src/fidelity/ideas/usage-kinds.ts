import { fact, type Idea } from '../fact.ts'
import { at, either } from '../look.ts'
import { answer } from '../wire/build.ts'
import { input, used } from './usage.ts'

/** Counts by kind, searches and tiers. */
export const usageKinds: readonly Idea[] = [
  {
    name: 'tokens of tools and kinds of media',
    in: {
      genai: used.genai({
        promptTokenCount: 60,
        toolUsePromptTokenCount: 40,
        candidatesTokenCount: 50,
        totalTokenCount: 150,
        promptTokensDetails: [
          { modality: 'TEXT', tokenCount: 40 },
          { modality: 'AUDIO', tokenCount: 20 },
        ],
      }),
    },
    facts: [
      input(100),
      fact('those of tools', /usage|tool/i, {
        chat: 'never',
        messages: 'never',
        genai: at('usageMetadata.toolUsePromptTokenCount', 40),
        responses: 'never',
      }),
      fact('those of sound', /usage|modalit|audio/i, {
        chat: { perhaps: at('usage.prompt_tokens_details.audio_tokens', 20) },
        messages: 'never',
        genai: either(
          at('usageMetadata.promptTokensDetails.0.tokenCount', 20),
          at('usageMetadata.promptTokensDetails.1.tokenCount', 20),
        ),
        responses: 'never',
      }),
    ],
  },
  {
    name: 'tokens of sound in chat',
    in: {
      chat: used.chat({
        prompt_tokens: 100,
        completion_tokens: 50,
        total_tokens: 150,
        prompt_tokens_details: { audio_tokens: 20, cached_tokens: 0 },
        completion_tokens_details: { accepted_prediction_tokens: 5, reasoning_tokens: 0 },
      }),
    },
    facts: [
      input(100),
      fact('those of sound', /usage|audio/i, {
        chat: at('usage.prompt_tokens_details.audio_tokens', 20),
        messages: 'never',
        genai: { perhaps: at('usageMetadata.promptTokensDetails.*.tokenCount', 20) },
        responses: 'never',
      }),
      fact('those of a prediction', /usage|prediction/i, {
        chat: at('usage.completion_tokens_details.accepted_prediction_tokens', 5),
        messages: 'never',
        genai: 'never',
        responses: 'never',
      }),
    ],
  },
  {
    name: 'searches',
    in: {
      messages: used.messages({ input_tokens: 100, output_tokens: 50, server_tool_use: { web_search_requests: 2 } }),
    },
    facts: [
      fact('how many', /usage|search/i, {
        chat: { perhaps: at('usage.server_tool_use.web_search_requests', 2) },
        messages: at('usage.server_tool_use.web_search_requests', 2),
        genai: 'never',
        responses: { perhaps: at('tool_usage.web_search.num_requests', 2) },
      }),
    ],
  },
  {
    name: 'the tier',
    in: {
      messages: used.messages({ input_tokens: 100, output_tokens: 50, service_tier: 'standard' }),
      chat: answer.chat({ body: { service_tier: 'default', system_fingerprint: 'fp_1' } }),
    },
    facts: [
      fact('the tier', /tier/i, {
        chat: { perhaps: at('service_tier', 'default') },
        messages: { perhaps: at('usage.service_tier', 'standard') },
        genai: 'never',
        responses: { perhaps: at('service_tier', 'default') },
      }),
    ],
  },
]
